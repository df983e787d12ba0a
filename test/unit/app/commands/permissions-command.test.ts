import { describe, expect, it } from 'vitest';
import { FileSystemError, messageOf } from '../../../../src/agent/errors.ts';
import { PERMISSION_LEVELS, PERMISSION_MODES, type PermissionRule } from '../../../../src/agent/ports/approver.ts';
import type { SandboxState } from '../../../../src/agent/ports/shell.ts';
import type { PlannedEffect, ToolDefinition } from '../../../../src/agent/ports/tool.ts';
import { EMPTY_SESSION } from '../../../../src/agent/session-state.ts';
import { PERMISSION_COMMANDS } from '../../../../src/app/commands/permissions-command.ts';
import { decide } from '../../../../src/policy/decide.ts';
import { parseBlockList } from '../../../../src/policy/shell/shell-policy.ts';
import { SessionPermissions } from '../../../../src/session/approvals/session-permissions.ts';
import { configOf } from '../../../support/agent/config-of.ts';
import { COMMAND_CONTEXT, commandText } from '../../../support/commands/command-text.ts';
import { createFakeAgent } from '../../../support/fakes/fake-agent.ts';

const TOOLS: readonly ToolDefinition[] = [
  { name: 'write_file', description: '', parameters: {}, effect: 'write' },
  { name: 'run_shell', description: '', parameters: {}, effect: 'execute' },
  { name: 'read_file', description: '', parameters: {}, effect: 'read' },
  { name: 'web_search', description: '', parameters: {}, effect: 'execute' },
];

/** The answer of a command to an agent with these settings of `safety`. */
async function answer(
  name: 'permissions' | 'approvals',
  argument: string,
  { safety = {}, tools = TOOLS, origins = {}, permissions: given, sandbox }: AgentFacts = {},
) {
  const configuration = { config: configOf({ safety }), origins: new Map(Object.entries(origins)) };
  const mode = configuration.config.safety.permission_mode;
  const permissions = given ?? new SessionPermissions({ state: EMPTY_SESSION }, mode, { note: async () => {} });
  const agent = { ...createFakeAgent([]), tools, configuration, permissions, sandbox };
  const command = PERMISSION_COMMANDS.find((each) => each.name === name);
  return commandText(command, agent, argument);
}

interface AgentFacts {
  readonly safety?: object;
  readonly tools?: readonly ToolDefinition[];
  readonly origins?: Readonly<Record<string, string>>;
  readonly permissions?: SessionPermissions;
  readonly sandbox?: SandboxState;
}

function createPermissions(...rules: readonly PermissionRule[]): SessionPermissions {
  return new SessionPermissions({ state: { ...EMPTY_SESSION, rules } }, 'ask', { note: async () => {} });
}

/** The text of `/permissions` with these settings of `safety`. */
async function permissions(safety: object, tools = TOOLS, origins: Readonly<Record<string, string>> = {}) {
  return (await answer('permissions', '', { safety, tools, origins })) ?? '';
}

describe('/mode', () => {
  it.each([
    ['', 'The permission mode is ask. Others: accept-edits, plan, read-only, full-access.', []],
    ['Plan', 'The permission mode is plan: the model only reads until you approve its plan.', ['mode plan']],
    [
      'full-acces',
      '/mode cannot be "full-acces". Did you mean full-access? Choose one of ask, accept-edits, plan, read-only, full-access.',
      [],
    ],
  ])('%s', async (argument, text, inputs) => {
    const agent = createFakeAgent([]);
    const command = PERMISSION_COMMANDS.find(({ name }) => name === 'mode');
    const result = await command?.run(async () => agent, argument, COMMAND_CONTEXT);
    expect(result).toEqual({ type: 'text', text, ...(argument.startsWith('full') && { isRefused: true }) });
    expect(agent.inputs).toEqual(inputs);
  });
});

