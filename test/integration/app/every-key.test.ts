import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../src/agent/errors.ts';
import { runChat } from '../../../src/cli/run-chat.ts';
import { TOOL_NAMES } from '../../../src/tools/tools.ts';
import { keysFor } from '../../support/agent/config-keys.ts';
import { configuredRun, MODEL, type ObservedRun, type RunScript } from '../../support/agent/configured-run.ts';
import type { ScriptedAnswer } from '../../support/fakes/scripted-model.ts';
import { LOCAL_ANSWERS, localFetch } from '../../support/wires/local-servers.ts';

/**
 * Proof that a key changes behaviour: `observe` must differ for the two values. It looks at the result of the key – a
 * request, the screen, a file, an outcome – and never at the configuration itself.
 */
interface KeyRow {
  /** The name of the key. `TOOL` stands for each built-in tool. */
  readonly key: string;
  readonly values: readonly [unknown, unknown];
  /** The rest of the configuration; by default the connection `MODEL`. */
  readonly config?: object;
  readonly script?: RunScript;
  readonly observe: (run: ObservedRun, tool: string) => unknown;
}

const body = (run: ObservedRun): unknown => run.requests[0]?.body;
const url = (run: ObservedRun): unknown => run.requests[0]?.url;
const screen = (run: ObservedRun): unknown => run.screen;
const count = (run: ObservedRun): unknown => run.requests.length;
const toolNames = (run: ObservedRun): unknown => JSON.stringify(run.requests[0]?.body['tools']);
/** The messages of the last request: the knowledge of the model at the end. */
const messages = (run: ObservedRun): unknown => run.requests.at(-1)?.body['messages'];

/** The system prompt. */
const system = (run: ObservedRun): unknown =>
  JSON.stringify(run.requests[0]?.body['messages']).split('"role":"user"')[0];
/** A project with everything that the system prompt describes. */
const PROJECT: RunScript = {
  options: { trusted: true },
  files: {
    '/work/AGENTS.md': 'Use tabs.',
    '/work/go.mod': '',
    '/work/src/main.go': '',
    '/work/.git/config': '',
    '/home/ada/rules.md': 'Be brief.',
  },
  async runGit({ args }) {
    const commits = args.find((argument) => argument.startsWith('--max-count='))?.slice('--max-count='.length);
    const log = Array.from({ length: Number(commits) }, (_, index) => `${index}\t2026-01-31\tCommit ${index}\0`).join(
      '',
    );
    const stdout = commits === undefined ? '# branch.head main\0' : log;
    return { type: 'ended', exitCode: 0, stdout, stderr: '' };
  },
};

const call = (name: string, args: object): ScriptedAnswer => ({
  calls: [{ id: 'call_1', name, arguments: JSON.stringify(args) }],
});
const DONE: ScriptedAnswer = { text: 'Done.' };
const WRITE: RunScript = { answers: [call('write_file', { path: 'a.txt', content: 'a' }), DONE] };
const NO_RETRY = { agent: { retry_attempts: 0 } };
const FAILURE: RunScript = {
  config: { llm: MODEL },
  answers: [{ end: new ModelError('overloaded', 'Busy.') }],
  timePasses: true,
};
const OLD_SESSION = { '/home/ada/.config/ybs/sessions/session-20260901-120000-0001.jsonl': '' };

/** Calls that use the path `slow`. */
const SLOW_CALLS: readonly (readonly [tool: string, args: object])[] = [
  ['read_file', { path: 'slow' }],
  ['write_file', { path: 'slow', content: 'a' }],
  ['edit_file', { path: 'slow', old_text: 'a', new_text: 'b' }],
  ['list_files', { path: 'slow', pattern: '*' }],
  ['search_files', { path: 'slow', pattern: 'a' }],
];

