import { describe, expect, it } from 'vitest';
import {
  PERMISSION_MODES,
  type PermissionDecision,
  type PermissionLevel,
  type PermissionMode,
  type PermissionRule,
  type QuestionFacts,
} from '../../../src/agent/ports/approver.ts';
import type { SandboxState } from '../../../src/agent/ports/shell.ts';
import type { PlannedEffect, ToolEffect } from '../../../src/agent/ports/tool.ts';
import { kindsOf, levelOf } from '../../../src/policy/call-levels.ts';
import { decide } from '../../../src/policy/decide.ts';
import type { CallToDecide, DecisionSettings } from '../../../src/policy/decision-input.ts';
import type { PathRules } from '../../../src/policy/paths/path-policy.ts';
import { parseAllowList } from '../../../src/policy/shell/rules/allowed-commands.ts';
import { parseBlockList } from '../../../src/policy/shell/shell-policy.ts';

/** The modes of the tables. A test of its own compares the mode plan with the mode read-only. */
const MODES = PERMISSION_MODES.filter((mode) => mode !== 'plan');

const RULES: PathRules = {
  workspace: '/w',
  home: '/home/u',
  allowedRoots: ['/w', '/data'],
  readOnlyRoots: ['/logs'],
  blockedPaths: ['/w/secret'],
  platform: 'posix',
};

function reads(realPath: string, toolName = 'read_file'): CallToDecide {
  return call(toolName, 'read', { paths: [{ requested: realPath, realPath, access: 'read' }] });
}

function writes(realPath: string, toolName = 'write_file', effect: Partial<PlannedEffect> = {}): CallToDecide {
  return call(toolName, 'write', { paths: [{ requested: realPath, realPath, access: 'write' }], ...effect });
}

/** A use of `/w/shared/app.conf` by the name of a link to it. */
function through(requested: string, access: 'read' | 'write'): CallToDecide {
  return call(`${access}_file`, access, { paths: [{ requested, realPath: '/w/shared/app.conf', access }] });
}

/** The call, whose tool says that it changes nothing. */
function unchanged(of: CallToDecide, toolEffect = of.toolEffect): CallToDecide {
  return { ...of, toolEffect, effect: { ...of.effect, unchanged: true } };
}

function edits(realPath: string, readThisSession: boolean): CallToDecide {
  return writes(realPath, 'edit_file', { readThisSession });
}

function runs(command: string, workingDirectory = '/w', toolName = 'run_shell'): CallToDecide {
  return call(toolName, 'execute', { command, workingDirectory });
}

function call(toolName: string, toolEffect: ToolEffect, effect: Partial<PlannedEffect>): CallToDecide {
  return { toolName, toolEffect, effect: { summary: 'a call', paths: [], ...effect } };
}

function decideIn(
  decided: CallToDecide,
  mode: PermissionMode,
  rules: readonly PermissionRule[] = [],
  settings: Partial<DecisionSettings> = {},
): PermissionDecision {
  const { decidedBy: _row, ...decision } = decideByRow(decided, mode, rules, settings);
  return decision;
}

function decideByRow(
  decided: CallToDecide,
  mode: PermissionMode,
  rules: readonly PermissionRule[] = [],
  settings: Partial<DecisionSettings> = {},
): ReturnType<typeof decide> {
  const blockList = parseBlockList(['rm -rf /', 'sudo']);
  return decide(decided, { mode, pathRules: RULES, blockList, levels: {}, confirmedTools: [], ...settings }, rules);
}

/** The decision in short: its type and its rule. */
function shortIn(...args: Parameters<typeof decideIn>): string {
  const { type, rule } = decideIn(...args);
  return `${type} ${rule}`;
}

/** The types of the decision in `MODES`. */
function inModes(decided: CallToDecide, settings: Partial<DecisionSettings> = {}): string {
  return MODES.map((mode) => decideIn(decided, mode, [], settings).type).join(' ');
}

function denies(rule: string, reason: string): PermissionDecision {
  return { type: 'deny', rule, reason };
}

function asks(rule: string, reason: string, offers: Partial<QuestionFacts> = {}): Asking {
  return { type: 'ask', rule, reason, ...offers };
}

type Asking = Extract<PermissionDecision, { type: 'ask' }>;

/** A file that exists: read in this session, not read, and write-protected. */
const READ = { before: 'd', readThisSession: true };
const UNREAD = { before: 'd', readThisSession: false };
const PROTECTED = { ...READ, protection: 'write_protected' } as const;

