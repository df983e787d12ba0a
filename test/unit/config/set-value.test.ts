import { describe, expect, it } from 'vitest';
import { FileSystemError, messageOf } from '../../../src/agent/errors.ts';
import type { FileSystem } from '../../../src/agent/ports/file-system.ts';
import type { ConfigSources } from '../../../src/config/load.ts';
import { setConfigValue } from '../../../src/config/set-value.ts';
import { modelVariables } from '../../../src/providers/target/presets.ts';
import { keysFor } from '../../support/agent/config-keys.ts';
import { fakeProcesses } from '../../support/agent/session-store.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const USER = '/home/me/.config/ybs/config.json';
const HOME = '/home/me/.ybs.json';
const PROJECT = '/work/shop/.ybs.json';
const SOURCES: ConfigSources = {
  platform: 'posix',
  home: '/home/me',
  workspace: '/work/shop',
  overrides: {},
  variables: modelVariables({}),
  keys: keysFor(['read_file', 'run_shell']),
};

interface Change {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly sources?: Partial<ConfigSources>;
  readonly adapt?: (fileSystem: FileSystem) => FileSystem;
  readonly links?: Readonly<Record<string, string>>;
}

const portsOf = (fileSystem: FileSystem) => ({ fileSystem, processes: fakeProcesses(), clock: createManualClock() });

/** Sets a key; `files` are all files afterwards. */
async function set(
  name: string,
  text: string,
  { files = {}, sources, adapt = (same) => same, links = {} }: Change = {},
) {
  const { fileSystem, volume } = createMemoryFileSystem(files);
  for (const [path, target] of Object.entries(links)) volume.symlinkSync(target, path);
  const change = { name, text };
  const result = await setConfigValue(portsOf(adapt(fileSystem)), { ...SOURCES, ...sources }, change).catch(messageOf);
  return { result, files: volume.toJSON() };
}

const read = async (name: string, text: string, content: string): Promise<string | null | undefined> =>
  (await set(name, text, { files: { [HOME]: content } })).files[HOME];