const ROWS: readonly KeyRow[] = [
  { key: 'version', values: ['1.0', '2.0'], observe: ({ outcome }) => outcome },
  { key: 'llm.provider', values: ['ollama', 'lmstudio'], config: { llm: { model: 'm' }, ...NO_RETRY }, observe: url },
  { key: 'llm.api_kind', values: ['openai', 'openai-responses'], config: { llm: MODEL, ...NO_RETRY }, observe: url },
  { key: 'llm.model', values: ['a', 'b'], observe: body },
  {
    key: 'llm.small_model',
    values: ['a', 'b'],
    script: {
      run: async (wiring, _user, options) => {
        const { agent, close } = await wiring.openSession(await wiring.loadSettings(options), {
          decide: () => Promise.reject(new Error('not asked')),
        });
        for (const text of ['first', 'x'.repeat(5_000), 'third'])
          for await (const _ of agent.run(text, new AbortController().signal));
        for await (const _ of agent.compact(new AbortController().signal));
        await close();
      },
    },
    observe: ({ requests }) => requests.map(({ body: { model } }) => model),
  },
  { key: 'llm.endpoint', values: ['http://127.0.0.1:1/v1', 'http://127.0.0.1:2/v1'], observe: url },
  {
    key: 'llm.api_key_variable',
    values: ['ONE_KEY', 'OTHER_KEY'],
    script: { environment: { ONE_KEY: 'one', OTHER_KEY: 'other' } },
    observe: ({ requests }) => requests[0]?.headers['authorization'],
  },
  {
    key: 'llm.headers',
    values: [{ 'x-team': 'blue' }, { 'x-team': 'red' }],
    observe: ({ requests }) => requests[0]?.headers['x-team'],
  },
  { key: 'llm.ca_file', values: ['~/one.pem', '~/other.pem'], observe: ({ connections }) => connections },
  { key: 'llm.api_key', values: [null, 'sk-1'], observe: ({ outcome }) => outcome },
  { key: 'llm.tool_protocol', values: ['native', 'xnl'], observe: toolNames },
  { key: 'tools.dialect', values: ['ybs', 'claude'], observe: toolNames },
  { key: 'llm.temperature', values: [0, 1], observe: body },
  { key: 'llm.max_tokens', values: [100, 200], observe: body },
  { key: 'llm.reasoning_effort', values: ['low', 'high'], observe: body },
  {
    key: 'llm.timeout_seconds',
    values: [20, 30],
    config: { llm: MODEL, ...NO_RETRY },
    script: { answers: [{ end: 'stall' }], timePasses: true },
    observe: screen,
  },
  {
    key: 'models.active',
    values: ['one', 'other'],
    config: { models: { profiles: ['one', 'other'].map((name) => ({ ...MODEL, name, model: name })) } },
    observe: body,
  },
  {
    key: 'models.profiles',
    values: [[{ ...MODEL, name: 'one', model: 'one' }], [{ ...MODEL, name: 'other', model: 'other' }]],
    config: {},
    observe: body,
  },
  {
    key: 'models.prices',
    values: [{ m: { input: 1, output: 1 } }, { m: { input: 2, output: 1 } }],
    script: {
      typed: ['go', '/cost'],
      answers: [{ text: 'Done.', usage: { inputTokens: 1_000_000, outputTokens: 1 } }],
      run: (wiring, user, options) => runChat(options, wiring, user, async () => []),
    },
    observe: screen,
  },
  {
    key: 'models.discovery',
    values: [true, false],
    config: {},
    script: {
      typed: ['1'],
      fetch: localFetch({ 'GET http://127.0.0.1:8000/v1/models': LOCAL_ANSWERS.vllmModels }).fetch,
    },
    observe: screen,
  },
  { key: 'context.max_tokens', values: [8_000, 32_000], observe: screen },
  {
    key: 'context.compaction_threshold',
    values: [0.1, 0.9],
    script: { prompt: 'x'.repeat(20_000), answers: [call('list_files', { pattern: '*' }), DONE] },
    observe: screen,
  },
  {
    key: 'context.max_tool_output_chars',
    values: [1_000, 10_000],
    config: { llm: MODEL, safety: { permission_mode: 'full-access' } },
    script: {
      answers: [call('run_shell', { command: 'seq 2000' }), DONE],
      commands: [{ command: 'seq 2000', steps: [{ stdout: 'line\n'.repeat(2_000) }] }],
    },
    observe: messages,
  },
  { key: 'context.instructions', values: [true, false], script: PROJECT, observe: system },
  { key: 'context.project_type', values: [true, false], script: PROJECT, observe: system },
  { key: 'context.file_tree', values: [true, false], script: PROJECT, observe: system },
  { key: 'context.repo_map_tokens', values: [5, 500], script: PROJECT, observe: system },
  { key: 'context.exclude_patterns', values: [[], ['*.go']], script: PROJECT, observe: system },
  { key: 'git.context', values: [true, false], script: PROJECT, observe: system },
  { key: 'git.recent_commits', values: [1, 2], script: PROJECT, observe: system },
  { key: 'prompt.system_file', values: [undefined, '~/rules.md'], script: PROJECT, observe: system },
  { key: 'prompt.append', values: ['One.', 'Two.'], observe: system },
  { key: 'tools.builtin.TOOL.description', values: ['One.', 'Two.'], observe: toolNames },
  {
    key: 'agent.max_iterations',
    values: [1, 2],
    script: { answers: [call('list_files', { pattern: '*' }), call('list_files', { pattern: '*.md' })] },
    observe: count,
  },
  { key: 'agent.retry_attempts', values: [0, 2], script: FAILURE, observe: count },
  { key: 'agent.retry_backoff_base_ms', values: [1_000, 5_000], script: FAILURE, observe: screen },
  { key: 'safety.permission_mode', values: ['read-only', 'accept-edits'], script: WRITE, observe: screen },
  {
    key: 'safety.permissions.NAME',
    values: ['automatic', 'denied'],
    script: WRITE,
    observe: screen,
  },
  {
    key: 'safety.require_confirmation',
    values: [['delete_file'], ['write_file']],
    config: { llm: MODEL, safety: { permission_mode: 'accept-edits' } },
    script: WRITE,
    observe: screen,
  },
  {
    key: 'safety.approval_timeout_seconds',
    values: [60, 90],
    script: { ...WRITE, typed: ['wait'], timePasses: true },
    observe: screen,
  },
  {
    key: 'safety.persist_approvals',
    values: [false, true],
    script: { ...WRITE, typed: ['w'] },
    observe: (run) => run.listFiles('/home/ada/.config/ybs'),
  },
  {
    key: 'safety.sandbox_enabled',
    values: [true, false],
    script: {
      sandbox: { type: 'on', program: 'bubblewrap' },
      typed: [],
      run: (wiring, user, options) => runChat(options, wiring, user, async () => []),
    },
    observe: screen,
  },
  {
    key: 'safety.environment',
    values: [[], ['NODE_OPTIONS']],
    script: { environment: { NODE_OPTIONS: '--no-warnings' } },
    observe: ({ commandEnvironments }) => commandEnvironments[0],
  },
  {
    key: 'safety.sandbox_home',
    values: ['read-only', 'hidden'],
    script: { sandbox: { type: 'on', program: 'bubblewrap' } },
    observe: ({ sandboxRules }) => sandboxRules[0]?.home,
  },
  {
    key: 'safety.sandbox_readable_paths',
    values: [[], ['~/shared']],
    script: { sandbox: { type: 'on', program: 'bubblewrap' } },
    observe: ({ sandboxRules }) => sandboxRules[0]?.readablePaths,
  },
  {
    key: 'safety.sandbox_local_sockets',
    values: [false, true],
    script: { sandbox: { type: 'on', program: 'bubblewrap' } },
    observe: ({ sandboxRules }) => sandboxRules[0]?.localSockets,
  },
  {
    key: 'safety.sandbox_hosts',
    values: [[], ['*.example.org']],
    script: { sandbox: { type: 'on', program: 'bubblewrap' } },
    observe: ({ sandboxRules }) => sandboxRules[0]?.hosts,
  },
  {
    key: 'safety.sandbox_allowed_paths',
    values: [['./'], ['/data']],
    script: { files: { '/data/a.txt': 'outside' }, answers: [call('read_file', { path: '/data/a.txt' }), DONE] },
    observe: messages,
  },
  {
    key: 'safety.sandbox_blocked_paths',
    values: [[], ['./README.md']],
    script: { answers: [call('read_file', { path: 'README.md' }), DONE] },
    observe: messages,
  },
  {
    key: 'safety.allowed_commands',
    values: [[], ['git push']],
    script: { answers: [call('run_shell', { command: 'git push' }), DONE], commands: [{ command: 'git push' }] },
    observe: messages,
  },
  {
    key: 'safety.allow_unlisted_commands',
    values: [true, false],
    config: { llm: MODEL, safety: { permission_mode: 'full-access' } },
    script: { answers: [call('run_shell', { command: 'git push' }), DONE], commands: [{ command: 'git push' }] },
    observe: messages,
  },
  {
    key: 'safety.restrict_to_project_directory',
    values: [true, false],
    config: { llm: MODEL, safety: { permission_mode: 'full-access' } },
    script: { files: { '/data/x': '' }, answers: [call('write_file', { path: '/data/a.txt', content: 'a' }), DONE] },
    observe: (run) => run.listFiles('/data'),
  },
  {
    key: 'safety.require_approval_outside_project',
    values: [true, false],
    script: { files: { '/data/a.txt': 'outside' }, answers: [call('read_file', { path: '/data/a.txt' }), DONE] },
    observe: messages,
  },
  {
    key: 'safety.blocked_commands',
    values: [[], ['git push']],
    config: { llm: MODEL, safety: { permission_mode: 'full-access' } },
    script: { answers: [call('run_shell', { command: 'git push' }), DONE], commands: [{ command: 'git push' }] },
    observe: messages,
  },
  {
    key: 'safety.replace_blocked_commands',
    values: [true, false],
    config: { llm: MODEL, safety: { permission_mode: 'full-access', blocked_commands: ['git push'] } },
    script: { answers: [call('run_shell', { command: 'sudo ls' }), DONE], commands: [{ command: 'sudo ls' }] },
    observe: messages,
  },
  {
    key: 'session.storage_path',
    values: ['/data/sessions', '~/.config/ybs/sessions'],
    observe: ({ listFiles }) => listFiles('/data'),
  },
  {
    key: 'session.auto_save',
    values: [true, false],
    observe: ({ listFiles }) => listFiles('/home/ada/.config/ybs').length,
  },
  {
    key: 'session.max_sessions',
    values: [0, 1],
    config: { llm: MODEL, session: { retention_days: 0 } },
    script: { files: { ...OLD_SESSION, '/home/ada/.config/ybs/sessions/session-20260902-120000-0002.jsonl': '' } },
    observe: ({ warnings }) => warnings,
  },
  {
    key: 'session.retention_days',
    values: [0, 7],
    script: { files: OLD_SESSION },
    observe: ({ warnings }) => warnings,
  },
  { key: 'tools.enabled', values: [true, false], observe: body },
  {
    key: 'tools.builtin.run_shell.timeout_seconds',
    values: [10, 20],
    config: { llm: MODEL, safety: { permission_mode: 'full-access' } },
    script: { answers: [call('run_shell', { command: 'ls' }), DONE], commands: [{ command: 'ls' }] },
    observe: ({ commandTimes }) => commandTimes,
  },
  ...SLOW_CALLS.map(
    ([tool, args]): KeyRow => ({
      key: `tools.builtin.${tool}.timeout_seconds`,
      values: [10, 600],
      script: { answers: [call(tool, args), DONE], slowPath: '/work/slow', timePasses: true },
      observe: messages,
    }),
  ),
  {
    key: 'tools.builtin.TOOL.enabled',
    values: [true, false],
    observe: (run, tool) => JSON.stringify(run.requests[0]?.body['tools']).includes(`"${tool}"`),
  },
  {
    key: 'tools.external',
    values: [
      [{ name: 'one', path: '~/bin/search', description: 'Search.', parameters: {} }],
      [{ name: 'other', path: '~/bin/search', description: 'Search.', parameters: {} }],
    ],
    script: { programs: { '/home/ada/bin/search': '' } },
    observe: toolNames,
  },
  { key: 'mcp.servers', values: [{}, { notes: { command: 'notes' } }], observe: toolNames },
  {
    key: 'tools.search_paths',
    values: [['~/one'], ['~/other']],
    script: {
      programs: { '/home/ada/one/a': '', '/home/ada/other/b': '' },
      files: {
        '/home/ada/one/a.tool.json': '{"description": "Do a."}',
        '/home/ada/other/b.tool.json': '{"description": "Do b."}',
      },
    },
    observe: toolNames,
  },
  {
    key: 'git.auto_commit',
    values: [true, false],
    config: { llm: MODEL, safety: { permission_mode: 'full-access' } },
    script: { ...WRITE, options: { trusted: true } },
    observe: ({ gitCommands }) => gitCommands,
  },
  {
    key: 'git.commit_message_prefix',
    values: ['[ybs]', 'agent:'],
    config: { llm: MODEL, safety: { permission_mode: 'full-access' }, git: { auto_commit: true } },
    script: { ...WRITE, options: { trusted: true } },
    observe: ({ gitCommands }) => gitCommands.find((command) => command.startsWith('commit-tree')),
  },
  {
    key: 'ui.color',
    values: [true, false],
    script: { answers: [call('list_files', { pattern: '*' }), DONE] },
    observe: screen,
  },
  { key: 'ui.show_tool_calls', values: [true, false], script: WRITE, observe: screen },
  {
    key: 'ui.show_command_preview',
    values: [true, false],
    config: { llm: MODEL, safety: { permission_mode: 'full-access' } },
    script: { answers: [call('run_shell', { command: 'git push' }), DONE], commands: [{ command: 'git push' }] },
    observe: screen,
  },
  {
    key: 'ui.stream_responses',
    values: [true, false],
    script: { answers: [{ text: ['One', ' and', ' two.'] }] },
    observe: ({ written }) => written,
  },
  {
    key: 'ui.enter_during_run',
    values: ['steer', 'queue'],
    script: {
      typed: ['go'],
      answers: [DONE],
      run: (wiring, user, options) => runChat(options, wiring, user, async () => []),
    },
    observe: ({ enter }) => enter,
  },
  {
    key: 'ui.bell_seconds',
    values: [5, 0],
    script: { typed: [], run: (wiring, user, options) => runChat(options, wiring, user, async () => []) },
    observe: ({ bell }) => bell?.afterMs,
  },
  {
    key: 'ui.bell',
    values: ['bell', 'notification'],
    script: { typed: [], run: (wiring, user, options) => runChat(options, wiring, user, async () => []) },
    observe: ({ bell }) => bell,
  },
  {
    key: 'ui.show_token_usage',
    values: [true, false],
    script: { answers: [{ text: 'Done.', usage: { inputTokens: 10, outputTokens: 2 } }] },
    observe: screen,
  },
];

