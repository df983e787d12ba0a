import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { TOOL_NAMES } from '../../../src/tools/tools.ts';
import { mockServerEntry, ybsEntry } from '../../support/processes/entry.ts';
import { librariesIn, traceModules, traceRun } from '../../support/processes/loaded-libraries.ts';
import { startInTerminal } from '../../support/processes/pty.ts';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'ybs-trace-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const dist = path.join(import.meta.dirname, '../../../dist');
const scenarios = path.join(import.meta.dirname, '../../../scenarios');

const server = serveScenarios([
  {
    name: 'tools',
    trigger: 'Use each tool',
    steps: [
      { intent: 'write_file', path: 'a.txt', content: 'one\n' },
      { intent: 'read_file', path: 'a.txt' },
      { intent: 'edit_file', path: 'a.txt', old_text: 'one', new_text: 'two' },
      { intent: 'list_files', pattern: '*.txt' },
      { intent: 'search_files', pattern: 'two' },
      { response: { tool_calls: [{ name: 'update_tasks', arguments: { tasks: [] } }] } },
      { intent: 'shell', command: 'cat a.txt' },
      { response: { content: 'Done.' } },
    ],
  },
]);

/** Libraries that a provider might load. */
const LIBRARIES = /openai|sdk|undici|yaml|hono|zod/;

/** Runs `ybs` over a provider, in a directory of its own, to the end of the story, without fetch and Web Crypto. */
async function traceProvider(provider: string, base: string, options: readonly string[], input?: string) {
  const cwd = path.join(directory, provider);
  mkdirSync(cwd);
  const address = options[0] === 'start' ? '--api-base' : '--endpoint';
  const connection = ['--provider', provider, address, `${server.url}${base}`, '--model', 'mock-model', '--cwd', cwd];
  const keys = { ANTHROPIC_API_KEY: 'mock', OPENAI_API_KEY: 'mock', GEMINI_API_KEY: 'mock' };
  const run = await traceRun(ybsEntry, [...options, ...connection], `${cwd}.trace`, keys, input);
  expect(run.stdout).toContain('Done.');
  expect(run.internals).toContain('http');
  expect(run.internals).not.toContain('internal/deps/undici/undici');
  expect(run.internals).not.toContain('internal/crypto/webcrypto');
  // Some 15 files with the code of ybs; more of them would take longer to load.
  expect(run.files.length).toBeLessThan(17);
  return run;
}