describe('setting a key', () => {
  it.each<[string, string, string, string, string]>([
    ['replaces a value', 'ui.color', 'false', '{ "ui": { "color": true } }', '{ "ui": { "color": false } }'],
    [
      'takes an address without a scheme',
      'llm.endpoint',
      'h:80',
      '{"llm":{"endpoint":""}}',
      '{"llm":{"endpoint":"h:80"}}',
    ],
    [
      'keeps an @ of a path',
      'llm.endpoint',
      'http://h/@v1',
      '{"llm":{"endpoint":""}}',
      '{"llm":{"endpoint":"http://h/@v1"}}',
    ],
    [
      'keeps comments, order and indentation',
      'llm.max_tokens',
      '9',
      '{\n    // big\n    "ui": {}, /* later */\n    "llm": {\n        "model": "m" // mine\n    }\n}\n',
      '{\n    // big\n    "ui": {}, /* later */\n    "llm": {\n        "max_tokens": 9,\n        "model": "m" // mine\n    }\n}\n',
    ],
    [
      'keeps line endings and tabs',
      'ui.color',
      'false',
      '{\r\n\t"version": "1.0"\r\n}\r\n',
      '{\r\n\t"version": "1.0",\r\n\t"ui": {\r\n\t\t"color": false\r\n\t}\r\n}\r\n',
    ],
    ['keeps the byte order mark', 'ui.color', 'false', '\ufeff{"ui":{"color":true}}', '\ufeff{"ui":{"color":false}}'],
    ['writes into an empty file', 'ui.color', 'false', '', '{\n  "ui": {\n    "color": false\n  }\n}'],
    ['accepts a bare string', 'llm.model', 'qwen3:14b', '{"llm":{"model":"a"}}', '{"llm":{"model":"qwen3:14b"}}'],
    ['accepts a bare number as a string', 'llm.model', '4', '{"llm":{"model":"a"}}', '{"llm":{"model":"4"}}'],
    ['accepts a string in JSON', 'llm.model', '"b c"', '{"llm":{"model":"a"}}', '{"llm":{"model":"b c"}}'],
    [
      'accepts a list',
      'safety.blocked_commands',
      '["git push"]',
      '{"safety":{"blocked_commands":[]}}',
      '{"safety":{"blocked_commands":[\n      "git push"\n    ]}}',
    ],
    [
      'accepts an external tool of the user',
      'safety.permissions.web',
      'denied',
      '{"safety":{"permissions":{"web":"automatic"}}}',
      '{"safety":{"permissions":{"web":"denied"}}}',
    ],
    ['repairs a wrong value', 'ui.color', 'false', '{"ui":{"color":"red"}}', '{"ui":{"color":false}}'],
    ['leaves a file without the key unchanged', 'llm.model', 'null', '{"ui":{}}', '{"ui":{}}'],
    ['removes a key', 'ui.color', 'null', '{"ui":{"color":true}}', '{\n  "ui": {}\n}'],
    ['accepts an API key that is null', 'llm.api_key', 'null', '{"llm":{"api_key":null}}', '{"llm":{"api_key":null}}'],
  ])('%s', async (_name, name, text, before, after) => {
    expect(await read(name, text, before)).toBe(after);
  });

  it('creates a file with its schema', async () => {
    const { files, result } = await set('ui.color', 'false');
    expect(files[USER]).toBe('{\n  "ui": {\n    "color": false\n  }\n}\n');
    expect(result).toEqual({
      ...{ file: USER, isNew: true, isChanged: true, isElsewhere: false },
      effective: { name: 'ui.color', value: false, origin: USER },
    });
  });

  it.each<[string, Change, string]>([
    ['the file that has the key', { files: { [USER]: '{"ui":{"color":true}}', [HOME]: '{}' } }, USER],
    [
      'the last file that has the key',
      { files: { [USER]: '{"ui":{"color":true}}', [HOME]: '{"ui":{"color":true}}' } },
      HOME,
    ],
    ['the only file', { files: { [HOME]: '{}' } }, HOME],
    ['the first of two files without the key', { files: { [USER]: '{}', [HOME]: '{}' } }, USER],
    [
      'the file of --config',
      { files: { [HOME]: '{}', '/my.json': '{}' }, sources: { configFile: '/my.json' } },
      '/my.json',
    ],
    ['a file in XDG_CONFIG_HOME', { sources: { xdgConfigHome: '/xdg' } }, '/xdg/ybs/config.json'],
    [
      'the file itself and not the link to it',
      { files: { '/dot/ybs.json': '{}' }, links: { [HOME]: '/dot/ybs.json' } },
      '/dot/ybs.json',
    ],
  ])('changes %s', async (_name, change, file) => {
    const home = { '/home/me/.profile': '' };
    const { files } = await set('ui.color', 'false', { ...change, files: { ...home, ...change.files } });
    const changed = Object.entries(files).filter(([, text]) => text?.includes('false'));
    expect(changed.map(([path]) => path)).toEqual([file]);
  });

  it('reports a value that takes precedence', async () => {
    const { result } = await set('agent.max_iterations', '9', {
      files: { [HOME]: '{}', [PROJECT]: '{"agent":{"max_iterations":3}}' },
    });
    expect(result).toMatchObject({ effective: { value: 3, origin: PROJECT } });
  });

  it('does not need the other files to be valid', async () => {
    const { result, files } = await set('ui.color', 'false', { files: { [HOME]: '{}', '/etc/ybs/config.json': '{' } });
    expect(result).toMatchObject({ file: HOME, effective: undefined });
    expect(files[HOME]).toContain('false');
  });

  const refuse = (code: ConstructorParameters<typeof FileSystemError>[0]) => (fileSystem: FileSystem) => ({
    ...fileSystem,
    replaceFile: (directory: string) => Promise.reject(new FileSystemError(code, directory)),
  });

  it.each<[string, string, string, Change, string]>([
    ['an unknown key', 'llm.modle', 'x', {}, 'There is no key "llm.modle". Did you mean llm.model?'],
    [
      'a key without a similar one',
      'qqqqqqqqqqqqqqqqqqqqqqq',
      'x',
      {},
      'There is no key "qqqqqqqqqqqqqqqqqqqqqqq". ybs config lists the keys.',
    ],
    ['a wrong type', 'ui.color', 'red', {}, 'ui.color must be true or false, but is "red".'],
    [
      'a number out of range',
      'agent.max_iterations',
      '0',
      {},
      'agent.max_iterations must be an integer from 1 to 1000, but is 0.',
    ],
    [
      'an unknown level',
      'safety.permissions.run_shell',
      'never',
      {},
      'safety.permissions.run_shell must be one of automatic, ask_once, ask_always, denied, but is "never".',
    ],
    ['an API key', 'llm.api_key', 'sk-1', {}, 'llm.api_key is not allowed. API keys are not read'],
    ...[
      'http://me:sk-1@host/v1',
      'me:sk-1@host:80',
      'https:me:sk-1@host',
      '"http://me@host"',
      'http://h/v1?key=sk-1',
    ].map((text): [string, string, string, Change, string] => [
      'a password',
      'llm.endpoint',
      text,
      {},
      'llm.endpoint cannot contain a user name, password, query or fragment.',
    ]),
    [
      'a password of a profile',
      'models.profiles',
      '[{"name":"a","apiKind":"openai","model":"m","endpoint":"https://me:sk-1@host/v1"}]',
      {},
      'The endpoint of a profile in models.profiles cannot contain a user name,',
    ],
    [
      'a profile that does not exist',
      'models.active',
      'work',
      { files: { [HOME]: '{}' } },
      `${HOME}: models.active is "work", but there is no such profile.`,
    ],
    [
      'a file that is not JSON',
      'ui.color',
      'false',
      { files: { [HOME]: '{\n"a"}' } },
      `${HOME}:2:4: invalid JSON: expected a colon.`,
    ],
    [
      'a file with another wrong value',
      'ui.color',
      'false',
      { files: { [HOME]: '{"agent":{"max_iterations":0}}' } },
      'agent.max_iterations must be',
    ],
    ['a file that is a list', 'ui.color', 'false', { files: { [HOME]: '[]' } }, `${HOME}:`],
    [
      'a section that is not an object',
      'ui.color',
      'false',
      { files: { [HOME]: '{"ui":1}' } },
      `${HOME}: ui is not an object. Correct it in an editor first.`,
    ],
    [
      'a duplicate key',
      'ui.color',
      'false',
      { files: { [HOME]: '{"ui":{"color":true},"ui":{"color":true}}' } },
      `${HOME}: ui.color is in the file twice.`,
    ],
    [
      'a file that is not UTF-8',
      'ui.color',
      'false',
      { files: { [HOME]: Uint8Array.of(0xff, 0xfe) } },
      `${HOME}: the file is not UTF-8.`,
    ],
    [
      'a --config file that is missing',
      'ui.color',
      'false',
      { sources: { configFile: '/my.json' } },
      '/my.json: the --config file does not exist.',
    ],
    [
      'a file that cannot be written',
      'ui.color',
      'false',
      { files: { [HOME]: '{}' }, adapt: refuse('permission_denied') },
      `${HOME}: the file cannot be written: permission denied. It was not changed.`,
    ],
  ])('rejects %s', async (_name, name, text, change, message) => {
    const before = createMemoryFileSystem(change.files).volume.toJSON();
    const { result, files } = await set(name, text, change);
    expect(result).toContain(message);
    expect(files).toEqual(before);
    expect(JSON.stringify(result)).not.toContain('sk-1');
  });

  it('rejects a write-protected file', async () => {
    const { fileSystem, volume } = createMemoryFileSystem({ [HOME]: '{}' });
    volume.chmodSync(HOME, 0o444);
    const change = { name: 'ui.color', text: 'false' };
    await expect(setConfigValue(portsOf(fileSystem), SOURCES, change)).rejects.toThrow(
      `${HOME}: the file is write-protected.`,
    );
    expect(volume.readFileSync(HOME, 'utf8')).toBe('{}');
  });
});