describe('the decision about a call', () => {
  it.each<[string, CallToDecide, string]>([
    // decision in the modes                                              ask   accept-edits read-only full-access
    ['read_file', reads('/w/a'), 'allow allow allow allow'],
    ['read_file of .env', reads('/w/.env'), 'ask ask ask allow'],
    ['search_files of .env', reads('/w/.env', 'search_files'), 'ask ask ask allow'],
    ['read_file of a log', reads('/logs/1'), 'allow allow allow allow'],
    ['list_files', reads('/w', 'list_files'), 'allow allow allow allow'],
    ['search_files', reads('/w', 'search_files'), 'allow allow allow allow'],
    ['write_file', writes('/w/a'), 'ask allow deny allow'],
    ['write_file of a read file', writes('/w/a', 'write_file', READ), 'ask allow deny allow'],
    ['write_file of an unread file', writes('/w/a', 'write_file', UNREAD), 'ask ask deny allow'],
    ['an unknown tool that replaces an unread file', writes('/w/a', 'scribble', { before: 'd' }), 'ask ask deny allow'],
    ['write_file that changes nothing', unchanged(reads('/w/a', 'write_file'), 'write'), 'allow allow allow allow'],
    ['write_file that claims to change nothing', unchanged(writes('/w/a')), 'ask allow deny allow'],
    ['edit_file that changes nothing', unchanged(reads('/w/a', 'edit_file'), 'write'), 'allow allow allow allow'],
    ['a command that claims to change nothing', unchanged(runs('ls')), 'ask ask deny allow'],
    ['write_file of a write-protected file', writes('/w/a', 'write_file', PROTECTED), 'ask ask deny ask'],
    [
      "edit_file of another user's file",
      writes('/w/a', 'edit_file', { ...READ, protection: 'other_owner' }),
      'ask ask deny ask',
    ],
    ['edit_file of a read file', edits('/w/a', true), 'ask allow deny allow'],
    ['edit_file of an unread file', edits('/w/a', false), 'ask ask deny allow'],
    ['a read through a link with the name of a secret', through('.env', 'read'), 'ask ask ask allow'],
    ['a write through a link with the name of a secret', through('/w/.env', 'write'), 'deny deny deny deny'],
    ['a read through a link with a guarded name', through('.ybs.json', 'read'), 'allow allow allow allow'],
    ['a read through a link with the name of a guarded secret', through('.envrc', 'read'), 'ask ask ask allow'],
    ['a write through a link with a guarded name', through('.envrc', 'write'), 'ask ask deny allow'],
    ['a write through a link in a guarded directory', through('.git/hooks/a', 'write'), 'ask ask deny allow'],
    ['a read through an ordinary link', through('b', 'read'), 'allow allow allow allow'],
    ['run_shell', runs('npm test'), 'ask ask deny allow'],
    ['an unknown reading tool', reads('/w/a', 'look'), 'allow allow allow allow'],
    ['an unknown writing tool', writes('/w/a', 'scribble'), 'ask allow deny allow'],
    ['an unknown running tool', runs('npm test', '/w', 'go'), 'ask ask deny allow'],
    ['a tool without paths', call('wait', 'execute', {}), 'ask ask deny allow'],
    ['a reading tool that writes', { ...writes('/w/a', 'look'), toolEffect: 'read' }, 'ask allow deny allow'],
    ['a reading tool that runs', { ...runs('ls'), toolEffect: 'read' }, 'ask ask deny allow'],
    ['write_file of .env', writes('/w/.env'), 'deny deny deny deny'],
    ['write_file of .envrc', writes('/w/.envrc'), 'ask ask deny allow'],
    ['read_file of .envrc', reads('/w/.envrc'), 'ask ask ask allow'],
    ['write_file of a hook', writes('/w/vendor/.git/hooks/x'), 'ask ask deny allow'],
    ['edit_file of .vscode', edits('/w/.vscode/tasks.json', true), 'ask ask deny allow'],
    ['a command that cannot be read', runs('$X ls'), 'ask ask deny ask'],
    ['a blocked command', runs('env sudo ls'), 'deny deny deny deny'],
    ['a removal of the workspace', runs('rm -rf .'), 'deny deny deny deny'],
    ['a removal of everything in the workspace', runs('cd build; cd ..; rm -rf *'), 'deny deny deny deny'],
    ['a removal of everything in a directory', runs('rm -rf *', '/w/build'), 'ask ask deny allow'],
    ['a removal above the working directory', runs('rm -rf ..', '/w/build'), 'deny deny deny deny'],
    ['a removal of a directory', runs('rm -rf build'), 'ask ask deny allow'],
    ['a removal of a computed directory', runs('rm -rf "$X"'), 'ask ask deny ask'],
    ['a removal of the home directory', runs('rm -rf ~'), 'deny deny deny deny'],
    ['a program name that may expand to several words', runs('$X/bin/id'), 'ask ask deny ask'],
    ['a blocked program in such a name', runs('sudo$IFS/bin/id'), 'deny deny deny deny'],
    ['a command that is too complex to check', runs(`cat ${'<<E '.repeat(16_000)}`), 'deny deny deny deny'],
    ['a built-in blocked command', runs('shutdown now'), 'deny deny deny deny'],
    ['a read outside', reads('/out/a'), 'ask ask ask allow'],
    ['a search outside', reads('/out', 'search_files'), 'ask ask ask allow'],
    ['a read of the settings of the system', reads('/etc/passwd'), 'ask ask ask allow'],
    ['a read of a key outside', reads('/out/id_rsa'), 'ask ask ask allow'],
    ['a read of a key in the home directory', reads('/home/u/.ssh/config'), 'deny deny deny deny'],
    ['a read of a process', reads('/proc/self/environ'), 'deny deny deny deny'],
    ['a read of a path that is not real', reads('/w/../out'), 'deny deny deny deny'],
    ['a write outside', writes('/w-2/a'), 'deny deny deny deny'],
    ['a write of a log', writes('/logs/1'), 'deny deny deny deny'],
    ['a blocked read', reads('/w/secret/key'), 'deny deny deny deny'],
    ['a command in a directory outside', runs('ls', '/etc'), 'deny deny deny deny'],
    ['a command in a read-only directory', runs('ls', '/logs'), 'deny deny deny deny'],
  ])('for %s is %s', (_name, decided, expected) => {
    expect(inModes(decided)).toBe(expected);
  });

  it.each<[string, CallToDecide, PermissionMode, PermissionDecision]>([
    ['a read', reads('/w/a'), 'ask', { type: 'allow', rule: 'permission mode ask' }],
    [
      'a write in read-only',
      writes('/w/a'),
      'read-only',
      denies(
        'permission mode read-only',
        'write_file is not allowed in permission mode read-only. Only read files, and describe in your answer what you would change or run.',
      ),
    ],
    [
      'a path outside',
      writes('/etc/passwd'),
      'ask',
      {
        type: 'deny',
        rule: 'safety.sandbox_allowed_paths',
        reason: '/etc/passwd is outside the workspace. Use a path inside it, such as one that list_files shows.',
      },
    ],
    ...['/out/a', '/etc/passwd'].map((path): [string, CallToDecide, PermissionMode, PermissionDecision] => [
      `a read of ${path}`,
      reads(path),
      'accept-edits',
      asks(
        'path outside the workspace',
        'The path is outside the workspace, so reading it always needs your approval.',
      ),
    ]),
    [
      'a blocked path',
      reads('/w/secret'),
      'ask',
      {
        type: 'deny',
        rule: 'safety.sandbox_blocked_paths: /w/secret',
        reason:
          '/w/secret is blocked (safety.sandbox_blocked_paths: /w/secret). Do the task without it, or tell the user what to do with it.',
      },
    ],
    [
      'a write',
      writes('/w/src/a'),
      'ask',
      asks('permission mode ask', 'write_file changes files.', {
        offers: { type: 'write_directory', directory: '/w/src' },
        offersDirectory: { type: 'file_operations', directory: '/w/src' },
        offersMore: [{ type: 'file_operations', directory: '/w' }],
      }),
    ],
    [
      'a write in another root',
      writes('/data/a'),
      'ask',
      { type: 'ask', rule: 'permission mode ask', reason: 'write_file changes files.' },
    ],
    [
      'an edit of a read file, which can be allowed only once',
      edits('/w/a', true),
      'ask',
      asks('permission mode ask', 'edit_file changes files.', {
        offers: { type: 'edit_read_files' },
        offersDirectory: { type: 'file_operations', directory: '/w' },
      }),
    ],
    [
      'an edit of an unread file',
      edits('/w/a', false),
      'ask',
      asks('permission mode ask', 'The file was not read in this session, or it has changed since.', {
        offersDirectory: { type: 'file_operations', directory: '/w' },
      }),
    ],
    [
      'a command',
      runs('npm test', '/w/src'),
      'ask',
      asks('permission mode ask', 'run_shell runs a program, which can do anything that you can do.', {
        offers: { type: 'exact_command', command: 'npm test', workingDirectory: '/w/src' },
        offersMore: [{ type: 'command_prefix', words: ['npm', 'test'] }],
      }),
    ],
    [
      'a command that cannot be read',
      runs('$X'),
      'full-access',
      asks('unreadable command', 'It is not clear what this command runs: the name of the program is computed.'),
    ],
    [
      'a file with secrets',
      reads('/w/.env'),
      'accept-edits',
      asks(
        'file with secrets',
        'The file may hold secrets, which the model would get, so reading it always needs your approval.',
      ),
    ],
    [
      'a guarded file',
      edits('/w/.git/hooks/x', true),
      'accept-edits',
      asks(
        'guarded path',
        'Other programs run .git/hooks/x or follow its settings, so changing it always needs your approval.',
      ),
    ],
  ])('gives the reason for %s', (_name, decided, mode, expected) => {
    expect(decideIn(decided, mode)).toEqual(expected);
  });

  it('names the workspace in the question about a command there, if hooks of git lie in it', () => {
    const pathRules = { ...RULES, guardedPaths: ['/w'] };
    const command = runs('npm test', '/w');
    const paths: CallToDecide['effect']['paths'] = [{ requested: '.', realPath: '/w', access: 'write' }];
    const decided = { ...command, effect: { ...command.effect, paths } };
    expect(decideIn(decided, 'ask', [], { pathRules })).toMatchObject({
      rule: 'guarded path',
      reason:
        'Other programs run what is in the workspace or follow its settings, so changing it always needs your approval.',
    });
  });

  it.each([
    ['write_protected', 'The file is write-protected, so replacing it always needs your approval.'],
    ['other_owner', 'The file belongs to another user. Its replacement would belong to you.'],
  ] as const)('gives the reason for a file that is %s', (protection, reason) => {
    const decided = writes('/w/a', 'write_file', { ...READ, protection });
    expect(decideIn(decided, 'full-access')).toEqual({ type: 'ask', rule: 'protected file', reason });
  });

  const EDIT: PermissionRule = { type: 'edit_read_files' };
  const DIRECTORY: PermissionRule = { type: 'write_directory', directory: '/w/src' };
  const FILES: PermissionRule = { type: 'file_operations', directory: '/w/src' };
  const COMMAND: PermissionRule = { type: 'exact_command', command: 'npm test', workingDirectory: '/w' };
  it.each<[string, CallToDecide, PermissionRule, string]>([
    [
      'an edit of a read file',
      edits('/w/a', true),
      EDIT,
      'every edit of a file that was read in this session and has not changed since',
    ],
    [
      'a write in the directory',
      writes('/w/src/x/a'),
      DIRECTORY,
      'every write of a new file, or of one read in this session, in src/',
    ],
    ['the same command', runs('npm test'), COMMAND, 'run_shell: npm test (in the workspace)'],
    ['an edit of an unread file', edits('/w/src/a', false), FILES, 'every change of files in src/'],
    ['a write in the directory of files', writes('/w/src/x/a'), FILES, 'every change of files in src/'],
  ])('allows %s if a session rule does', (_name, decided, rule, text) => {
    expect(decideIn(decided, 'ask', [rule])).toEqual({ type: 'allow', rule: text });
  });

  it.each<[string, CallToDecide, PermissionRule]>([
    ['an edit of an unread file', edits('/w/a', false), EDIT],
    ['a write that replaces an unread file', writes('/w/src/a', 'write_file', UNREAD), DIRECTORY],
    ['a write of a protected file', writes('/w/src/a', 'write_file', PROTECTED), DIRECTORY],
    ['an edit of a guarded file', edits('/w/.envrc', true), EDIT],
    ['an edit in another directory', edits('/w/a', true), FILES],
    ['an edit of a guarded file in the directory', edits('/w/src/.envrc', true), FILES],
    ['a protected file in the directory', writes('/w/src/a', 'write_file', PROTECTED), FILES],
    ['a command in the directory', runs('touch src/a'), FILES],
    ['a read in the directory', reads('/w/src/.env'), FILES],
    ['a read of a file with secrets', reads('/w/.env'), { type: 'reads_of_tool', toolName: 'read_file' }],
    ['a read outside', reads('/out/a'), { type: 'reads_of_tool', toolName: 'read_file' }],
    ['a write, with the rule for edits', writes('/w/a'), EDIT],
    ['a write in a sibling directory', writes('/w/src2/a'), DIRECTORY],
    ['a write of a guarded file', writes('/w/src/.git/hooks/x'), DIRECTORY],
    ['an edit, with the rule for writes', edits('/w/src/a', true), DIRECTORY],
    ['another command', runs('npm test -- --all'), COMMAND],
    ['the same command in another directory', runs('npm test', '/w/src'), COMMAND],
    ['the same command in another tool', runs('npm test', '/w', 'go'), COMMAND],
    ['a command that cannot be read', runs('$X'), { ...COMMAND, command: '$X' }],
  ])('still asks about %s', (_name, decided, rule) => {
    expect(decideIn(decided, 'ask', [rule]).type).toBe('ask');
  });

  it.each<[string, CallToDecide, PermissionRule]>([
    ['a blocked command', runs('sudo ls'), { ...COMMAND, command: 'sudo ls' }],
    ['a write outside', writes('/etc/a'), { ...DIRECTORY, directory: '/' }],
  ])('is not changed by a rule for %s', (_name, decided, rule) => {
    expect(decideIn(decided, 'ask', [rule]).type).toBe('deny');
  });
});

