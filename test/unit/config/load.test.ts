import { describe, expect, it } from 'vitest';
import { type ConfigSources, loadConfig } from '../../../src/config/load.ts';
import { ConfigError } from '../../../src/config/read-layer.ts';
import { FileSystemError } from '../../../src/core/errors.ts';
import { modelVariables } from '../../../src/providers/presets.ts';
import { keysFor } from '../../support/config-keys.ts';
import { createMemoryFileSystem } from '../../support/memory-file-system.ts';

const sources: ConfigSources = {
  platform: 'posix',
  home: '/home/me',
  workspace: '/work/shop',
  overrides: {},
  variables: modelVariables({}),
  keys: keysFor(['read_file', 'run_shell']),
};
const SYSTEM = '/etc/ybs/config.json';
const USER = '/home/me/.config/ybs/config.json';
const HOME = '/home/me/.ybs.json';
const PROJECT = '/work/shop/.ybs.json';
const CHOSEN = '/work/mine.json';

type Files = Readonly<Record<string, unknown>>;

/** Loads these files; a value that is not a string is written as JSON. */
function load(files: Files, changed: Partial<ConfigSources> = {}) {
  const texts = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === 'string' ? content : JSON.stringify(content),
  ]);
  return loadConfig(createMemoryFileSystem(Object.fromEntries(texts)).fileSystem, { ...sources, ...changed });
}

async function problemOf(files: Files, changed: Partial<ConfigSources> = {}): Promise<string> {
  const error: unknown = await load(files, changed).catch((thrown: unknown) => thrown);
  if (error instanceof ConfigError) return error.message;
  throw new Error(`expected a ConfigError, but got ${JSON.stringify(error)}`);
}

describe('the layers', () => {
  it('leave all defaults in place when there is no file', async () => {
    const { config, warnings } = await load({});
    expect(config.agent.max_iterations).toBe(25);
    expect(warnings).toEqual([]);
  });

  const tokens = (value: number) => ({ llm: { max_tokens: value } });
  const order = [SYSTEM, USER, HOME, CHOSEN];
  it.each(order.map((winner, index) => [winner, index] as const))(
    'give %s precedence over the files before it',
    async (winner, index) => {
      const files = Object.fromEntries(order.slice(0, index + 1).map((file, position) => [file, tokens(position + 1)]));
      const { config } = await load(files, winner === CHOSEN ? { configFile: CHOSEN } : {});
      expect(config.llm.max_tokens).toBe(index + 1);
    },
  );

  it('give the command line precedence over every file, except for undefined values', async () => {
    const { config } = await load(
      { [CHOSEN]: { llm: { model: 'a', max_tokens: 5 } } },
      { configFile: CHOSEN, overrides: { 'llm.model': 'b', 'llm.max_tokens': undefined } },
    );
    expect(config.llm).toMatchObject({ model: 'b', max_tokens: 5 });
  });

  it('merge objects and replace lists', async () => {
    const { config } = await load({
      [USER]: { agent: { max_iterations: 5 }, safety: { blocked_commands: ['a'] } },
      [HOME]: { agent: { retry_attempts: 1 }, safety: { blocked_commands: ['b'] } },
    });
    expect(config.agent).toMatchObject({ max_iterations: 5, retry_attempts: 1 });
    expect(config.safety.blocked_commands).toEqual(['b']);
  });

  it('drop model, endpoint and key variable of another provider', async () => {
    const llm = { provider: 'lmstudio', model: 'm', endpoint: 'http://x', api_key_variable: 'K', max_tokens: 9 };
    const { config } = await load({ [HOME]: { llm } }, { overrides: { 'llm.provider': 'openai' } });
    expect(config.llm).toEqual({ provider: 'openai', headers: {}, max_tokens: 9, tool_protocol: 'native' });
    const same = await load({ [HOME]: { llm } }, { overrides: { 'llm.provider': 'lmstudio' } });
    expect(same.config.llm).toMatchObject(llm);
  });

  it.each([
    ['/home/me/xdg', '/home/me/xdg/ybs/config.json'],
    ['xdg', USER],
    ['', USER],
  ])('with XDG_CONFIG_HOME %j include %s', async (xdgConfigHome, file) => {
    const { config } = await load({ [file]: tokens(7) }, { xdgConfigHome });
    expect(config.llm.max_tokens).toBe(7);
  });

  it('include no system file on Windows', async () => {
    const requestedPaths: string[] = [];
    const { fileSystem } = createMemoryFileSystem();
    const readFile = async (path: string) => {
      requestedPaths.push(path);
      throw new FileSystemError('not_found', path);
    };
    const realPath = async (path: string) => path;
    const windows = { ...sources, platform: 'windows', home: 'C:\\Users\\me', workspace: 'C:\\shop' } as const;
    await loadConfig({ ...fileSystem, readFile, realPath }, windows);
    expect(requestedPaths).toEqual([
      'C:\\Users\\me\\.config\\ybs\\config.json',
      'C:\\Users\\me\\.ybs.json',
      'C:\\shop\\.ybs.json',
      'C:\\Users\\me\\.eidolon\\config.json',
    ]);
  });
});

