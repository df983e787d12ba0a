import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { loadConfig } from '../../../src/config/load.ts';
import { configJsonSchema } from '../../../src/config/schema/json-schema.ts';
import { modelVariables } from '../../../src/providers/target/presets.ts';
import { TOOL_NAMES } from '../../../src/tools/tools.ts';
import { configSchemaText } from '../../../tooling/docs/tables.ts';
import { keysFor } from '../../support/agent/config-keys.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const root = path.join(import.meta.dirname, '../../..');
const SPECIFICATION = readFileSync(path.join(import.meta.dirname, 'fixtures/specification.json'), 'utf8');

/** The warnings about a file, or the message of the error that it causes. */
async function problemsOf(text: string): Promise<readonly string[]> {
  const { fileSystem } = createMemoryFileSystem({ '/my.json': text });
  const sources = {
    platform: 'posix',
    home: '/home/me',
    workspace: '/work',
    configFile: '/my.json',
    overrides: {},
    variables: modelVariables({}),
    keys: keysFor(TOOL_NAMES),
  } as const;
  return loadConfig(fileSystem, sources).then(
    ({ warnings }) => warnings,
    (error: unknown) => [String(error)],
  );
}

it('the JSON Schema of the package describes the configuration (npm run docs writes it)', () => {
  expect(readFileSync(path.join(root, 'schema/config.schema.json'), 'utf8')).toBe(configSchemaText());
});

describe('the JSON Schema and the reader of files agree about', () => {
  const schema = z.fromJSONSchema(JSON.parse(JSON.stringify(configJsonSchema(TOOL_NAMES))));
  const profile = { name: 'a', provider: 'ollama' };
  it.each<[string, unknown, boolean]>([
    ['an empty file', {}, true],
    ['$schema', { $schema: 'https://example.com' }, true],
    ['a wrong type', { ui: { color: 'red' } }, false],
    ['a number out of range', { agent: { max_iterations: 0 } }, false],
    ['the largest number', { agent: { max_iterations: 1_000 } }, true],
    ['an unknown key', { uii: {} }, false],
    ['an unknown key in a section', { ui: { colour: true } }, false],
    ['a key that is null', { llm: { api_key: null } }, true],
    ['an API key', { llm: { api_key: 'sk-1' } }, false],
    ['a permission level', { safety: { permissions: { run_shell: 'denied', other: 'ask_once' } } }, true],
    ['an unknown level', { safety: { permissions: { run_shell: 'never' } } }, false],
    ['an invalid tool name', { safety: { permissions: { 'run shell': 'denied' } } }, false],
    ['a time limit', { tools: { builtin: { read_file: { timeout_seconds: 10 } } } }, true],
    ['a tool that does not exist', { tools: { builtin: { fly: { enabled: true } } } }, false],
    ['a profile', { models: { profiles: [profile] } }, true],
    ['a profile with an unknown key', { models: { profiles: [{ ...profile, key: 'x' }] } }, false],
    ['another version', { version: '2.0' }, false],
  ])('%s', async (_name, file, fits) => {
    expect(schema.safeParse(file).success).toBe(fits);
    expect((await problemsOf(JSON.stringify(file))).length === 0).toBe(fits);
  });
});

it('the sample of the specification loads without a warning', async () => {
  expect(await problemsOf(SPECIFICATION)).toEqual([]);
});

describe('docs/configuration.md', () => {
  const page = readFileSync(path.join(root, 'docs/configuration.md'), 'utf8');
  const files = [...page.matchAll(/```jsonc?\n([\s\S]*?)```/g)].map(([, text = '']) => text);

  it.each(files.map((text, index) => [index + 1, text] as const))(
    'has a sample file %i that loads',
    async (_index, text) => {
      expect(await problemsOf(text)).toEqual([]);
    },
  );
});