describe('the plan mode', () => {
  const readOnly: Partial<DecisionSettings> = { assumptions: ['trusted', 'sandboxed'] };
  const plans = call('present_plan', 'read', { plan: '1. Add.' });

  it.each<[string, CallToDecide, Partial<DecisionSettings>, string]>([
    ['a read runs', reads('/w/a'), {}, 'allow permission mode plan'],
    ['a read outside asks', reads('/etc/hosts'), {}, 'ask path outside the workspace'],
    ['a secret stays blocked', reads('/w/secret/a'), {}, 'deny safety.sandbox_blocked_paths: /w/secret'],
    ['a write is denied', writes('/w/a'), {}, 'deny permission mode plan'],
    ['a command is denied', runs('npm test'), readOnly, 'deny permission mode plan'],
    ['a command that only reads runs', runs('git log'), readOnly, 'allow read-only command'],
    ['a command that only reads is denied without a sandbox', runs('git log'), {}, 'deny permission mode plan'],
    [
      'a level of the user does not run a command',
      runs('npm test'),
      { levels: { run_shell: 'automatic' } },
      'deny permission mode plan',
    ],
    [
      'a level of the user does not let a write run',
      writes('/w/a'),
      { levels: { write_file: 'automatic' } },
      'deny permission mode plan',
    ],
    [
      'a denied tool runs nothing',
      runs('git log'),
      { ...readOnly, levels: { run_shell: 'denied' } },
      'deny safety.permissions.run_shell',
    ],
    [
      'an allowed command is denied',
      runs('npm test'),
      { ...readOnly, allowList: parseAllowList(['npm test']) },
      'deny permission mode plan',
    ],
    ['a blocked command is denied', runs('rm -rf /'), readOnly, 'deny safety.blocked_commands: rm -rf /'],
    ['a plan asks', plans, {}, 'ask plan'],
    [
      'a plan that the user has turned off is denied',
      plans,
      { levels: { present_plan: 'denied' } },
      'deny safety.permissions.present_plan',
    ],
  ])('%s', (_name, decided, settings, expected) => {
    expect(shortIn(decided, 'plan', [], settings)).toBe(expected);
  });

  it.each(MODES)('is not needed for a plan in the mode %s', (mode) => {
    expect(decideIn(plans, mode)).toEqual({ type: 'allow', rule: `permission mode ${mode}` });
  });

  it('ignores rules of the session', () => {
    const rules: PermissionRule[] = [
      { type: 'exact_command', command: 'npm test', workingDirectory: '/w' },
      { type: 'file_operations', directory: '/w' },
    ];
    const types = [runs('npm test'), writes('/w/a')].map((decided) => decideIn(decided, 'plan', rules).type);
    expect(types).toEqual(['deny', 'deny']);
  });
});

describe('the verdict of a hook', () => {
  const host = (verdict: 'allow' | 'ask' | 'deny') => ({ host: { verdict, reason: 'Because.' } });
  const hooked = (decided: CallToDecide, verdict: 'allow' | 'ask' | 'deny'): CallToDecide => ({
    ...decided,
    effect: { ...decided.effect, ...host(verdict) },
  });

  it.each<[string, CallToDecide, PermissionMode, string]>([
    ['allow answers a question', hooked(writes('/w/a'), 'allow'), 'ask', 'allow hook'],
    ['allow does not change an allowed call', hooked(reads('/w/a'), 'allow'), 'ask', 'allow permission mode ask'],
    [
      'allow does not pass a blocked path',
      hooked(reads('/w/secret/a'), 'allow'),
      'ask',
      'deny safety.sandbox_blocked_paths: /w/secret',
    ],
    [
      'allow does not pass a blocked command',
      hooked(runs('rm -rf /'), 'allow'),
      'full-access',
      'deny safety.blocked_commands: rm -rf /',
    ],
    ['allow does not pass the mode', hooked(writes('/w/a'), 'allow'), 'read-only', 'deny permission mode read-only'],
    ['ask asks about an allowed call', hooked(reads('/w/a'), 'ask'), 'full-access', 'ask hook'],
    ['ask does not change a question', hooked(writes('/w/a'), 'ask'), 'ask', 'ask permission mode ask'],
    ['deny denies an allowed call', hooked(reads('/w/a'), 'deny'), 'full-access', 'deny hook'],
    ['deny denies a call that would be asked about', hooked(writes('/w/a'), 'deny'), 'ask', 'deny hook'],
  ])('%s', (_name, decided, mode, expected) => {
    expect(shortIn(decided, mode)).toBe(expected);
  });
});