/** The name of an entry, in place of NAME. */
const ENTRY = 'write_file';

const CASES = ROWS.flatMap((row) =>
  row.key.includes('TOOL')
    ? TOOL_NAMES.map((tool) => ({ ...row, key: row.key.replace('TOOL', tool), tool }))
    : [{ ...row, tool: '' }],
);

/** `config` with the key of a row. */
function withKey(config: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  const inner: unknown = Object.entries(config).find(([key]) => key === name)?.[1];
  const object = typeof inner === 'object' && inner !== null ? inner : {};
  return { ...config, [name]: rest.length === 0 ? value : withKey(object, rest, value) };
}

describe('every key of the configuration', () => {
  it('has a row in this table', () => {
    expect(CASES.map(({ key }) => key).toSorted()).toEqual([...keysFor(TOOL_NAMES).byName.keys()].toSorted());
  });

  it('is observed in runs without other differences', async () => {
    const [one, other] = await Promise.all([configuredRun(FAILURE), configuredRun(FAILURE)]);
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });

  it.each(CASES)('changes behaviour: $key', async ({ key, values, config = { llm: MODEL }, script, observe, tool }) => {
    const [one, other] = await Promise.all(
      values.map(async (value) => {
        const run = await configuredRun({
          ...script,
          config: withKey(config, key.replace('NAME', ENTRY).split('.'), value),
        });
        return observe(run, tool);
      }),
    );
    expect(one).toBeDefined();
    expect(one).not.toEqual(other);
  });
});