describe('/permissions', () => {
  it.each<[SandboxState, string]>([
    [{ type: 'on', program: 'bubblewrap' }, 'sandbox: on (bubblewrap); commands have no network and write only here'],
    [{ type: 'off', reason: 'no bwrap' }, 'sandbox: OFF (no bwrap) - every command will ask'],
    [{ type: 'off', reason: '--no-sandbox', chosen: true }, 'sandbox: OFF (--no-sandbox)'],
  ])('ends with the state of the sandbox: %j', async (sandbox, line) => {
    expect((await answer('permissions', '', { sandbox }))?.split('\n').at(-1)).toBe(line);
  });

  it('shows the level of each tool and its source', async () => {
    const safety = {
      permissions: { web_search: 'ask_always', run_shell: 'automatic', run_shel: 'denied' },
      require_confirmation: ['run_shell', 'read_file'],
    };
    const origins = {
      'safety.permission_mode': 'command line',
      'safety.permissions.web_search': '/home/ada/.ybs.json',
    };
    expect(await permissions(safety, TOOLS, origins)).toMatchInlineSnapshot(`
      "Tool        Level       Set by
      read_file   ask_once    safety.require_confirmation (default)
      run_shell   ask_once    safety.require_confirmation (default)
      web_search  ask_always  safety.permissions.web_search (/home/ada/.ybs.json)
      write_file  ask_once    permission mode ask (command line)

      ask_once: asks, and the answer can hold for the rest of the session
      ask_always: asks about each call
      Levels without effect, because there is no such tool: run_shel
      At every level, blocked paths and commands are denied, and guarded files and commands that ybs cannot read ask; see docs/approval.md."
    `);
  });

  it('shows the kinds of calls of one tool that have different levels', async () => {
    expect(await permissions({ permission_mode: 'accept-edits' })).toMatchInlineSnapshot(`
      "Tool        Level      Set by
      read_file   automatic  permission mode accept-edits (default)
      run_shell   ask_once   permission mode accept-edits (default)
      web_search  ask_once   permission mode accept-edits (default)
      write_file  automatic  permission mode accept-edits (default)
                  ask_once   permission mode accept-edits (default), for a file that was not read or has changed since

      automatic: runs without a question
      ask_once: asks, and the answer can hold for the rest of the session
      At every level, blocked paths and commands are denied, and guarded files and commands that ybs cannot read ask; see docs/approval.md."
    `);
  });

  it('reports that the model has no tools', async () => {
    expect(await permissions({}, [])).toBe('The model has no tools.');
  });

  const PATHS = [{ requested: 'a', realPath: '/w/a', access: 'write' }] as const;
  /** Two calls of each tool: an ordinary one, and one that replaces a file that was not read. */
  const EFFECTS: Readonly<Record<string, readonly Partial<PlannedEffect>[]>> = {
    write_file: [{ paths: PATHS }, { paths: PATHS, before: 'digest' }],
    run_shell: [{ command: 'ls', workingDirectory: '/w' }],
    read_file: [{}],
    web_search: [{ workingDirectory: '/w' }],
  };
  const CASES = PERMISSION_MODES.flatMap((mode) =>
    [undefined, ...PERMISSION_LEVELS].flatMap((level) =>
      [true, false].map((confirmed) => [mode, level, confirmed] as const),
    ),
  );
  it.each(CASES)(
    'agrees with the decisions in the mode %s, at level %s, confirmed: %s',
    async (mode, level, confirmed) => {
      const names = TOOLS.map(({ name }) => name);
      const levels = level === undefined ? {} : Object.fromEntries(names.map((name) => [name, level]));
      const confirmedTools = confirmed ? names : [];
      const text = await permissions({
        permission_mode: mode,
        permissions: levels,
        require_confirmation: confirmedTools,
      });
      const pathRules = {
        workspace: '/w',
        home: '/home/u',
        allowedRoots: ['/w'],
        readOnlyRoots: [],
        blockedPaths: [],
        platform: 'posix',
      } as const;
      const settings = { mode, levels, confirmedTools, pathRules, blockList: parseBlockList([]) };
      const decided = TOOLS.flatMap(({ name, effect: toolEffect }) =>
        (EFFECTS[name] ?? []).map((more) => {
          const effect = { summary: 'a call', paths: [], ...more };
          return [name, decide({ toolName: name, toolEffect, effect }, settings, []).type] as const;
        }),
      );
      const shown = decided.map(([name, _type], index) => {
        const second = decided[index - 1]?.[0] === name;
        const row = new RegExp(`^${name} +(\\w+) .*(?:\\n +(\\w+))?`, 'm').exec(text);
        const level = (second ? row?.[2] : undefined) ?? row?.[1] ?? '';
        return [name, TYPES[level]];
      });
      expect(shown).toEqual(decided);
    },
  );
});