describe('a command that runs a file of this session', () => {
  const rule = (command: string): PermissionRule => ({ type: 'exact_command', command, workingDirectory: '/w' });
  const other = rule('ls');

  /** The decision about `node build.js` after the file was written when there were `rulesBefore` rules. */
  function decideAfterWrite(
    rules: readonly PermissionRule[],
    rulesBefore: number | undefined,
    allowed: readonly string[] = [],
    command = 'node build.js',
  ): PermissionDecision {
    const written = new Map([
      ['/w/notes.md', 5],
      ['/w/run.js', 0],
      ...(rulesBefore === undefined ? [] : [['/w/build.js', rulesBefore] as const]),
    ]);
    return decideIn(runs(command), 'ask', rules, { written, allowList: parseAllowList(allowed) });
  }

  const RULE = rule('node build.js');
  it.each<[string, PermissionDecision['type'], Parameters<typeof decideAfterWrite>]>([
    ['a rule of the session allows it before the file is written', 'allow', [[RULE], undefined]],
    ['the file was written after the rule', 'ask', [[RULE], 1]],
    ['the user has added the rule again since', 'allow', [[RULE, RULE], 1]],
    ['the user has added another rule since', 'ask', [[RULE, other], 1]],
    ['the rule came after the file', 'allow', [[other, RULE], 1]],
    ['a rule of the configuration allows it before the file is written', 'allow', [[], undefined, ['node *']]],
    ['a rule of the configuration allows it', 'ask', [[], 0, ['node *']]],
    ['the user has also added a rule since', 'allow', [[RULE], 0, ['node *']]],
    [
      'it runs several such files, of which one is newer than the rule',
      'ask',
      [[rule('node build.js run.js')], 1, [], 'node build.js run.js'],
    ],
    ['it only reads the file', 'allow', [[], 0, ['cat *'], 'cat build.js']],
  ])('when %s: %s', (_name, type, args) => {
    expect(decideAfterWrite(...args).type).toBe(type);
  });

  it('is resolved from the workspace if the call names no directory', () => {
    const decided = call('run_shell', 'execute', { command: 'node build.js' });
    const settings = { allowList: parseAllowList(['node *']), written: new Map([['/w/build.js', 0]]) };
    expect(decideIn(decided, 'ask', [], settings).type).toBe('ask');
  });

  it('is asked about with this reason, and the rule is offered again', () => {
    expect(decideAfterWrite([RULE], 1)).toEqual(
      asks(
        'permission mode ask',
        'run_shell runs a program, which can do anything that you can do. It runs code that the model wrote: build.js.',
        { offers: RULE },
      ),
    );
  });
});

describe('the level of a tool', () => {
  it.each<[string, CallToDecide, PermissionLevel, string]>([
    // decision in the modes                                 ask   accept-edits read-only full-access
    ['reads', reads('/w/a'), 'automatic', 'allow allow allow allow'],
    ['reads', reads('/w/a'), 'ask_once', 'ask ask ask ask'],
    ['reads', reads('/w/a'), 'ask_always', 'ask ask ask ask'],
    ['reads', reads('/w/a'), 'denied', 'deny deny deny deny'],
    ['writes', writes('/w/a'), 'automatic', 'allow allow deny allow'],
    ['writes', writes('/w/a'), 'ask_once', 'ask ask deny ask'],
    ['writes', writes('/w/a'), 'ask_always', 'ask ask deny ask'],
    ['writes', writes('/w/a'), 'denied', 'deny deny deny deny'],
    ['runs a command', runs('npm test'), 'automatic', 'allow allow deny allow'],
    ['runs a command', runs('npm test'), 'ask_once', 'ask ask deny ask'],
    ['runs a command', runs('npm test'), 'denied', 'deny deny deny deny'],
    ['writes a guarded file', writes('/w/.envrc'), 'automatic', 'ask ask deny allow'],
    ['runs a command that cannot be read', runs('$X ls'), 'automatic', 'ask ask deny ask'],
    ['runs a blocked command', runs('sudo ls'), 'automatic', 'deny deny deny deny'],
    ['reads outside', reads('/etc/passwd'), 'automatic', 'ask ask ask allow'],
    ['writes outside', writes('/etc/passwd'), 'automatic', 'deny deny deny deny'],
  ])('that %s decides: %j %s', (_name, decided, level, expected) => {
    expect(inModes(decided, { levels: { [decided.toolName]: level } })).toBe(expected);
  });

  it('is named in the decision', () => {
    const settle = (level: PermissionLevel) => decideIn(writes('/w/a'), 'ask', [], { levels: { write_file: level } });
    expect(settle('automatic')).toEqual({ type: 'allow', rule: 'safety.permissions.write_file' });
    expect(settle('denied')).toEqual(denies('safety.permissions.write_file', 'The user has denied write_file.'));
    expect(settle('ask_once')).toEqual(
      asks('safety.permissions.write_file', 'write_file changes files.', {
        offers: { type: 'write_directory', directory: '/w' },
        offersDirectory: { type: 'file_operations', directory: '/w' },
      }),
    );
  });

  it('is named in the decision of a denied tool even if the mode also denies the call', () => {
    expect(decideIn(writes('/w/a'), 'read-only', [], { levels: { write_file: 'denied' } })).toEqual(
      denies('safety.permissions.write_file', 'The user has denied write_file.'),
    );
  });

  it('asks about a read with its own reason, and offers a rule for all reads of the tool', () => {
    const question = decideIn(reads('/w/a'), 'ask', [], { levels: { read_file: 'ask_once' } });
    expect(question).toMatchObject({
      reason: 'Your configuration asks before every use of read_file.',
      offers: { type: 'reads_of_tool', toolName: 'read_file' },
    });
  });

  const RULE: PermissionRule = { type: 'reads_of_tool', toolName: 'read_file' };
  it('ask_once is answered by a rule of the session, and ask_always is not', () => {
    const settle = (level: PermissionLevel) =>
      decideIn(reads('/w/a'), 'full-access', [RULE], { levels: { read_file: level } });
    expect(settle('ask_once')).toEqual({ type: 'allow', rule: 'read_file: every call that only reads' });
    expect(settle('ask_always')).not.toHaveProperty('offers');
    expect(settle('ask_always').type).toBe('ask');
  });

  it.each<[ToolEffect, string]>([
    // levels in the modes ask, accept-edits, plan, read-only and full-access
    ['read', 'read: automatic automatic automatic automatic automatic'],
    ['write', 'write: ask_once automatic denied denied automatic, replace: ask_once ask_once denied denied automatic'],
    ['execute', 'execute: ask_once ask_once denied denied automatic'],
  ])('is the default of the mode for a tool of the effect %s: %s', (effect, expected) => {
    const levelIn = (mode: PermissionMode, kind: ReturnType<typeof kindsOf>[number]) =>
      levelOf('tool', kind, { mode, levels: {}, confirmedTools: [] }).level;
    const modes = ['ask', 'accept-edits', 'plan', 'read-only', 'full-access'] as const;
    const kinds = kindsOf(effect).map((kind) => `${kind}: ${modes.map((mode) => levelIn(mode, kind)).join(' ')}`);
    expect(kinds.join(', ')).toBe(expected);
  });

  it('is ask_once for a tool that needs confirmation', () => {
    const settings = { mode: 'accept-edits', levels: {}, confirmedTools: ['look'] } as const;
    expect(levelOf('look', 'read', settings)).toEqual({ level: 'ask_once', source: 'safety.require_confirmation' });
  });

  it('is not inherited from the prototype of the settings', () => {
    expect(decideIn(reads('/w/a', 'constructor'), 'ask').type).toBe('allow');
  });
});