describe('loadConfig', () => {
  const rows: readonly (readonly [name: string, content: unknown, problem: string])[] = [
    [
      'a trailing comma',
      '{\n  "llm": {},\n}',
      `${HOME}: invalid JSON at line 3, column 1: expected a property name in double quotes. Correct it or remove the file.`,
    ],
    ['an empty file', '', 'invalid JSON at line 1, column 1: expected a value.'],
    ['a missing comma', '{\n  "version": "1.0"\n  "ui": {}\n}', 'invalid JSON at line 3, column 3: expected a comma.'],
    ['a missing colon', '{"version" "1.0"}', 'invalid JSON at line 1, column 12: expected a colon.'],
    ['an empty object without its end', '{', 'invalid JSON at line 1, column 2: the closing } is missing.'],
    ['a missing }', '{"ui": {}', 'invalid JSON at line 1, column 10: the closing } is missing.'],
    ['a missing ]', '["ui"', 'invalid JSON at line 1, column 6: the closing ] is missing.'],
    ['an extra brace', '{} }', 'invalid JSON at line 1, column 4: expected the end of the file.'],
    ['a comment', '{\n  // why\n}', 'invalid JSON at line 2, column 3: comments are not allowed.'],
    ['an unterminated string', '{"version": "1.0}', 'invalid JSON at line 1, column 13: unterminated string.'],
    ['an invalid escape', '{"version": "\\d"}', 'invalid JSON at line 1, column 13: invalid escape sequence.'],
    ['single quotes', "{'version': 1}", 'invalid JSON at line 1, column 2: unexpected character.'],
    ['a list', [], `${HOME}: the file must be an object, but is a list.`],
    ['null', 'null', `${HOME}: the file must be an object, but is null.`],
    ['a section that is a string', { llm: 'x' }, `${HOME}: llm must be an object, but is "x".`],
    [
      'a wrong type',
      { agent: { max_iterations: '25' } },
      `${HOME}: agent.max_iterations must be an integer from 1 to 1000, but is "25".`,
    ],
    [
      'a number out of its range',
      { agent: { max_iterations: 0 } },
      `${HOME}: agent.max_iterations must be an integer from 1 to 1000, but is 0.`,
    ],
    [
      'a list with a number',
      { safety: { blocked_commands: [1] } },
      'safety.blocked_commands[0]: Invalid input: expected string, received number.',
    ],
    ['an object for a switch', { ui: { color: {} } }, 'ui.color must be true or false, but is an object.'],
    ['another version', { version: '2.0' }, 'version must be "1.0", but is "2.0".'],
    [
      'a mode that does not exist',
      { safety: { permission_mode: 'yolo' } },
      'safety.permission_mode must be one of ask, accept-edits, read-only, full-access, but is "yolo".',
    ],
    ['a long value', { llm: { api_key_variable: '-'.repeat(500) } }, `but is "${'-'.repeat(59)}….`],
    [
      'an API key in the file',
      { llm: { api_key: 'sk-secret' } },
      'llm.api_key is not allowed. API keys are not read from files. Remove it',
    ],
  ];
  it.each(rows)('rejects %s', async (_name, content, problem) => {
    expect(await problemOf({ [HOME]: content })).toContain(problem);
  });

  it('does not repeat an API key in its error', async () => {
    expect(await problemOf({ [HOME]: { llm: { api_key: 'sk-secret' } } })).not.toContain('sk-secret');
  });

  it('names the command line as the source of an error in it', async () => {
    const problem = await problemOf({}, { overrides: { 'llm.model': '' } });
    expect(problem).toBe('command line: llm.model must be a string, but is "".');
    await expect(load({}, { overrides: { 'llm.modle': 'x' } })).rejects.toThrow('unknown configuration key llm.modle');
  });

  it('requires the --config file to exist', async () => {
    expect(await problemOf({}, { configFile: CHOSEN })).toBe(
      `${CHOSEN}: the --config file does not exist. Check the path.`,
    );
  });

  it('rejects a directory', async () => {
    expect(await problemOf({ [`${HOME}/x`]: '' })).toMatch(`${HOME}: the file cannot be read`);
  });

  it.each(['permission_denied', 'link_loop', 'io_error'] as const)(
    'rejects a file that cannot be read: %s',
    async (code) => {
      const { fileSystem } = createMemoryFileSystem();
      const readFile = async (path: string) => {
        throw new FileSystemError(path === HOME ? code : 'not_found', path);
      };
      await expect(loadConfig({ ...fileSystem, readFile }, sources)).rejects.toThrow(
        `${HOME}: the file cannot be read (${code}). Make it readable or remove it.`,
      );
    },
  );

  it('treats a path through a file as a missing file', async () => {
    expect((await load({ '/home/me/.config': 'text' })).warnings).toEqual([]);
  });

  it('reads files of up to 256 KB', async () => {
    const json = '{"ui": {"color": false}}';
    const largest = json.padEnd(256 * 1024);
    expect((await load({ [HOME]: largest })).config.ui.color).toBe(false);
    expect(await problemOf({ [HOME]: `${largest} ` })).toContain(
      'the file has 262145 bytes, more than the maximum of 262144',
    );
  });

  it('rethrows an error that is not a FileSystemError', async () => {
    const { fileSystem } = createMemoryFileSystem();
    const broken = { ...fileSystem, readFile: () => Promise.reject(new TypeError('a bug')) };
    await expect(loadConfig(broken, sources)).rejects.toThrow('a bug');
  });
});

