import { chmodSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

/** A directory with these programs alone, as shell scripts. */
function programs(scripts: Readonly<Record<string, string>>): string {
  const directory = temporaryDirectory();
  writeFiles(
    directory,
    Object.fromEntries(Object.entries(scripts).map(([name, text]) => [name, `#!/bin/sh\n${text}\n`])),
  );
  for (const name of Object.keys(scripts)) chmodSync(path.join(directory, name), 0o755);
  return directory;
}

const NO_KEYS = { GEMINI_API_KEY: '', GOOGLE_API_KEY: '', OPENAI_API_KEY: '' };

describe('ybs auth status', () => {
  it.each<
    readonly [
      name: string,
      provider: string,
      scripts: Readonly<Record<string, string>>,
      environment: object,
      says: string,
      code: number,
    ]
  >([
    ['without gh', 'copilot', {}, {}, 'gh auth token failed', 1],
    ['gh without a login', 'copilot', { gh: 'echo "no oauth token" >&2; exit 1' }, {}, 'gh auth login', 1],
    ['gh without output', 'copilot', { gh: 'exit 0' }, {}, 'it printed no token', 1],
    ['gh with a token', 'copilot', { gh: 'echo gho_abc' }, {}, 'ready: copilot/', 0],
    ['without gcloud and a key', 'gemini', {}, {}, 'gcloud auth print-access-token failed', 1],
    ['without gcloud, with a key', 'gemini', {}, { GEMINI_API_KEY: 'k' }, 'ready: gemini/', 0],
    [
      'gcloud with application credentials alone',
      'gemini',
      { gcloud: 'test "$2" = application-default && echo ya29.x' },
      {},
      'ready: gemini/',
      0,
    ],
    ['without a key', 'openai', {}, {}, 'OpenAI needs an API key', 1],
    ['a local server', 'ollama', {}, {}, 'ready: ollama/', 0],
  ])('%s: %s', async (_name, provider, scripts, environment, says, code) => {
    const directory = programs(scripts);
    const ended = await runMain(['auth', 'status', '--provider', provider], {
      environment: { ...NO_KEYS, PATH: directory, ...environment },
    });
    expect(ended.stdout).toContain(says);
    expect(ended.stdout).not.toContain('gho_abc');
    expect(ended.code).toBe(code);
  });
});