describe('a tool that needs confirmation', () => {
  it.each<[string, CallToDecide, PermissionLevel | undefined, string]>([
    ['reads', reads('/w/a'), undefined, 'ask ask ask ask'],
    ['writes', writes('/w/a'), undefined, 'ask ask deny ask'],
    ['writes, with the level automatic', writes('/w/a'), 'automatic', 'ask ask deny ask'],
    ['writes, with the level ask_always', writes('/w/a'), 'ask_always', 'ask ask deny ask'],
  ])('and %s asks in every mode that does not deny it', (_name, decided, level, expected) => {
    const tools = {
      confirmedTools: [decided.toolName],
      levels: level === undefined ? {} : { [decided.toolName]: level },
    };
    expect(inModes(decided, tools)).toBe(expected);
  });

  it('names the setting, and offers a rule for the session', () => {
    expect(decideIn(writes('/w/a'), 'accept-edits', [], { confirmedTools: ['write_file'] })).toMatchObject({
      rule: 'safety.require_confirmation',
      offers: { type: 'write_directory', directory: '/w' },
    });
  });
});

describe('a read-only command', () => {
  const BOTH = ['trusted', 'sandboxed'] as const;
  const RUNS = 'runs a program, which can do anything that you can do.';
  const judge = (
    command: string,
    settings: Partial<DecisionSettings> = {},
    realPaths: readonly (readonly [string, string])[] = [],
    toolName = 'run_shell',
  ): PermissionDecision => {
    const reads = realPaths.map(([requested, realPath]) => ({ requested, realPath, access: 'read' as const }));
    const planned = call(toolName, 'execute', { command, workingDirectory: '/w', ...(reads.length > 0 && { reads }) });
    return decideIn(planned, 'ask', [], { assumptions: BOTH, ...settings });
  };

  it('runs without a question in a trusted workspace with the sandbox on', () => {
    expect(judge('ls')).toEqual({ type: 'allow', rule: 'read-only command' });
    expect(judge('ls', { mode: 'accept-edits' })).toMatchObject({ type: 'allow' });
  });

  it.each<[string, Partial<DecisionSettings>, string]>([
    ['without trust', { assumptions: ['sandboxed'] }, 'ask'],
    ['without the sandbox', { assumptions: ['trusted'] }, 'ask'],
    ['with a level of the tool', { levels: { run_shell: 'ask_once' } }, 'ask'],
    ['with a strict level of the tool', { levels: { run_shell: 'ask_always' } }, 'ask'],
    ['with a confirmation of the tool', { confirmedTools: ['run_shell'] }, 'ask'],
    ['in the mode read-only', { mode: 'read-only' }, 'deny'],
  ])('does not run without a question %s', (_name, settings, type) => {
    expect(judge('ls', settings).type).toBe(type);
  });

  it('must be a call of run_shell, because other tools may interpret a command differently', () => {
    expect(judge('ls', {}, undefined, 'mine')).toMatchObject({ type: 'ask', reason: `mine ${RUNS}` });
  });

  it('is resolved in the workspace if the call names no directory', () => {
    const typeOf = (effect: Partial<PlannedEffect>) =>
      decideIn(call('run_shell', 'execute', effect), 'ask', [], { assumptions: BOTH }).type;
    expect([typeOf({ command: 'ls' }), typeOf({})]).toEqual(['allow', 'ask']);
  });

  it('is distinguished from others by the reason of the question', () => {
    const because = (doubt: string) => ({
      type: 'ask',
      reason: `run_shell ${RUNS} It may do more than read: ${doubt}.`,
    });
    expect(judge('npm test')).toMatchObject(because('npm test is not known to only read'));
    // The plan has found that it names something else, or that the workspace is too large.
    expect(judge('ls *')).toMatchObject(because('it uses what a view of the workspace does not have'));
  });

  it.each([
    ['a file', 'cat a', [['/w/a', '/w/a']], 'allow'],
    ['a link inside', 'cat a', [['/w/a', '/data/b']], 'allow'],
    ['a link to the outside', 'cat a', [['/w/a', '/etc/passwd']], 'ask'],
    ['a link to a blocked file', 'cat a', [['/w/a', '/w/secret/b']], 'ask'],
    ['a file that was not resolved', 'cat a', [], 'ask'],
    ['a file outside', 'cat /etc/a', [['/etc/a', '/w/a']], 'ask'],
    [
      'one of two files outside',
      'cat a ../b',
      [
        ['/w/a', '/w/a'],
        ['/b', '/b'],
      ],
      'ask',
    ],
    ['a directory', 'cd a && ls', [['/w/a', '/w/a']], 'allow'],
    ['a directory that is a link', 'cd a && ls', [['/w/a', '/w/b']], 'ask'],
    ['a directory outside', 'cd / && ls', [['/', '/']], 'ask'],
  ] as const)('may read %s: %s', (_name, command, realPaths, type) => {
    expect(judge(command, {}, realPaths).type).toBe(type);
  });

  it.each([
    ['grep -r x', [], ' It searches /w, which has too many directories to hide all files with secrets in it.'],
    ['rg x a', [], ' It searches /w/a, which has too many directories to hide all files with secrets in it.'],
    ['grep -r x /etc', [['/etc', '/etc']], ' It reads /etc, which needs your approval.'],
    ['diff a b', [['/w/a', '/w/a']], ' It reads /w/b, which needs your approval.'],
  ] as const)('may not search files that the sandbox hides: %s', (command, realPaths, reason) => {
    expect(judge(command, {}, realPaths)).toMatchObject({ type: 'ask', reason: `run_shell ${RUNS}${reason}` });
  });

  it('is asked about with the name of the file that needs approval', () => {
    const reason = `run_shell ${RUNS} It reads /etc/a, which needs your approval.`;
    expect(judge('cat /etc/a', {}, [['/etc/a', '/etc/a']])).toMatchObject({ reason });
  });
});

describe('a command that the user has allowed', () => {
  const allowList = parseAllowList(['npm test *', 'git status', 'sudo *']);
  const judge = (command: string, settings: Partial<DecisionSettings> = {}, toolName = 'run_shell') =>
    decideIn(runs(command, '/w', toolName), 'ask', [], { allowList, ...settings });

  it('runs without a question, and the decision names the rules', () => {
    expect(judge('npm test -- -u')).toEqual({ type: 'allow', rule: 'safety.allowed_commands: npm test *' });
    const both = 'safety.allowed_commands: npm test * and git status';
    expect(judge('npm test && git status')).toEqual({ type: 'allow', rule: both });
    expect(judge('npm test', { levels: { run_shell: 'ask_once' } }).type).toBe('allow');
    const nowhere = call('run_shell', 'execute', { command: 'npm test' });
    expect(decideIn(nowhere, 'ask', [], { allowList }).type).toBe('allow');
  });

  it.each<[string, string, Partial<DecisionSettings>, string]>([
    ['another command', 'npm install', {}, 'ask'],
    ['a command that is not clear', 'npm test && $A', {}, 'ask'],
    ['a blocked command', 'sudo ls', {}, 'deny'],
    ['a command of a tool that always asks', 'npm test', { levels: { run_shell: 'ask_always' } }, 'ask'],
    ['a command of a denied tool', 'npm test', { levels: { run_shell: 'denied' } }, 'deny'],
    ['a command in the mode read-only', 'npm test', { mode: 'read-only' }, 'deny'],
  ])('does not include %s', (_name, command, settings, type) => {
    expect(judge(command, settings).type).toBe(type);
  });

  it('must be a call of run_shell', () => {
    expect(judge('npm test', {}, 'mine').type).toBe('ask');
  });
});