describe('the libraries that a command loads', () => {
  it.each([
    ['ybs', '--version', ybsEntry, /^\d+\.\d+\.\d+/],
    ['ybs', '--help', ybsEntry, /--permission-mode/],
    ['mock-llm-server', '--help', mockServerEntry, /--port/],
    ['mock-llm-server', '--version', mockServerEntry, /^\d+\.\d+\.\d+/],
  ])('do not include any for %s %s', async (name, option, entry, answer) => {
    const run = await traceRun(entry, [option], path.join(directory, `${name}${option}`));
    expect(run.stdout).toMatch(answer);
    expect(run.exitCode).toBe(0);
    expect(run.files).toContain(entry);
    expect(run.libraries).toEqual([]);
    expect(run.files.length).toBeLessThan(10);
  });

  it.each([
    ['openai-compatible', '/v1'],
    ['openai', '/v1'],
    ['anthropic', ''],
  ])('ybs over %s loads for calls of every tool no SDK, no zod, no fetch and no Web Crypto', async (provider, base) => {
    const mode = ['--permission-mode', 'full-access', '--no-sandbox'];
    const args = ['Use each tool', ...mode, '--output-format', 'json'];
    const run = await traceProvider(provider, base, args);
    expect(run.exitCode).toBe(0);
    for (const name of TOOL_NAMES) expect(run.stdout).toContain(`"toolName":"${name}","outcome":"ok"`);
    expect(run.libraries.filter((library) => LIBRARIES.test(library))).toEqual([]);
  });

  it.each([
    [
      'gemini',
      'stream-json',
      '/v1beta',
      ['--output-format', 'stream-json', '--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'],
      [
        {
          type: 'control_request',
          request_id: 'r1',
          request: { subtype: 'initialize', appendSystemPrompt: 'Be brief.' },
        },
        { type: 'user', message: { role: 'user', content: 'Use each tool' } },
      ],
    ],
    ['ollama', 'yume-json', '', ['start', '--protocol-version', '1'], [{ type: 'user', content: 'Use each tool' }]],
  ])(
    'ybs over %s loads for a host that drives it in %s no SDK, no zod, no fetch and no Web Crypto',
    async (provider, _format, base, options, frames) => {
      const input = frames.map((frame) => `${JSON.stringify(frame)}\n`).join('');
      const run = await traceProvider(provider, base, options, input);
      expect(run.libraries.filter((library) => LIBRARIES.test(library))).toEqual([]);
    },
  );

  it('mock-llm-server validate loads fast-glob for a glob only, and zod only to explain a file that has a problem', async () => {
    const broken = path.join(directory, 'broken.json');
    writeFileSync(broken, '{"scenarios": [{"name": "a", "trigger": "a", "steps": []}]}');
    const stories = scenarios.replaceAll('\\', '/');
    const validate = (name: string, file: string) =>
      traceRun(mockServerEntry, ['validate', file], path.join(directory, name));
    const literal = await validate('literal', stories);
    const glob = await validate('glob', `${stories}/**`);
    const invalid = await validate('invalid', broken);
    expect([literal.exitCode, glob.exitCode, invalid.exitCode]).toEqual([0, 0, 2]);
    expect(glob.stdout).toBe(literal.stdout);
    expect(literal.libraries).toEqual([]);
    expect(glob.libraries).toContain('fast-glob');
    expect(invalid.libraries).toContain('zod');
  });

  it.runIf(process.platform !== 'win32').each([
    ['openai', undefined],
    ['mock', 'say hello'],
  ])(
    'a chat over %s loads the measurement of wide characters after its prompt, and no zod for an answer',
    async (provider, prompt) => {
      const trace = path.join(directory, `chat-${provider}.trace`);
      const args = ['--provider', provider, '--model', 'mock-model'];
      const environment = { ...traceModules(trace), OPENAI_API_KEY: 'unused' };
      const chat = startInTerminal(args, { environment });
      await chat.waitForPrompt();
      if (prompt !== undefined) {
        chat.type(`${prompt}\r`);
        await chat.waitForText('tokens in');
        await chat.waitForPrompt();
      }
      chat.type('\u0004');
      expect((await chat.ended).exitCode).toBe(0);
      const files = readFileSync(trace, 'utf8')
        .split('\n')
        .filter((file) => file.endsWith('.js'));
      const libraries = files.map((file) => librariesIn(file));
      const opening = files.findLastIndex((file) => file.includes('chunk-run-chat'));
      expect(opening).toBeGreaterThan(0);
      const heavy =
        /sdk|openai|undici|yaml|zod|json-schema-faker|fast-glob|jsonc|marked|highlight|string-width|execa|hono|unbash|minimatch/;
      expect(libraries.slice(0, opening + 1).flat()).toEqual(
        expect.not.arrayContaining([expect.stringMatching(heavy)]),
      );
      expect(libraries.flat()).toContain('string-width');
      if (prompt === undefined) return;
      expect(libraries.flat()).toContain('hono');
      expect(
        libraries.flat().filter((library) => /sdk|zod|yaml|json-schema-faker|fast-glob|jsonc/.test(library)),
      ).toEqual([]);
    },
  );

  it('ybs test loads no zod to play a story', async () => {
    const story = path.join(scenarios, 'write-hello');
    const run = await traceRun(ybsEntry, ['test', story], path.join(directory, 'story'));
    expect([run.exitCode, run.stdout]).toEqual([0, expect.stringContaining('1 passed, 0 failed')]);
    expect(run.libraries.filter((library) => /zod|yaml|json-schema-faker|fast-glob|jsonc/.test(library))).toEqual([]);
    expect(run.libraries).toContain('hono');
  });

  it('ybs with a server of MCP in its configuration loads neither zod nor the client before a call', async () => {
    const config = path.join(directory, 'servers.json');
    const servers = { notes: { command: 'node', args: ['notes-server.mjs'], env: { A: 'b' }, timeout_seconds: 5 } };
    writeFileSync(config, JSON.stringify({ mcp: { servers } }));
    const args = ['--provider', 'mock', '--config', config, 'say hello'];
    const run = await traceRun(ybsEntry, args, path.join(directory, 'servers'));
    expect(run.exitCode).toBe(0);
    expect(run.files).toContainEqual(expect.stringContaining('chunk-mcp-'));
    expect(run.libraries.filter((library) => /zod|modelcontextprotocol/.test(library))).toEqual([]);
  });

  it('a trace reports a loaded library', async () => {
    const script = path.join(import.meta.dirname, '../../support/processes/load-zod.ts');
    const run = await traceRun(script, [], path.join(directory, 'control'));
    expect(run.libraries).toContain('zod');
  });

  it('a bundle names the libraries in it', () => {
    const chunks = readdirSync(dist).filter((file) => file.endsWith('.js'));
    const libraries = new Set(chunks.flatMap((chunk) => librariesIn(path.join(dist, chunk))));
    expect([...libraries]).toEqual(expect.arrayContaining(['execa', 'hono', 'zod']));
  });

  it('the generator for JSON Schemas is a separate chunk that is imported dynamically', () => {
    const chunks = readdirSync(dist).filter((file) => file.endsWith('.js'));
    const generator = chunks.filter((chunk) => librariesIn(path.join(dist, chunk)).includes('json-schema-faker'));
    expect(generator.flatMap((chunk) => librariesIn(path.join(dist, chunk)))).toEqual(['json-schema-faker']);
    const lines = chunks.flatMap((chunk) => readFileSync(path.join(dist, chunk), 'utf8').split('\n'));
    const importing = lines.filter((line) => line.includes(`require("./${generator[0]}")`));
    expect(importing.length).toBeGreaterThan(0);
    expect(importing.filter((line) => !line.includes(`then(() => require("./${generator[0]}")`))).toEqual([]);
  });
});
