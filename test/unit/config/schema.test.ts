import { describe, expect, it } from 'vitest';
import { keysFor } from '../../support/agent/config-keys.ts';

const { byName, sections, loadSchema } = keysFor(['run_shell']);
const schema = await loadSchema();

describe('the configuration schema', () => {
  it('has a default for every required key', () => {
    expect(schema.parse({})).toEqual({
      version: '1.0',
      llm: { provider: 'ollama', headers: {}, max_tokens: 4096, tool_protocol: 'native' },
      models: { profiles: [], discovery: true, prices: {} },
      context: {
        max_tokens: 32_000,
        compaction_threshold: 0.95,
        max_tool_output_chars: 10_000,
        instructions: true,
        project_type: true,
        file_tree: true,
        repo_map_tokens: 1_024,
        exclude_patterns: ['node_modules', '.git', 'build', 'DerivedData'],
      },
      git: { context: true, recent_commits: 5, auto_commit: false, commit_message_prefix: '[ybs]' },
      prompt: {},
      agent: { max_iterations: 25, retry_attempts: 3, retry_backoff_base_ms: 1_000 },
      safety: {
        permission_mode: 'ask',
        permissions: {},
        require_confirmation: [],
        persist_approvals: false,
        sandbox_enabled: true,
        environment: [],
        sandbox_home: 'hidden',
        sandbox_readable_paths: [],
        sandbox_hosts: [],
        sandbox_local_sockets: false,
        sandbox_allowed_paths: ['./'],
        sandbox_blocked_paths: expect.arrayContaining(['~/.ssh', '~/.aws', '~/.gnupg', '~/.config']),
        approval_timeout_seconds: 300,
        allow_unlisted_commands: true,
        require_approval_outside_project: true,
        restrict_to_project_directory: true,
        allowed_commands: [],
        blocked_commands: ['rm -rf /', 'sudo', 'chmod 777'],
        replace_blocked_commands: false,
      },
      session: { storage_path: '~/.config/ybs/sessions', auto_save: true, max_sessions: 100, retention_days: 30 },
      tools: {
        dialect: 'ybs',
        search_paths: ['~/.config/ybs/tools', '~/.ybs/tools', './tools'],
        external: [],
        enabled: true,
        builtin: { run_shell: { enabled: true, timeout_seconds: 60 } },
      },
      mcp: { servers: {} },
      ui: {
        bell: 'bell',
        bell_seconds: 30,
        color: true,
        show_command_preview: true,
        show_token_usage: true,
        show_tool_calls: true,
        stream_responses: true,
        enter_during_run: 'steer',
      },
    });
  });

  it('describes every key and its type in words', () => {
    const keys = [...byName.values()];
    expect(keys.map(({ name }) => name)).toContain('tools.builtin.run_shell.enabled');
    for (const { description, type } of keys) {
      expect(description).toMatch(/\.$/);
      expect(type).not.toBe('');
    }
    expect(Object.fromEntries(keys.map(({ name, type }) => [name, type]))).toMatchObject({
      version: '"1.0"',
      'llm.provider': 'a string',
      'llm.api_key_variable': 'the name of an environment variable',
      'llm.temperature': 'a number from 0 to 2',
      'llm.timeout_seconds': 'an integer from 1 to 86400',
      'llm.headers': 'an object of strings',
      'llm.tool_protocol': 'one of native, xnl',
      'models.profiles': 'a list of profiles',
      'safety.permission_mode': 'one of ask, accept-edits, plan, read-only, full-access',
      'safety.blocked_commands': 'a list of commands',
      'ui.color': 'true or false',
    });
  });

  it('lets an untrusted project set only the version and the appearance', () => {
    const rules = Object.fromEntries([...byName.values()].map(({ name, project }) => [name, project]));
    const applied = Object.entries(rules).filter(([, rule]) => rule === 'applied');
    expect(applied.map(([name]) => name)).toEqual([
      'version',
      'ui.color',
      'ui.show_token_usage',
      'ui.stream_responses',
    ]);
    const llm = Object.entries(rules).filter(([name]) => name.startsWith('llm.'));
    expect(llm.flatMap(([name, rule]) => (rule === 'ignored' ? [] : [`${name} ${rule}`]))).toEqual([
      'llm.model trusted',
    ]);
  });

  it('lets only a trusted project change what runs', () => {
    const rules = [...byName.values()].flatMap(({ name, project }) =>
      ['trusted', 'inside', 'choose'].includes(project) ? [`${name} ${project}`] : [],
    );
    expect(rules).toEqual([
      'llm.model trusted',
      'models.active choose',
      'git.context trusted',
      'git.recent_commits trusted',
      'git.auto_commit trusted',
      'git.commit_message_prefix trusted',
      'tools.search_paths inside',
      'tools.external trusted',
    ]);
  });

  it('lets no project, trusted or not, change addresses of keys, permissions and storage', () => {
    const never = [
      ...['llm.provider', 'llm.endpoint', 'llm.api_key', 'llm.api_key_variable', 'llm.headers', 'llm.ca_file'],
      ...['models.profiles', 'safety.permission_mode', 'safety.sandbox_enabled', 'safety.sandbox_allowed_paths'],
      'safety.allowed_commands',
      'session.storage_path',
      'session.auto_save',
      'prompt.system_file',
      'prompt.append',
    ];
    for (const name of never) expect(byName.get(name), name).toMatchObject({ project: 'ignored' });
  });

  it('lets no project file decide whether and where sessions are stored', () => {
    const session = [...byName.values()].filter(({ name }) => name.startsWith('session.'));
    expect(session.map(({ project }) => project)).toEqual(['ignored', 'ignored', 'ignored', 'ignored']);
  });

  it.each([
    ['/data/sessions', true],
    ['~/sessions', true],
    ['C:\\Users\\ada', true],
    ['sessions', false],
    ['~ada/sessions', false],
    ['', false],
  ])('accepts %j as the directory of sessions: %s', (path, isTaken) => {
    expect(schema.safeParse({ session: { storage_path: path } }).success).toBe(isTaken);
  });

  it('lists its sections', () => {
    expect(sections).toContain('tools.builtin.run_shell');
    expect(sections).not.toContain('version');
  });
});