describe('the decision about a command with or without a sandbox', () => {
  const ON: SandboxState = { type: 'on', program: 'bubblewrap' };

  it('describes the access of a command', () => {
    expect(decideIn(runs('npm test'), 'ask', [], { sandbox: ON })).toMatchObject({
      reason: 'run_shell runs a program. In the sandbox it can change the workspace and read most of your files.',
    });
    expect(decideIn(runs('npm test'), 'ask', [], { sandbox: { ...ON, hidesHome: true } })).toMatchObject({
      reason:
        'run_shell runs a program. In the sandbox it can change the workspace and read the system, but of your home directory only programs and their libraries.',
    });
  });

  const OFF: SandboxState = { type: 'off', reason: 'bubblewrap is not installed' };
  const CHOSEN: SandboxState = { type: 'off', reason: '--no-sandbox', chosen: true };
  const network: CallToDecide = { ...runs('npm ci'), effect: { ...runs('npm ci').effect, network: true } };
  const sockets: CallToDecide = { ...runs('npm ci'), effect: { ...runs('npm ci').effect, localSockets: true } };
  const program = call('lint', 'execute', { program: { path: '/t/lint', input: '{}' }, workingDirectory: '/w' });
  const session: readonly PermissionRule[] = [
    { type: 'exact_command', command: 'npm ci', workingDirectory: '/w' },
    { type: 'exact_command', command: 'npm test', workingDirectory: '/w' },
  ];

  it.each<[string, CallToDecide, SandboxState | undefined, PermissionMode, string]>([
    ['a command in full access', runs('npm test'), ON, 'full-access', 'allow permission mode full-access'],
    ['a command without a sandbox', runs('npm test'), OFF, 'full-access', 'ask no sandbox'],
    [
      'a command without a sandbox, by choice',
      runs('npm test'),
      CHOSEN,
      'full-access',
      'allow permission mode full-access',
    ],
    [
      'a command without a known state of the sandbox',
      runs('npm test'),
      undefined,
      'full-access',
      'allow permission mode full-access',
    ],
    ['a command in ask mode', runs('npm test'), OFF, 'ask', 'ask permission mode ask'],
    ['a command in read-only mode', runs('npm test'), OFF, 'read-only', 'deny permission mode read-only'],
    ['a blocked command', runs('sudo ls'), OFF, 'full-access', 'deny safety.blocked_commands: sudo'],
    ['a program', program, OFF, 'full-access', 'ask no sandbox'],
    ['a tool without a program', call('wait', 'execute', {}), OFF, 'full-access', 'allow permission mode full-access'],
    ['a write', writes('/w/a'), OFF, 'full-access', 'allow permission mode full-access'],
    ['the network', network, ON, 'full-access', 'ask network'],
    ['local sockets', sockets, ON, 'full-access', 'ask local sockets'],
    ['local sockets without a sandbox', sockets, OFF, 'full-access', 'ask no sandbox'],
    ['the network without a sandbox', network, OFF, 'full-access', 'ask no sandbox'],
    ['the network without a sandbox, by choice', network, CHOSEN, 'full-access', 'allow permission mode full-access'],
  ])('is made for %s', (_name, decided, sandbox, mode, expected) => {
    expect(shortIn(decided, mode, [], { sandbox })).toBe(expected);
  });

  it('asks about the network, whatever the rules of the session', () => {
    expect(decideIn(runs('npm ci'), 'ask', session, { sandbox: ON }).type).toBe('allow');
    expect(decideIn(network, 'ask', session, { sandbox: ON })).toEqual({
      type: 'ask',
      rule: 'network',
      reason: 'It may use the network and could send what it reads, so it always needs your approval.',
      sandbox: ON,
    });
  });

  it('asks about servers that are not granted, and offers to grant them', () => {
    const wanted: CallToDecide = { ...runs('npm ci'), effect: { ...runs('npm ci').effect, hosts: ['a.org'] } };
    const offered = [{ type: 'hosts', hosts: ['a.org'] } as const];
    const asked = decideIn(wanted, 'full-access', [], { sandbox: ON });
    expect(asked).toMatchObject({ type: 'ask', rule: 'network', offersMore: offered });
    expect(decideIn(wanted, 'full-access', [], { sandbox: ON, offersRules: false })).not.toHaveProperty('offersMore');
    for (const [rules, hosts] of [
      [offered, undefined],
      [[], ['*.org']],
    ] as const) {
      const sandbox = { ...ON, ...(hosts && { hosts }) };
      expect(shortIn(wanted, 'full-access', rules, { sandbox })).toBe('allow permission mode full-access');
      expect(shortIn(wanted, 'ask', rules, { sandbox })).toBe('ask permission mode ask');
    }
    const trusted = { sandbox: ON, assumptions: ['trusted', 'sandboxed'] } as const;
    const reads: CallToDecide = { ...runs('pwd'), effect: { ...runs('pwd').effect, hosts: ['a.org'] } };
    expect(shortIn(runs('pwd'), 'ask', offered, trusted)).toBe('allow read-only command');
    expect(shortIn(reads, 'ask', offered, trusted)).toBe('ask permission mode ask');
  });

  it.each(['ask', 'full-access'] as const)('asks without a sandbox in the mode %s, whatever the rules', (mode) => {
    const allowList = parseAllowList(['npm test']);
    expect(decideIn(runs('npm test'), 'ask', [], { sandbox: ON, allowList }).type).toBe('allow');
    expect(decideIn(runs('npm test'), mode, session, { sandbox: CHOSEN }).type).toBe('allow');
    const asked = decideIn(runs('npm test'), mode, session, { sandbox: OFF, allowList });
    expect(asked).toMatchObject({ type: 'ask', sandbox: OFF });
    expect(asked).not.toHaveProperty('offers');
  });

  it('names the missing sandbox as the reason if it is the only one', () => {
    expect(decideIn(runs('npm test'), 'full-access', [], { sandbox: OFF })).toMatchObject({
      reason:
        'There is no sandbox (bubblewrap is not installed), so every command asks, unless you start ybs with --no-sandbox.',
    });
  });
});

describe('the settings of a path outside the project', () => {
  const rules = (read: 'ask' | 'mode', write: 'ask' | 'mode' | 'deny') => ({
    pathRules: { ...RULES, outside: { read, write } },
  });
  it.each<[string, CallToDecide, ReturnType<typeof rules>, string]>([
    // decision in the modes                                            ask   accept-edits read-only full-access
    ['a read, by default', reads('/out/a'), rules('ask', 'deny'), 'ask ask ask allow'],
    ['a write, by default', writes('/out/a'), rules('ask', 'deny'), 'deny deny deny deny'],
    ['a write that is not restricted', writes('/out/a'), rules('ask', 'ask'), 'ask ask deny allow'],
    ['a read without approval', reads('/out/a'), rules('mode', 'deny'), 'allow allow allow allow'],
    ['a write without approval', writes('/out/a'), rules('mode', 'mode'), 'ask allow deny allow'],
    ['a write of a file that others run', writes('/out/.bashrc'), rules('mode', 'mode'), 'ask ask deny allow'],
    [
      'a write of a file with secrets that others run',
      writes('/out/.envrc'),
      rules('mode', 'mode'),
      'ask ask deny allow',
    ],
    ['a write of a file with secrets', writes('/out/.env'), rules('mode', 'mode'), 'deny deny deny deny'],
    ['a read of a file with secrets', reads('/out/.env'), rules('mode', 'mode'), 'ask ask ask allow'],
    ['a write in a directory of the system', writes('/etc/a'), rules('mode', 'mode'), 'deny deny deny deny'],
    ['a write of a log of the session', writes('/logs/1'), rules('mode', 'mode'), 'deny deny deny deny'],
    ['a command there', runs('ls', '/out'), rules('mode', 'mode'), 'ask ask deny allow'],
  ])('decide about %s', (_name, decided, settings, expected) => {
    expect(inModes(decided, settings)).toBe(expected);
  });

  it('name the reason of a question', () => {
    expect(decideIn(writes('/out/a'), 'accept-edits', [], rules('ask', 'ask'))).toEqual(
      asks(
        'path outside the workspace',
        'The path is outside the workspace, so changing it always needs your approval.',
      ),
    );
  });
});

