import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../src/agent/errors.ts';
import { ConfigError } from '../../../src/config/config-error.ts';
import { configValues } from '../../../src/config/describe/describe-config.ts';
import { type ConfigSources, loadConfig } from '../../../src/config/load.ts';
import { ASSUMED_TRUST, type ProjectSettings } from '../../../src/config/trust/project-trust.ts';
import { modelVariables } from '../../../src/providers/target/presets.ts';
import { keysFor } from '../../support/agent/config-keys.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

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

const COUNTS =
  'This file counts, because the project is trusted. Correct it, or end the trust with: ybs trust --revoke';

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
    // What no provider was named for holds for all of them, so that the advice of ybs works with a provider of the command line.
    const files = { [USER]: { llm: { tool_protocol: 'xnl', model: 'm' } }, [HOME]: { llm: { provider: 'openai' } } };
    for (const provider of ['openai', 'lmstudio']) {
      const chosen = await load({ [USER]: files[USER] }, { overrides: { 'llm.provider': provider } });
      expect(chosen.config.llm).toEqual({ provider, headers: {}, max_tokens: 4096, tool_protocol: 'xnl' });
    }
    const other = await load(files, { overrides: { 'llm.provider': 'lmstudio' } });
    expect(other.config.llm.tool_protocol).toBe('native');
    expect(other.warnings).toEqual([expect.stringMatching(/: llm\.tool_protocol has no effect, .* than lmstudio\./)]);
    const mock = await load(files, { overrides: { 'llm.provider': 'mock' }, replacesConnection: true });
    expect(mock.warnings).toEqual([]);
    const same = await load({ [HOME]: { llm } }, { overrides: { 'llm.provider': 'lmstudio' } });
    expect(same.config.llm).toMatchObject(llm);
  });

  it.each([
    ['/home/me/xdg', '/home/me/xdg/ybs/config.json'],
    ['xdg', USER],
    ['', USER],
  ])('include, with XDG_CONFIG_HOME %j, the file %s', async (xdgConfigHome, file) => {
    const { config } = await load({ [file]: tokens(7) }, { xdgConfigHome });
    expect(config.llm.max_tokens).toBe(7);
  });

  it('include no system file on Windows', async () => {
    const requestedPaths = new Set<string>();
    const { fileSystem } = createMemoryFileSystem();
    const readFile = async (path: string) => {
      requestedPaths.add(path);
      throw new FileSystemError('not_found', path);
    };
    const realPath = async (path: string) => path;
    const windows = { ...sources, platform: 'windows', home: 'C:\\Users\\me', workspace: 'C:\\shop' } as const;
    await loadConfig({ ...fileSystem, readFile, realPath }, windows);
    expect([...requestedPaths]).toEqual([
      'C:\\Users\\me\\.config\\ybs\\config.json',
      'C:\\Users\\me\\.ybs.json',
      'C:\\shop\\.ybs.json',
      'C:\\Users\\me\\.eidolon\\config.json',
      'C:\\shop\\.eidolon\\config.json',
    ]);
  });
});