describe('/permissions TOOL LEVEL', () => {
  it.each([
    ['run_shell ask_always', 'run_shell is ask_always for this session: it asks about each call.'],
    ['write_file Automatic', 'write_file is automatic for this session: it runs without a question.'],
    ['read_file denied', 'read_file is denied for this session: it never runs.'],
    ['run_shel denied', 'There is no tool run_shel. Did you mean run_shell? /permissions lists them.'],
    ['zzz denied', 'There is no tool zzz. /permissions lists them.'],
    ['run_shell', 'Choose one of automatic, ask_once, ask_always, denied: /permissions run_shell ask_always'],
    [
      'run_shell deny',
      'The level cannot be "deny". Did you mean denied? Choose one of automatic, ask_once, ask_always, denied.',
    ],
    [
      'run_shell denied please',
      'Choose one of automatic, ask_once, ask_always, denied: /permissions run_shell ask_always',
    ],
  ])('%s', async (argument, text) => {
    expect(await answer('permissions', argument)).toBe(text);
  });

  it('applies to the decisions and is shown with its source', async () => {
    const given = createPermissions();
    const safety = { permissions: { run_shell: 'automatic' } };
    await answer('permissions', 'run_shell denied', { safety, permissions: given });
    expect(given.applyTo({ mode: 'ask', levels: { run_shell: 'automatic', other: 'denied' } })).toEqual({
      mode: 'ask',
      levels: { run_shell: 'denied', other: 'denied' },
    });
    expect(await answer('permissions', '', { safety, permissions: given })).toMatch(
      /^run_shell +denied +\/permissions, for this session$/m,
    );
    await answer('permissions', 'write_file automatic', { permissions: given });
    expect(await answer('permissions', 'clear', { permissions: given })).toBe('Cleared: 1 approval');
    // What is stricter than the configuration stays.
    expect(given.levels).toEqual({ run_shell: 'denied' });
  });

  it('shows the effect of the current mode', async () => {
    const given = createPermissions();
    given.setMode('accept-edits');
    const safety = { permission_mode: 'read-only' };
    expect(await answer('permissions', '', { safety, permissions: given })).toMatch(
      /^write_file +automatic +permission mode accept-edits, for this session$/m,
    );
  });

  it('reports that the permission mode takes precedence', async () => {
    const safety = { permission_mode: 'read-only' };
    expect(await answer('permissions', 'write_file automatic', { safety })).toBe(
      'write_file is automatic for this session: it runs without a question. The permission mode still makes it denied.',
    );
  });
});

describe('/approvals', () => {
  const COMMAND: PermissionRule = { type: 'exact_command', command: 'npm test', workingDirectory: '/work' };
  const FILES: PermissionRule = { type: 'file_operations', directory: '/work/src' };
  const EDITS: PermissionRule = { type: 'edit_read_files' };

  it('lists the rules that answers added', async () => {
    expect(await answer('approvals', '', { permissions: createPermissions(COMMAND, FILES) })).toMatchInlineSnapshot(`
      "1  run_shell: npm test (in /work) (until the end of this session)
      2  every change of files in /work/src (until the end of this session)
      Take back all with /approvals clear, or one with /approvals clear 1."
    `);
  });

  it('shows each rule on one line', async () => {
    const permissions = createPermissions({ ...COMMAND, command: 'ls\n! forged' });
    expect(await answer('approvals', '', { permissions })).toMatch(
      /^1 {2}run_shell: ls\\u\{a\}! forged \(in \/work\) \(until the end of this session\)\n/,
    );
  });

  it('reports that there are no rules', async () => {
    expect(await answer('approvals', '')).toBe('You have allowed nothing for this session.');
  });

  it.each<[string, string, readonly PermissionRule[]]>([
    ['clear', 'Cleared: 3 approvals', []],
    ['Clear 2', 'Cleared: every change of files in /work/src', [COMMAND, EDITS]],
    ['clear 4', 'There is no entry 4. See /approvals.', [COMMAND, FILES, EDITS]],
    ['clear 0', 'Give the number of an entry in /approvals.', [COMMAND, FILES, EDITS]],
    ['clear all', 'Give the number of an entry in /approvals.', [COMMAND, FILES, EDITS]],
    ['clear 1 2', 'Type /approvals, /approvals clear or /approvals clear 1.', [COMMAND, FILES, EDITS]],
    ['remove 1', 'Type /approvals, /approvals clear or /approvals clear 1.', [COMMAND, FILES, EDITS]],
  ])('%s', async (argument, text, left) => {
    const given = createPermissions(COMMAND, FILES, EDITS);
    expect(await answer('approvals', argument, { permissions: given })).toBe(text);
    expect(given.rules).toEqual(left);
  });

  it.each([
    [
      new FileSystemError('no_space', '/home'),
      'Cleared for this session, but not in the file of later ones (/home: the disk is full): 1 approval',
    ],
    [new TypeError('bug'), 'bug'],
  ])('reports a file that cannot be changed: %s', async (error, text) => {
    const given = createPermissions(EDITS);
    given.forget = () => Promise.reject(error);
    expect(await answer('approvals', 'clear', { permissions: given }).catch(messageOf)).toBe(text);
  });

  it('reports that there is nothing to clear', async () => {
    expect(await answer('approvals', 'clear')).toBe('There is nothing to clear.');
  });
});

/** The type of the decision about a call of this level. */
const TYPES: Readonly<Record<string, string>> = {
  automatic: 'allow',
  ask_once: 'ask',
  ask_always: 'ask',
  denied: 'deny',
};