describe('a session in which only listed commands may run', () => {
  const settings = { allowsUnlisted: false, allowList: parseAllowList(['npm test']) };
  it.each<[string, CallToDecide, string]>([
    ['a listed command', runs('npm test'), 'allow allow deny allow'],
    ['a command that only reads', runs('ls -l'), 'ask ask deny allow'],
    ['another command', runs('npm publish'), 'deny deny deny deny'],
    ['a command that cannot be read', runs('$X ls'), 'deny deny deny deny'],
    ['a write', writes('/w/a'), 'ask allow deny allow'],
  ])('decides about %s', (_name, decided, expected) => {
    expect(inModes(decided, settings)).toBe(expected);
  });

  it('resolves a command without a directory in the workspace', () => {
    const decided = call('run_shell', 'execute', { command: 'sh build.sh' });
    expect(decideIn(decided, 'ask', [], settings).type).toBe('deny');
    const written = new Map([['/w/build.sh', 0]]);
    const decision = decideIn(decided, 'ask', [], { written });
    expect(decision.type === 'ask' && decision.reason).toContain('It runs code that the model wrote: build.sh.');
  });

  it('offers no rule if there is no user to ask', () => {
    expect(decideIn(runs('npm test'), 'ask', [])).toHaveProperty('offers');
    expect(decideIn(runs('npm test'), 'ask', [], { offersRules: false })).not.toHaveProperty('offers');
  });

  it('names the code of this session that a command may run, even with the network', () => {
    const written = new Map(['/w/a.md', '/w/a.js', '/w/b.js', '/w/c/d.js', '/w/e.js'].map((file) => [file, 0]));
    const reason = (decided: CallToDecide, files = written): string => {
      const decision = decideIn(decided, 'ask', [], { written: files, sandbox: { type: 'on', program: 'bubblewrap' } });
      return decision.type === 'ask' ? (decision.reason ?? '') : '';
    };
    const note = ' It may run code that the model wrote: e.js, c/d.js, b.js and 1 more.';
    expect(reason(runs('npm test'))).toContain(note);
    const network = { ...runs('npm ci'), effect: { ...runs('npm ci').effect, network: true as const } };
    expect(reason(network)).toContain(note);
    const sockets = { ...runs('tsx'), effect: { ...runs('tsx').effect, localSockets: true as const } };
    expect(reason(sockets)).toContain(note);
    expect(reason(runs('npm test'), new Map([['/w/a.js', 0]]))).toContain('that the model wrote: a.js.');
    expect(reason(runs('rm -r out'))).not.toContain('that the model wrote');
    expect(reason(runs('npm test'), new Map([['/w/a.md', 0]]))).not.toContain('that the model wrote');
    expect(reason(call('mine', 'execute', {}))).not.toContain('that the model wrote');
  });

  it('resolves a command in its own directory', () => {
    const written = new Map([['/w/src/build.sh', 0]]);
    const inSource = decideIn(runs('sh build.sh', '/w/src'), 'ask', [], { written });
    expect(inSource.type === 'ask' && inSource.reason).toContain('It runs code that the model wrote: src/build.sh.');
  });

  it('names its rule, which no answer and no level overrides', () => {
    const levels = { run_shell: 'automatic' } as const;
    expect(decideIn(runs('npm publish'), 'full-access', [], { ...settings, levels })).toEqual(
      denies(
        'safety.allow_unlisted_commands',
        'Only the commands in safety.allowed_commands and commands that only read may run. Use one of them.',
      ),
    );
  });
});

it('the question about a program names no sandbox if its state is unknown', () => {
  const program = call('go', 'execute', { program: { path: '/p', input: '{}' } });
  expect(decideIn(program, 'ask')).not.toHaveProperty('sandbox');
});

describe('a decision names the row of the table that made it', () => {
  const trusted = { assumptions: ['trusted', 'sandboxed'] } as const;
  const off = { sandbox: { type: 'off', reason: 'none' } } as const;
  const network: CallToDecide = { ...runs('npm ci'), effect: { ...runs('npm ci').effect, network: true } };
  const once: PermissionRule = { type: 'exact_command', command: 'npm test', workingDirectory: '/w' };
  const plan = call('present_plan', 'read', { plan: '1. Add.' });
  const hook = (verdict: 'allow' | 'ask' | 'deny', decided = runs('npm test')): CallToDecide => ({
    ...decided,
    effect: { ...decided.effect, host: { verdict, reason: 'so' } },
  });

  const viewed = call('run_shell', 'execute', { command: 'ls x', workingDirectory: '/w', view: 'files' });
  // A link to something that every command in a view may read.
  const viewedLink = call('run_shell', 'execute', {
    ...{ command: 'cat a', workingDirectory: '/w', view: 'files' },
    reads: [{ requested: '/w/a', realPath: '/usr/a', access: 'read' }],
  });

  it.each<[string, CallToDecide, PermissionMode, Partial<DecisionSettings>, (readonly PermissionRule[])?]>([
    ['path', writes('/etc/a'), 'ask', {}],
    ['blocked command', runs('sudo ls'), 'ask', {}],
    ['command while planning', runs('ls'), 'plan', trusted],
    ['denied', runs('npm test'), 'read-only', {}],
    ['plan', plan, 'plan', {}],
    ['unlisted command', runs('npm test'), 'ask', { allowsUnlisted: false }],
    ['unreadable command', runs('$X'), 'ask', {}],
    ['protected file', writes('/w/a', 'write_file', PROTECTED), 'full-access', {}],
    ['path that asks', reads('/w/.env'), 'ask', {}],
    ['network', network, 'ask', { sandbox: { type: 'on', program: 'bubblewrap' } }],
    ['automatic', reads('/w/a'), 'ask', {}],
    ['read-only command', runs('ls'), 'ask', trusted],
    ['no sandbox', runs('npm test'), 'full-access', off],
    ['every use', runs('npm test'), 'ask', off],
    ['allowed command', runs('npm test'), 'ask', { allowList: parseAllowList(['npm test']) }],
    ['grant of the user', runs('npm test'), 'ask', {}, [once]],
    ['view of the workspace', viewed, 'ask', trusted],
    ['view of the workspace', viewedLink, 'ask', trusted],
    ['question', { ...viewed, effect: { ...viewed.effect, writes: true } }, 'ask', trusted],
    ['question', viewed, 'ask', {}],
    // What the user has allowed runs as it is.
    ['allowed command', viewed, 'ask', { ...trusted, allowList: parseAllowList(['ls x']) }],
    ['automatic', viewed, 'full-access', trusted],
    ['question', runs('npm test'), 'ask', {}],
    ['hook', hook('deny'), 'ask', {}],
    ['hook', hook('allow'), 'ask', {}],
    ['hook', hook('ask'), 'full-access', {}],
    ['question', hook('ask'), 'ask', {}],
    ['automatic', hook('allow'), 'full-access', {}],
    ['path', hook('allow', writes('/etc/a')), 'full-access', {}],
  ])('%s', (row, decided, mode, settings, rules) => {
    expect(decideByRow(decided, mode, rules, settings).decidedBy).toBe(row);
  });
});