describe('loadConfig', () => {
  const rows: readonly (readonly [name: string, content: unknown, problem: string])[] = [
    [
      'a trailing comma',
      '{\n  "llm": {},\n}',
      `${HOME}:3:1: invalid JSON: there is a comma before the }. Correct it or remove the file.`,
    ],
    ['a trailing comma in a list', '{"a": [1, ]}', ':1:11: invalid JSON: there is a comma before the ].'],
    ['a name without quotes', '{a: 1}', ':1:2: invalid JSON: unexpected character.'],
    ['a name that is missing', '{: 1}', ':1:2: invalid JSON: expected a property name in double quotes.'],
    ['an empty file', '', ':1:1: invalid JSON: expected a value.'],
    ['a missing comma', '{\n  "version": "1.0"\n  "ui": {}\n}', ':3:3: invalid JSON: expected a comma.'],
    ['a missing colon', '{"version" "1.0"}', ':1:12: invalid JSON: expected a colon.'],
    ['an empty object without its end', '{', ':1:2: invalid JSON: the closing } is missing.'],
    ['a missing }', '{"ui": {}', ':1:10: invalid JSON: the closing } is missing.'],
    ['a missing } before an empty line', '{"ui": {}\n', ':1:10: invalid JSON: the closing } is missing.'],
    ['a missing ]', '["ui"', ':1:6: invalid JSON: the closing ] is missing.'],
    ['an extra brace', '{} }', ':1:4: invalid JSON: expected the end of the file.'],
    ['a comment without its end', '{\n  /* why\n}', ':2:3: invalid JSON: the end of the comment is missing.'],
    ['an unterminated string', '{"version": "1.0}', ':1:13: invalid JSON: unterminated string.'],
    ['an invalid escape', '{"version": "\\d"}', ':1:13: invalid JSON: invalid escape sequence.'],
    ['single quotes', "{'version': 1}", ':1:2: invalid JSON: unexpected character.'],
    ['a list', [], `${HOME}:1:1: the file must be an object, but is a list.`],
    ['null', 'null', `${HOME}:1:1: the file must be an object, but is null.`],
    ['a section that is a string', { llm: 'x' }, `${HOME}:1:2: llm must be an object, but is "x".`],
    [
      'a wrong type',
      { agent: { max_iterations: '25' } },
      `${HOME}:1:11: agent.max_iterations must be an integer from 1 to 1000, but is "25".`,
    ],
    [
      'a number out of its range',
      { agent: { max_iterations: 0 } },
      `${HOME}:1:11: agent.max_iterations must be an integer from 1 to 1000, but is 0.`,
    ],
    [
      'a list with a number',
      { safety: { blocked_commands: [1] } },
      'safety.blocked_commands[0]: must be a command, or an object with "rule" and perhaps "match" and "not_match".',
    ],
    [
      'a rule with a wrong example',
      '{\n  "safety": {\n    "allowed_commands": [\n      "ls",\n      {\n        "rule": "npm *",\n        "not_match": ["ls", "npm i"]\n      }\n    ]\n  }\n}',
      `${HOME}:7:29: safety.allowed_commands[1]: the rule "npm *" matches "npm i".`,
    ],
    [
      'a blocked command with a wrong example',
      { safety: { blocked_commands: ['(', { rule: 'git push', match: ['git pull'] }] } },
      `${HOME}:1:64: safety.blocked_commands[1]: the rule "git push" does not match "git pull".`,
    ],
    [
      'a rule that is more than one command',
      { safety: { allowed_commands: ['run_shell: npm test *', 'a && b'] } },
      `${HOME}:1:56: safety.allowed_commands[1]: "a && b" is not the beginning of one plain command.`,
    ],
    [
      'a rule with an unknown member',
      { safety: { allowed_commands: [{ rule: 'ls', matches: [] }] } },
      'safety.allowed_commands[0]: has the unknown key "matches". Did you mean match?',
    ],
    [
      'a misspelt key of a server',
      { mcp: { servers: { notes: { command: 'node', arg: [] } } } },
      `${HOME}:1:20: mcp.servers.notes: has the unknown key "arg". Did you mean args?`,
    ],
    ['an object for a switch', { ui: { color: {} } }, 'ui.color must be true or false, but is an object.'],
    ['another version', { version: '2.0' }, 'version must be "1.0", but is "2.0".'],
    [
      'a mode that does not exist',
      { safety: { permission_mode: 'yolo' } },
      'safety.permission_mode must be one of ask, accept-edits, plan, read-only, full-access, but is "yolo".',
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

  it('accepts rules whose examples are correct', async () => {
    const allowed = [
      'run_shell: npm test *',
      { rule: '"my tool"', match: ["'my tool'"] },
      { rule: 'ls *', not_match: [] },
    ];
    const blocked = ['git push', { rule: 'make deploy', match: ['make deploy -j'], not_match: ['make'] }];
    const { config } = await load({ [HOME]: { safety: { allowed_commands: allowed, blocked_commands: blocked } } });
    expect(config.safety).toMatchObject({ allowed_commands: allowed, blocked_commands: blocked });
  });

  it('does not show an API key in its error', async () => {
    expect(await problemOf({ [HOME]: { llm: { api_key: 'sk-secret' } } })).not.toContain('sk-secret');
  });

  it('names the command line as the source of an error in it', async () => {
    const problem = await problemOf({}, { overrides: { 'llm.model': '' } });
    expect(problem).toBe('command line: llm.model must be a string, but is "".');
    await expect(load({}, { overrides: { 'llm.modle': 'x' } })).rejects.toThrow('unknown configuration key llm.modle');
  });

  it('reads the file of a variant after the --config file, and its prompt in the same directory', async () => {
    const files = {
      [CHOSEN]: { llm: { max_tokens: 1 }, agent: { max_iterations: 2 } },
      '/variants/a.json': { llm: { max_tokens: 3 }, prompt: { system_file: '../rules.md' } },
      '/variants/b.json': { prompt: { system_file: '~/rules.md' } },
    };
    const { config, origins } = await load(files, { configFile: CHOSEN, variantFile: '/variants/a.json' });
    expect([config.llm.max_tokens, config.agent.max_iterations]).toEqual([3, 2]);
    expect([config.prompt.system_file, origins.get('llm.max_tokens')]).toEqual(['/rules.md', '/variants/a.json']);
    const other = await load(files, { variantFile: '/variants/b.json' });
    expect(other.config.prompt.system_file).toBe('~/rules.md');
    expect(await problemOf({}, { variantFile: '/none.json' })).toBe(
      '/none.json: the file of a variant does not exist. Check the path.',
    );
  });

  it('requires the --config file to exist', async () => {
    expect(await problemOf({}, { configFile: CHOSEN })).toBe(
      `${CHOSEN}: the --config file does not exist. Check the path.`,
    );
  });

  it('rejects a directory', async () => {
    expect(await problemOf({ [`${HOME}/x`]: '' })).toMatch(`${HOME}: this is a directory`);
  });

  it.each([
    ['permission_denied', 'permission denied'],
    ['link_loop', 'its links lead in a circle'],
    ['io_error', 'system error'],
  ] as const)('rejects a file that cannot be read, with the reason in words: %s', async (code, reason) => {
    const { fileSystem } = createMemoryFileSystem();
    const readFile = async (path: string) => {
      throw new FileSystemError(path === HOME ? code : 'not_found', path);
    };
    await expect(loadConfig({ ...fileSystem, readFile }, sources)).rejects.toThrow(
      `${HOME}: the file cannot be read: ${reason}. Make it readable or remove it.`,
    );
  });

  it.each([USER, HOME])('rejects a link to a file that does not exist: %s', async (file) => {
    const { fileSystem, volume } = createMemoryFileSystem({ [`${file}.old`]: '' });
    volume.symlinkSync('/gone/config.json', file);
    await expect(loadConfig(fileSystem, sources)).rejects.toThrow(
      `${file}: the file is a link to a file that does not exist. Correct the link or remove it.`,
    );
  });

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
      [
        `${HOME}:1:9: unknown key "llm.modle" is ignored. Did you mean llm.model? ybs config llm.model shows what is used.`,
      ],
    ],
    [
      'a key without a similar one',
      { qqqqqqqqqqqqqqqqqqqq: 1 },
      [`${HOME}:1:2: unknown key "qqqqqqqqqqqqqqqqqqqq" is ignored.`],
    ],
    [
      'a key written with dots',
      { 'llm.model': 'x' },
      [`${HOME}:1:2: "llm.model" is ignored. Write it as nested objects instead of a dotted name.`],
    ],
    [
      'a misspelled tool',
      { safety: { permissions: { run_shel: 'denied' } } },
      [`${HOME}:1:27: safety.permissions.run_shel names no tool of ybs. Did you mean run_shell?`],
    ],
    [
      'the name that another agent has for a tool',
      { safety: { permissions: { bash: 'denied' } } },
      [`${HOME}:1:27: safety.permissions.bash names no tool of ybs. Did you mean run_shell?`],
    ],
    ['a tool that may be external', { safety: { permissions: { web_search: 'denied', toString: 'denied' } } }, []],
    [
      'an external tool whose name resembles a built-in one',
      {
        safety: { permissions: { run_shells: 'denied' } },
        tools: { external: [{ name: 'run_shells', path: '/bin/x' }] },
      },
      [],
    ],
    [
      'a misspelled tool among the built-in ones',
      { tools: { builtin: { run_shel: { enabled: false } } } },
      [
        `${HOME}:1:22: unknown key "tools.builtin.run_shel" is ignored. Did you mean tools.builtin.run_shell? ybs config tools.builtin.run_shell shows what is used.`,
      ],
    ],
    ['a key that is null', { llm: { api_key: null } }, []],
    ['a byte order mark', '\ufeff{}', []],
    ['a $schema for editors', { $schema: 'https://example.com/config.json' }, []],
    [
      'a duplicate name',
      '{ // a comment: "ui": {}\n "ui": { "color": true },\n "context": {}, "ui": { "color": false } }',
      [`${HOME}:3:17: this name is there twice, and only the last one counts. Remove one of the two.`],
    ],
    [
      'equal names in two objects, and a colon in a string',
      '{ "prompt": { "append": "a: \\"enabled\\": x" }, "tools": { "builtin": { "read_file": { "enabled": true }, "run_shell": { "enabled": true } } } }',
      [],
    ],
    ['a $schema in a section', { llm: { $schema: 'x' } }, [`${HOME}:1:9: unknown key "llm.$schema" is ignored.`]],
  ];
  it.each(rows)('are complete for %s', async (_name, content, warnings) => {
    const loaded = await load({ [HOME]: content });
    expect(loaded.warnings).toEqual(warnings);
    expect(loaded.config.llm.model).toBeUndefined();
  });

  it('name the keys of prototypes, which a file cannot change', async () => {
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

  const trusted = async () => ASSUMED_TRUST;
  const PLAY = { models: { profiles: [{ name: 'work' }, { name: 'play', model: 'p' }], active: 'work' } };
  const waiting: readonly (readonly [key: string, content: object, value: unknown])[] = [
    ['llm.model', { llm: { model: 'x' } }, 'x'],
    ['models.active', { models: { active: 'play' } }, 'play'],
    ['git.context', { git: { context: false } }, false],
    ['git.recent_commits', { git: { recent_commits: 20 } }, 20],
    ['git.auto_commit', { git: { auto_commit: true } }, true],
    ['git.commit_message_prefix', { git: { commit_message_prefix: 'x' } }, 'x'],
    [
      'tools.search_paths',
      { tools: { search_paths: ['./scripts', 'a/..b'] } },
      ['~/.config/ybs/tools', '~/.ybs/tools', './tools', './scripts', 'a/..b'],
    ],
  ];
  it.each(waiting)('sets %s only when the project is trusted', async (key, content, value) => {
    const files = { [HOME]: PLAY, [PROJECT]: content };
    const before = await load(files);
    expect(before.waiting).toEqual([{ name: key, source: PROJECT }]);
    expect(before.warnings).toEqual([]);
    expect(before.config).toEqual((await load({ [HOME]: PLAY })).config);
    const after = await load(files, { judgeProject: trusted });
    expect(after.waiting).toEqual([]);
    expect(configValues(after, key)).toMatchObject([{ name: key, value, origin: expect.stringContaining(PROJECT) }]);
  });

  it.each(refused)('may not set %s even if it is trusted', async (key, content, reason) => {
    const { config, warnings } = await load({ [PROJECT]: content }, { judgeProject: trusted });
    expect(warnings).toEqual(ignored(key, reason));
    expect(config).toEqual((await load({})).config);
  });

  it.each(['/bin', '~/bin', '~', '../bin', 'a/../../bin', 'a\\..\\..\\b', '\\bin', 'C:bin'])(
    'may not name %s as a directory of tools',
    async (path) => {
      const content = { tools: { search_paths: ['./scripts', path] } };
      const { config, warnings } = await load({ [PROJECT]: content }, { judgeProject: trusted });
      expect(warnings).toEqual(
        ignored(
          'tools.search_paths',
          'a project file may only add directories of the project, as relative paths without ..',
        ),
      );
      expect(config).toEqual((await load({})).config);
    },
  );

  it('has its tools listed separately from those of the user', async () => {
    const external = [{ name: 'deploy', path: './deploy' }];
    for (const judgeProject of [undefined, trusted]) {
      const { config, projectTools } = await load(
        { [PROJECT]: { tools: { external } } },
        judgeProject === undefined ? {} : { judgeProject },
      );
      expect(projectTools).toMatchObject(external);
      expect(config.tools.external).toEqual([]);
    }
  });

  it('is checked with its tools, its directories and those of the user', async () => {
    const seen: ProjectSettings[] = [];
    const judgeProject = async (settings: ProjectSettings) => {
      seen.push(settings);
      return ASSUMED_TRUST;
    };
    const project = { tools: { search_paths: ['./own'], external: [{ name: 'x', path: './x' }] } };
    await load({}, { judgeProject });
    await load({ [HOME]: { tools: { search_paths: ['~/mine'] } }, [PROJECT]: project }, { judgeProject });
    const defaults = ['~/.config/ybs/tools', '~/.ybs/tools', './tools'];
    expect(seen).toEqual([
      { hasConfiguration: false, searchPaths: defaults, programs: [] },
      { hasConfiguration: true, searchPaths: ['~/mine', './own'], programs: ['./x'] },
    ]);
  });

  it('may not turn on a tool that is off', async () => {
    const tool = (enabled: boolean) => ({ tools: { builtin: { run_shell: { enabled } } } });
    const { config, warnings } = await load({ [HOME]: tool(false), [PROJECT]: tool(true) });
    expect(config.tools.builtin['run_shell']).toMatchObject({ enabled: false });
    expect(warnings).toEqual(ignored('tools.builtin.run_shell.enabled', 'a project file may only turn it off'));
  });

  it('may make the session stricter and change the appearance', async () => {
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
    expect(config.tools.builtin['run_shell']).toMatchObject({ enabled: false });
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

  it.each([
    [HOME, {}],
    [PROJECT, { judgeProject: trusted }],
  ])('has one line for each problem: %s', async (file, changed) => {
    const text =
      '{\n  "ui": { "color": "yes", "colour": 1 },\n  "safety": { "permission_mode": "yolo" },\n  "llm": 7\n}';
    expect((await problemOf({ [file]: text }, changed)).split('\n')).toEqual([
      `${file}:2:11: ui.color must be true or false, but is "yes".`,
      `${file}:3:15: safety.permission_mode must be one of ask, accept-edits, plan, read-only, full-access, but is "yolo".`,
      `${file}:4:3: llm must be an object, but is 7.`,
      ...(file === PROJECT ? [COUNTS] : []),
    ]);
  });

  const ignoredNow = 'It is ignored, because the project is not trusted.';
  const wrong = '{"ui": {"color": 1}, "agent": {"max_iterations": 3}}';
  it.each<readonly [string, string, number, string]>([
    ['broken JSON', '{', 25, ':1:2: invalid JSON: the closing } is missing. Correct it or remove the file.'],
    ['a value of a wrong type', wrong, 3, ':1:9: ui.color must be true or false, but is 1.'],
    ['a number instead of an object', '7', 25, ':1:1: the file must be an object, but is 7.'],
    [
      '300 KB',
      ' '.repeat(300_000),
      25,
      ': the file has 300000 bytes, more than the maximum of 262144. Check the path.',
    ],
  ])('causes a warning with %s, and an error once it is trusted', async (_name, content, iterations, problem) => {
    const { config, warnings } = await load({ [PROJECT]: content });
    expect(warnings).toEqual([`${PROJECT}${problem} ${ignoredNow}`]);
    expect(config.agent.max_iterations).toBe(iterations);
    const { projectProblem } = await load({ [PROJECT]: content });
    expect(projectProblem).toBe(`${PROJECT}${problem}`);
    expect(await problemOf({ [PROJECT]: content }, { judgeProject: trusted })).toBe(`${PROJECT}${problem}\n${COUNTS}`);
  });

  it('with many problems causes ten warnings and one with the number of the others', async () => {
    const names = Array.from({ length: 14 }, (_, index) => [`x${index}`, 1]);
    const { warnings } = await load({ [PROJECT]: Object.fromEntries(names) });
    expect(warnings).toHaveLength(11);
    expect(warnings.at(-1)).toBe(`${PROJECT}: 4 more problems.`);
    expect((await load({ [PROJECT]: Object.fromEntries(names.slice(4)) })).warnings).toHaveLength(10);
    expect((await load({ [HOME]: Object.fromEntries(names) })).warnings).toHaveLength(14);
  });

  it('in another format causes a warning, like such a file of the user', async () => {
    const files = { '/home/me/.config/ybs/config.yaml': 'llm:', [PROJECT.replace('json', 'toml')]: '' };
    const note = 'is ignored: ybs reads only .json, which may have comments.';
    expect((await load(files)).warnings).toEqual(Object.keys(files).map((file) => `${file} ${note}`));
  });

  it('at a place where other programs have theirs causes a warning with the right place', async () => {
    const project = PROJECT.replace('.ybs.json', '.ybs/config.json');
    const files = { [project]: '{}', '/home/me/.ybs/settings.json': '{}' };
    expect((await load(files)).warnings.toSorted()).toEqual([
      '/home/me/.ybs/settings.json is ignored: ybs reads /home/me/.config/ybs/config.json.',
      `${project} is ignored: the file of a project is ${PROJECT}.`,
    ]);
    const inHome = { workspace: '/home/me' };
    expect((await load({ '/home/me/.ybs/config.json': '{}' }, inHome)).warnings).toEqual([
      '/home/me/.ybs/config.json is ignored: ybs reads /home/me/.config/ybs/config.json.',
    ]);
  });

  it('does not hide an error that is a bug', async () => {
    const { fileSystem } = createMemoryFileSystem({});
    const readFile: typeof fileSystem.readFile = (file, max) =>
      file === PROJECT ? Promise.reject(new RangeError('a bug')) : fileSystem.readFile(file, max);
    await expect(loadConfig({ ...fileSystem, realPath: async (file) => file, readFile }, sources)).rejects.toThrow(
      'a bug',
    );
  });

  it('causes a warning about an API key, which does not contain it', async () => {
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

describe('the permission levels', () => {
  const levels = (permissions: object) => ({ safety: { permissions } });

  it('are merged tool by tool, even for tools that ybs does not have', async () => {
    const { config, warnings } = await load({
      [USER]: levels({ run_shell: 'denied', web_search: 'ask_always' }),
      [HOME]: levels({ run_shell: 'automatic' }),
    });
    expect(config.safety.permissions).toEqual({ run_shell: 'automatic', web_search: 'ask_always' });
    expect(warnings).toEqual([]);
  });

  it('are read as ask_always if they are unknown', async () => {
    const { config, warnings } = await load({ [HOME]: levels({ run_shell: 'ask_allways' }) });
    expect(config.safety.permissions).toEqual({ run_shell: 'ask_always' });
    expect(warnings).toEqual([
      `${HOME}:1:27: safety.permissions.run_shell has the unknown level "ask_allways", which is read as ask_always. Did you mean ask_always?`,
    ]);
    expect((await load({ [HOME]: levels({ run_shell: '?' }) })).warnings).toEqual([
      `${HOME}:1:27: safety.permissions.run_shell has the unknown level "?", which is read as ask_always.`,
    ]);
  });

  it('must be strings', async () => {
    expect(await problemOf({ [HOME]: levels({ run_shell: 1 }) })).toBe(
      `${HOME}:1:27: safety.permissions.run_shell must be one of automatic, ask_once, ask_always, denied, but is 1.`,
    );
    expect((await load({ [HOME]: levels({ 'run shell': 'denied', __proto__: 'denied' }) })).warnings).toEqual([
      `${HOME}:1:27: unknown key "safety.permissions.run shell" is ignored. Did you mean safety.permissions? ybs config safety.permissions shows what is used.`,
    ]);
  });

  it.each([
    [undefined, 'automatic', undefined],
    [undefined, 'ask_once', 'ask_once'],
    [undefined, 'denied', 'denied'],
    ['automatic', 'automatic', 'automatic'],
    ['automatic', 'ask_once', 'ask_once'],
    ['ask_always', 'ask_once', 'ask_always'],
    ['ask_always', 'denied', 'denied'],
    ['denied', 'automatic', 'denied'],
    ['ask_always', 'yolo', 'ask_always'],
  ])('become, with %s of the user and %s of the project, %s', async (own, wanted, level) => {
    const { config, warnings } = await load({
      [HOME]: levels(own === undefined ? {} : { run_shell: own }),
      [PROJECT]: levels({ run_shell: wanted }),
    });
    expect(config.safety.permissions['run_shell']).toBe(level);
    const isIgnored = level !== wanted && wanted !== 'yolo';
    expect(warnings.filter((text) => text.includes('a project file may only make it stricter'))).toHaveLength(
      isIgnored ? 1 : 0,
    );
  });
});

describe('a project file', () => {
  it('may add tools that need confirmation and take tools away', async () => {
    const { config, warnings } = await load({
      [HOME]: { safety: { require_confirmation: ['run_shell'] } },
      [PROJECT]: {
        safety: { require_confirmation: ['write_file'], sandbox_enabled: false },
        tools: { enabled: false, builtin: { read_file: { timeout_seconds: 10 }, run_shell: { timeout_seconds: 600 } } },
        ui: { show_tool_calls: false },
      },
    });
    expect(config.safety).toMatchObject({ require_confirmation: ['run_shell', 'write_file'], sandbox_enabled: true });
    expect(config.tools).toMatchObject({
      enabled: false,
      builtin: { read_file: { timeout_seconds: 10 }, run_shell: { timeout_seconds: 60 } },
    });
    expect(config.ui.show_tool_calls).toBe(true);
    expect(warnings).toHaveLength(3);
  });
});

describe('the position of a problem', () => {
  it.each<[string, string, string]>([
    ['a value', '{\n  "llm": {\n    "max_tokens": "x"\n  }\n}', ':3:5: llm.max_tokens must be'],
    ['the last of two equal keys', '{\n  "version": "1.0",\n  "version": "2"\n}', ':3:3: version must be'],
    ['an element', '{"models": {"profiles": [\n  {"name": "a"},\n  {"nam": "b"}\n]}}', ':3:3: models.profiles[1]'],
    ['a value after a comment', '{\n  // why\n  "ui": {"color": 1}\n}', ':3:10: ui.color must be true or false'],
  ])('is that of %s', async (_name, text, problem) => {
    expect(await problemOf({ [HOME]: text })).toContain(`${HOME}${problem}`);
  });

  it('is that of each unknown key', async () => {
    const { warnings, config } = await load({
      [HOME]: '{\n  "uii": {},\n  "ui": { "colour": true, "color": false } /* no */\n}',
    });
    expect(warnings).toEqual([
      `${HOME}:2:3: unknown key "uii" is ignored. Did you mean ui? ybs config ui shows what is used.`,
      `${HOME}:3:11: unknown key "ui.colour" is ignored. Did you mean ui.color? ybs config ui.color shows what is used.`,
    ]);
    expect(config.ui.color).toBe(false);
  });

  it('is missing in JSON with too many levels', async () => {
    const deep = '['.repeat(50_000);
    expect(await problemOf({ [HOME]: `{"ui": {"color": ${deep}${']'.repeat(50_000)}}}` })).toBe(
      `${HOME}: ui.color must be true or false, but is a list.`,
    );
    expect(await problemOf({ [HOME]: deep })).toBe(
      `${HOME}: invalid JSON with too many levels. Correct it or remove the file.`,
    );
  });
});

describe('the origin of a value', () => {
  const origins = async (files: Files, changed: Partial<ConfigSources> = {}) =>
    Object.fromEntries([...(await load(files, changed)).origins].filter(([, origin]) => origin !== 'default'));

  it('is the default for every key of the schema without a file', async () => {
    const { origins: all } = await load({});
    expect(new Set(all.values())).toEqual(new Set(['default']));
    expect(all.size).toBeGreaterThan(30);
  });

  it('is the file that takes precedence, or the command line', async () => {
    expect(
      await origins(
        {
          [USER]: { ui: { color: false }, agent: { max_iterations: 9 }, safety: { permissions: { x: 'denied' } } },
          [HOME]: { agent: { max_iterations: 8 }, safety: { blocked_commands: ['a'] } },
          [PROJECT]: { agent: { max_iterations: 99 }, safety: { blocked_commands: ['b'] }, ui: { color: true } },
        },
        { overrides: { 'safety.permission_mode': 'read-only' } },
      ),
    ).toEqual({
      'agent.max_iterations': HOME,
      'safety.blocked_commands': `${HOME} and ${PROJECT}`,
      'safety.permission_mode': 'command line',
      'safety.permissions.x': USER,
      'ui.color': PROJECT,
    });
  });

  it('is the chosen profile, only for the keys that it sets', async () => {
    const profiles = [{ name: 'a', provider: 'ollama', model: 'm' }];
    expect(await origins({ [HOME]: { models: { profiles }, llm: { max_tokens: 5 } } })).toEqual({
      'llm.max_tokens': HOME,
      'llm.model': `${HOME}, profile a`,
      'llm.provider': `${HOME}, profile a`,
      'models.active': HOME,
      'models.profiles': HOME,
    });
  });

  it('is the variable of the environment', async () => {
    const environment = { LLM_BASE_URL: 'http://127.0.0.1:1', LLM_AUTH_TOKEN: 'secret', LLM_DEFAULT_MODEL: 'm' };
    expect(await origins({}, { variables: modelVariables(environment) })).toEqual({
      'llm.api_key_variable': 'environment variable LLM_AUTH_TOKEN',
      'llm.endpoint': 'environment variable LLM_BASE_URL',
      'llm.model': 'environment variable LLM_DEFAULT_MODEL',
      'llm.provider': 'environment variable LLM_BASE_URL',
    });
  });

  it('is the default again for a value that another provider drops', async () => {
    const files = { [HOME]: { llm: { provider: 'lmstudio', model: 'm' } } };
    expect(await origins(files, { overrides: { 'llm.provider': 'openai' } })).toEqual({
      'llm.provider': 'command line',
    });
  });
});