describe('the warnings', () => {
  const rows: readonly (readonly [name: string, content: unknown, warnings: readonly string[]])[] = [
    [
      'a misspelled key',
      { llm: { modle: 'x' } },
      [`${HOME}: unknown key "llm.modle" is ignored. Did you mean llm.model?`],
    ],
    [
      'a key that resembles no other',
      { qqqqqqqqqqqqqqqqqqqq: 1 },
      [`${HOME}: unknown key "qqqqqqqqqqqqqqqqqqqq" is ignored.`],
    ],
    [
      'a key written with dots',
      { 'llm.model': 'x' },
      [`${HOME}: "llm.model" is ignored. Write it as nested objects instead of a dotted name.`],
    ],
    ['a key that is null', { llm: { api_key: null } }, []],
    ['a byte order mark', '\ufeff{}', []],
    ['a $schema for editors', { $schema: 'https://example.com/config.json' }, []],
    ['a $schema in a section', { llm: { $schema: 'x' } }, [`${HOME}: unknown key "llm.$schema" is ignored.`]],
  ];
  it.each(rows)('are complete for %s', async (_name, content, warnings) => {
    const loaded = await load({ [HOME]: content });
    expect(loaded.warnings).toEqual(warnings);
    expect(loaded.config.llm.model).toBeUndefined();
  });

  it('name the keys of prototypes, which no file can change', async () => {
    const names = ['__proto__', 'constructor', 'prototype', 'toString'];
    const file = `{${names.map((name) => `"${name}": {"polluted": true}`).join(', ')}, "llm": {"__proto__": {"max_tokens": 1}}}`;
    const { config, warnings } = await load({ [HOME]: file, [PROJECT]: file });
    expect(warnings).toHaveLength(10);
    expect(config.llm.max_tokens).toBe(4096);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Object.getPrototypeOf(config.llm)).toBe(Object.prototype);
  });

  it('are replaced by an error for a deeply nested value', async () => {
    const deep = `{"ui": {"color": ${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
    expect(await problemOf({ [HOME]: deep })).toContain('ui.color must be true or false, but is a list.');
  });
});

describe('a project file', () => {
  const ignored = (key: string, reason: string) => [`${PROJECT}: ${key} is ignored: ${reason}.`];
  const mayNotSet = 'a project file may not set it. Set it in your own configuration instead';
  const refused: readonly (readonly [key: string, content: unknown, reason: string])[] = [
    ['llm.provider', { llm: { provider: 'openai' } }, mayNotSet],
    ['llm.model', { llm: { model: 'x' } }, mayNotSet],
    ['llm.endpoint', { llm: { endpoint: 'https://evil.example' } }, mayNotSet],
    ['llm.api_key_variable', { llm: { api_key_variable: 'AWS_SECRET' } }, mayNotSet],
    ['llm.timeout_seconds', { llm: { timeout_seconds: 1 } }, mayNotSet],
    ['safety.permission_mode', { safety: { permission_mode: 'full-access' } }, mayNotSet],
    ['safety.sandbox_allowed_paths', { safety: { sandbox_allowed_paths: ['/'] } }, mayNotSet],
    ['agent.max_iterations', { agent: { max_iterations: 26 } }, 'a project file may only lower it, and it is 25'],
    [
      'context.max_tool_output_chars',
      { context: { max_tool_output_chars: 20_000 } },
      'a project file may only lower it, and it is 10000',
    ],
  ];
  it.each(refused)('may not set %s', async (key, content, reason) => {
    const { config, warnings } = await load({ [PROJECT]: content });
    expect(warnings).toEqual(ignored(key, reason));
    expect(config).toEqual((await load({})).config);
  });

  it('may not turn on a tool that is off', async () => {
    const tool = (enabled: boolean) => ({ tools: { builtin: { run_shell: { enabled } } } });
    const { config, warnings } = await load({ [HOME]: tool(false), [PROJECT]: tool(true) });
    expect(config.tools.builtin['run_shell']).toEqual({ enabled: false });
    expect(warnings).toEqual(ignored('tools.builtin.run_shell.enabled', 'a project file may only turn it off'));
  });

  it('may make the session stricter and change its appearance', async () => {
    const { config, warnings } = await load({
      [PROJECT]: {
        version: '1.0',
        agent: { max_iterations: 5 },
        context: { max_tool_output_chars: 2_000 },
        tools: { builtin: { run_shell: { enabled: false } } },
        ui: { color: false },
      },
    });
    expect(warnings).toEqual([]);
    expect(config.agent.max_iterations).toBe(5);
    expect(config.context.max_tool_output_chars).toBe(2_000);
    expect(config.tools.builtin['run_shell']).toEqual({ enabled: false });
    expect(config.ui.color).toBe(false);
  });

  it('may add to the lists of blocked paths and commands', async () => {
    const { config } = await load({
      [HOME]: { safety: { blocked_commands: ['sudo'] } },
      [PROJECT]: { safety: { blocked_commands: ['make deploy', 'sudo'], sandbox_blocked_paths: ['./secrets'] } },
    });
    expect(config.safety.blocked_commands).toEqual(['sudo', 'make deploy']);
    expect(config.safety.sandbox_blocked_paths).toEqual(expect.arrayContaining(['~/.ssh', './secrets']));
  });

  it('changes nothing when it repeats the current values', async () => {
    const { config, warnings } = await load({
      [PROJECT]: {
        agent: { max_iterations: 25 },
        safety: { blocked_commands: ['sudo'] },
        tools: { builtin: { run_shell: { enabled: true } } },
      },
    });
    expect(warnings).toEqual([]);
    expect(config).toEqual((await load({})).config);
  });

  it('gets a warning for an API key, which the warning does not repeat', async () => {
    const { warnings } = await load({ [PROJECT]: { llm: { api_key: 'sk-secret' } } });
    expect(warnings).toEqual([expect.stringContaining('llm.api_key is ignored. API keys are not read from files.')]);
    expect(warnings.join()).not.toContain('sk-secret');
  });

  const llm = { llm: { max_tokens: 7 } };
  it.each([
    ['in the home directory', { [HOME]: llm }, { workspace: '/home/me' }],
    ['the --config file', { [PROJECT]: llm }, { configFile: PROJECT }],
  ])('is trusted when it is %s', async (_name, files, changed) => {
    const { config, warnings } = await load(files, changed);
    expect(warnings).toEqual([]);
    expect(config.llm.max_tokens).toBe(7);
  });

  it('is trusted when a link makes it the file of the home directory', async () => {
    const { fileSystem, volume } = createMemoryFileSystem({ [HOME]: JSON.stringify(llm) });
    volume.mkdirSync('/work');
    volume.symlinkSync('/home/me', '/work/home');
    const { warnings } = await loadConfig(fileSystem, { ...sources, workspace: '/work/home' });
    expect(warnings).toEqual([]);
  });
});