describe('a decision tells the user', () => {
  const sandbox = { type: 'on', program: 'bwrap' } as const;
  const program = call('go', 'execute', { program: { path: '/p', input: '{}' } });
  const plan = call('present_plan', 'read', { plan: '1. Add.' });

  it.each<[string, CallToDecide, PermissionMode, object]>([
    ['the sandbox of a program in its question', program, 'ask', { sandbox }],
    ['the sandbox of a command in its question', runs('npm publish'), 'ask', { sandbox }],
    [
      'the purpose of a plan',
      plan,
      'plan',
      { rule: 'plan', reason: 'Nothing is changed before you approve the plan.' },
    ],
    ['that a link is named like a secret', through('/w/.env', 'write'), 'ask', { rule: 'file with secrets' }],
    [
      'that a link with another name leads to a secret',
      call('read_file', 'read', { paths: [{ requested: 'notes', realPath: '/w/.env', access: 'read' }] }),
      'ask',
      { rule: 'file with secrets' },
    ],
    ['that a read may show a secret', through('.envrc', 'read'), 'ask', { rule: 'file with secrets' }],
    ['that a write may run something', through('.envrc', 'write'), 'ask', { rule: 'guarded path' }],
    [
      'that no command runs in plan mode before the project is trusted',
      runs('ls'),
      'plan',
      {
        reason:
          'run_shell is not allowed in permission mode plan. Commands that read run here once the user trusts the project with ybs trust. Only read, and call present_plan with what you would change and run.',
      },
    ],
    [
      'what to do in plan mode instead',
      writes('/w/a'),
      'plan',
      {
        reason:
          'write_file is not allowed in permission mode plan. Only read, and call present_plan with what you would change and run.',
      },
    ],
  ])('%s', (_name, decided, mode, expected) => {
    expect(decideIn(decided, mode, [], { sandbox })).toMatchObject(expected);
  });

  it.each<[string, CallToDecide, PermissionMode]>([
    ['a write', writes('/w/a'), 'ask'],
    ['a command that runs without a question', runs('npm test'), 'full-access'],
  ])('nothing about the sandbox for %s', (_name, decided, mode) => {
    expect(decideIn(decided, mode, [], { sandbox })).not.toHaveProperty('sandbox');
  });
});

describe('a tool of a server', () => {
  const mcp = { server: 'srv', tool: 't', input: '{}' };
  const ofServer = (more: object = {}, effect: Partial<PlannedEffect> = {}) =>
    call('srv__t', 'execute', { mcp: { ...mcp, ...more }, toolName: 'srv__t', ...effect });
  const granted: readonly PermissionRule[] = [{ type: 'mcp', server: 'srv' }];

  it('needs a question with the server and its grants, and is denied in a read-only mode', () => {
    expect(inModes(ofServer())).toBe(inModes(call('srv__t', 'execute', { program: { path: '/p', input: '{}' } })));
    expect(decideIn(ofServer(), 'ask')).toMatchObject({
      ...{ type: 'ask', reason: expect.stringContaining('The server srv gets these arguments') },
      ...{ offers: { type: 'mcp', server: 'srv', tool: 't' }, offersDirectory: { type: 'mcp', server: 'srv' } },
    });
    expect(decideIn(ofServer(), 'ask', granted)).toMatchObject({ type: 'allow' });
    expect(decideIn(ofServer({}, { unchanged: true }), 'ask')).toMatchObject({ type: 'allow' });
    expect(decideIn(ofServer(), 'ask', [], { levels: { srv__t: 'denied' } })).toMatchObject({ type: 'deny' });
  });

  it.each([
    ['first start', { start: 'npx server' }],
    ['changed tool', { changed: true }],
  ])('needs a new question, whatever is granted: %s', (rule, more) => {
    const automatic = { levels: { srv__t: 'automatic' } } as const;
    for (const mode of ['ask', 'accept-edits'] as const) {
      expect(decideIn(ofServer(more, { unchanged: true }), mode, granted, automatic)).toMatchObject({
        type: 'ask',
        rule,
      });
    }
    expect(decideIn(ofServer(more), 'full-access')).toMatchObject({ type: 'allow' });
    expect(decideIn(ofServer(more), 'read-only')).toMatchObject({ type: 'deny' });
  });
});

describe('the grants of a question about a command', () => {
  const on = { sandbox: { type: 'on', program: 'bubblewrap' } } as const;
  const SANDBOX: PermissionRule = { type: 'sandboxed_commands' };
  const PREFIX: PermissionRule = { type: 'command_prefix', words: ['npm', 'test'] };
  const beyond = (effect: Partial<PlannedEffect>): CallToDecide =>
    call('run_shell', 'execute', { command: 'npm test', workingDirectory: '/w', ...effect });

  it('are offered if they cover it', () => {
    expect(decideIn(runs('npm test'), 'ask', [], on)).toMatchObject({ offersMore: [PREFIX, SANDBOX] });
    expect(decideIn(runs('./x.sh'), 'ask', [], on)).toMatchObject({ offersMore: [SANDBOX] });
    expect(decideIn(runs('rm -rf x'), 'ask', [], on)).not.toHaveProperty('offersMore');
    expect(decideIn(runs('npm test'), 'ask')).toMatchObject({ offersMore: [PREFIX] });
  });

  it.each<[string, PermissionRule, CallToDecide, string]>([
    ['the same words', PREFIX, runs('npm test -- a'), 'run_shell: npm test *'],
    [
      'another command in the sandbox',
      SANDBOX,
      runs('make all && ./x.sh > out'),
      'run_shell: every command in the sandbox, also of code that the model wrote; not what destroys, and no network',
    ],
  ])('allow %s', (_name, rule, decided, described) => {
    expect(decideIn(decided, 'ask', [rule], on)).toEqual({ type: 'allow', rule: described });
  });

  it.each<[string, PermissionRule, CallToDecide]>([
    ['other words', PREFIX, runs('npm run x')],
    ['the network', SANDBOX, beyond({ network: true })],
    ['sockets of this machine', SANDBOX, beyond({ localSockets: true })],
    ['a guarded file', SANDBOX, beyond({ paths: [{ requested: '.env', realPath: '/w/.env', access: 'read' }] })],
    ['a command that hides what it runs', SANDBOX, runs('eval "$X"')],
    ['a command that destroys', SANDBOX, runs('git reset --hard')],
    ['a command that overwrites', SANDBOX, beyond({ command: 'x > a', overwrites: ['a'] })],
    ['a name with secrets', SANDBOX, runs('cat .env')],
    ['a name that other programs run', SANDBOX, runs('echo x > .envrc')],
    ['a name with secrets behind the words', PREFIX, runs('npm test .env')],
    ['the network behind the words', PREFIX, beyond({ network: true })],
    ['sockets behind the words', PREFIX, beyond({ localSockets: true })],
    ['a call without a command', PREFIX, call('run_shell', 'execute', {})],
    ['a call without a command in the sandbox', SANDBOX, call('run_shell', 'execute', {})],
    ['a write of a file', SANDBOX, writes('/w/a')],
  ])('do not cover %s', (_name, rule, decided) => {
    expect(decideIn(decided, 'ask', [rule], on).type).toBe('ask');
  });

  it('allow a line if each part begins with the words of one of them', () => {
    const rules: readonly PermissionRule[] = [
      { type: 'command_prefix', words: ['git', 'add'] },
      { type: 'command_prefix', words: ['git', 'commit'] },
    ];
    expect(decideIn(runs('git add -A && git commit -m x'), 'ask', rules, on).type).toBe('allow');
    expect(decideIn(runs('git add -A && git push'), 'ask', rules, on).type).toBe('ask');
  });

  it('do not apply outside the sandbox, in plan mode, or if every command asks', () => {
    expect(decideIn(runs('make'), 'ask', [SANDBOX]).type).toBe('ask');
    expect(decideIn(runs('make'), 'plan', [SANDBOX], on).type).toBe('deny');
    expect(decideIn(runs('make'), 'ask', [SANDBOX], { ...on, levels: { run_shell: 'ask_always' } }).type).toBe('ask');
  });

  it('apply to a file that the model has written since only in the sandbox', () => {
    const written = new Map([['/w/x.sh', 1]]);
    expect(decideIn(runs('./x.sh'), 'ask', [SANDBOX], { ...on, written }).type).toBe('allow');
    expect(
      decideIn(runs('make x'), 'ask', [{ type: 'command_prefix', words: ['make', 'x'] }], {
        ...on,
        written: new Map([['/w/Makefile', 1]]),
      }).type,
    ).toBe('ask');
  });
});
