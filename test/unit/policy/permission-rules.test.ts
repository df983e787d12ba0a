import { describe, expect, it } from 'vitest';
import type { PermissionRule } from '../../../src/agent/ports/approver.ts';
import { describeOffer, describeRule } from '../../../src/policy/describe-rule.ts';
import type { PathRules } from '../../../src/policy/paths/path-policy.ts';
import {
  allowsChanges,
  mayKeepRule,
  offerRules,
  type PlannedToolCall,
  ruleAllows,
} from '../../../src/policy/permission-rules.ts';
import { ruleRunsFile } from '../../../src/policy/shell/written-scripts.ts';

const RULES: PathRules = {
  workspace: '/w',
  allowedRoots: ['/w', '/data'],
  readOnlyRoots: [],
  blockedPaths: [],
  platform: 'posix',
};

function writing(toolName: string, ...realPaths: readonly string[]): PlannedToolCall {
  const paths = realPaths.map((realPath) => ({ requested: realPath, realPath, access: 'write' as const }));
  return { toolName, toolEffect: 'write', effect: { summary: 'a call', paths } };
}

const READ: PlannedToolCall = { ...writing('look'), toolEffect: 'read' };

describe('the rules for a tool of a server', () => {
  const call = (mcp: PlannedToolCall['effect']['mcp']): PlannedToolCall => ({
    ...{ toolName: 'srv__t', toolEffect: 'execute' },
    effect: { summary: 'a call', paths: [], ...(mcp !== undefined && { mcp }) },
  });
  const ofTool = { type: 'mcp', server: 'srv', tool: 't' } as const;
  const ofServer = { type: 'mcp', server: 'srv' } as const;

  it('are offered for the tool and for the server', () => {
    expect(offerRules(call({ server: 'srv', tool: 't', input: '{}' }), { pathRules: RULES })).toEqual({
      ...{ offers: ofTool, offersDirectory: ofServer },
    });
    expect(offerRules(call({ server: 'srv', input: '{}' }), { pathRules: RULES })).toEqual({ offers: ofServer });
  });

  it.each([
    [ofTool, { server: 'srv', tool: 't', input: '{}' }, true],
    [ofTool, { server: 'srv', tool: 'u', input: '{}' }, false],
    [ofTool, { server: 'other', tool: 't', input: '{}' }, false],
    [ofServer, { server: 'srv', tool: 'u', input: '{}' }, true],
    [ofServer, { server: 'other', tool: 't', input: '{}' }, false],
    [ofServer, undefined, false],
  ])('%j allows %j: %j', (rule, mcp, allowed) => {
    expect(ruleAllows(rule, call(mcp), { pathRules: RULES })).toBe(allowed);
  });

  it('are described, stored, and allow calls with effects', () => {
    expect(describeRule(ofTool)).toBe('t of the server srv: every call');
    expect(describeRule(ofServer)).toBe('every tool of the server srv');
    const ofHosts: PermissionRule = { type: 'hosts', hosts: ['a.org', 'b.org'] };
    expect(describeRule(ofHosts)).toBe('every command in the sandbox reaches a.org, b.org');
    expect(ruleAllows(ofHosts, READ, { pathRules: RULES })).toBe(false);
    expect(mayKeepRule(ofTool, RULES)).toBe(true);
    expect(allowsChanges(ofTool)).toBe(true);
  });
});

describe('describeOffer', () => {
  const directory = { workingDirectory: '/w' };

  it.each<[string, PermissionRule, string]>([
    ['a short command', { type: 'exact_command', command: 'npm test', ...directory }, 'npm test'],
    ['200 characters', { type: 'exact_command', command: 'e'.repeat(200), ...directory }, 'e'.repeat(200)],
    ['201 characters', { type: 'exact_command', command: 'e'.repeat(201), ...directory }, 'exactly this command'],
    ['two lines', { type: 'exact_command', command: 'ls\nls', ...directory }, 'exactly this command'],
  ])('truncates a long command: %s', (_name, rule, shown) => {
    expect(describeOffer(rule)).toBe(`run_shell: ${shown} (in /w)`);
  });

  it('describes other rules completely', () => {
    const rule: PermissionRule = { type: 'write_directory', directory: '/w' };
    expect(describeOffer(rule)).toBe(describeRule(rule));
  });
});

describe('describeRule', () => {
  it.each<[PermissionRule, string, string]>([
    [
      { type: 'edit_read_files' },
      'every edit of a file that was read in this session and has not changed since',
      'every edit of a file that was read in this session and has not changed since',
    ],
    [
      { type: 'write_directory', directory: '/w/src' },
      'every write of a new file, or of one read in this session, in src/',
      'every write of a new file, or of one read in this session, in /w/src',
    ],
    [
      { type: 'exact_command', command: 'npm test', workingDirectory: '/w/src' },
      'run_shell: npm test (in src/)',
      'run_shell: npm test (in /w/src)',
    ],
    [
      { type: 'exact_command', command: 'npm test', workingDirectory: '/w' },
      'run_shell: npm test (in the workspace)',
      'run_shell: npm test (in /w)',
    ],
    [
      { type: 'reads_of_tool', toolName: 'read_file' },
      'read_file: every call that only reads',
      'read_file: every call that only reads',
    ],
  ])('describes %j', (rule, shown, unshortened) => {
    expect(describeRule(rule, RULES)).toBe(shown);
    expect(describeRule(rule)).toBe(unshortened);
  });
});

describe('offerRules', () => {
  it.each<[string, PlannedToolCall, PermissionRule | undefined]>([
    ['one write', writing('write_file', '/w/src/a'), { type: 'write_directory', directory: '/w/src' }],
    ['two writes', writing('write_file', '/w/a', '/w/b'), undefined],
    ['a write in another root', writing('write_file', '/data/a'), undefined],
    ['a write of a guarded file', writing('write_file', '/w/.env'), undefined],
    ['a write by a tool without a rule', writing('scribble', '/w/a'), undefined],
    ['an edit of an unread file', writing('edit_file', '/w/a'), undefined],
    ['a call that writes nothing', writing('write_file'), undefined],
    ['a call that only reads', READ, { type: 'reads_of_tool', toolName: 'look' }],
    [
      'a command without a directory',
      { toolName: 'run_shell', toolEffect: 'execute', effect: { summary: '', paths: [], command: 'ls' } },
      undefined,
    ],
  ])('returns the right rule for %s', (_name, call, rule) => {
    expect(offerRules(call, { pathRules: RULES }).offers).toEqual(rule);
  });

  it.each<[string, PlannedToolCall, string | undefined]>([
    ['one write', writing('write_file', '/w/src/a'), '/w/src'],
    ['two writes in one directory', writing('move', '/w/src/a', '/w/src/b'), '/w/src'],
    ['two writes in two directories', writing('move', '/w/src/a', '/w/b'), undefined],
    ['a write of a guarded file', writing('write_file', '/w/.git/hooks/a'), undefined],
    ['a write in another root', writing('write_file', '/data/a'), undefined],
    ['a call that writes nothing', READ, undefined],
  ])('offers changes in a directory for %s', (_name, call, directory) => {
    const offered = directory === undefined ? undefined : { type: 'file_operations', directory };
    expect(offerRules(call, { pathRules: RULES }).offersDirectory).toEqual(offered);
  });

  it.each<[string, PlannedToolCall, boolean]>([
    ['one write', writing('write_file', '/w/src/a'), true],
    ['an edit of an unread file', writing('edit_file', '/w/src/a'), true],
    ['two writes in two directories', writing('move', '/w/src/a', '/w/b'), true],
    ['a write in the workspace itself, which is offered as a directory', writing('write_file', '/w/a'), false],
    ['a write of a guarded file', writing('write_file', '/w/.git/hooks/a'), false],
    ['a write in another root', writing('write_file', '/data/a'), false],
    ['a call that writes nothing', READ, false],
  ])('offers changes in the whole workspace for %s: %s', (_name, call, isOffered) => {
    const { offersMore } = offerRules(call, { pathRules: RULES });
    expect(offersMore).toEqual(isOffered ? [{ type: 'file_operations', directory: '/w' }] : undefined);
  });
});

describe('a permission rule', () => {
  it('allows nothing if its type is unknown', () => {
    const rule = JSON.parse('{"type":"everything"}');
    expect(ruleAllows(rule, writing('write_file', '/w/a'), { pathRules: RULES })).toBe(false);
    expect(describeRule(rule)).toEqual(rule);
  });

  it.each<[string, PlannedToolCall, boolean]>([
    ['a read of its tool', READ, true],
    ['a read of another tool', { ...READ, toolName: 'see' }, false],
    ['a tool that may have effects', { ...READ, toolEffect: 'execute' }, false],
    ['a read that writes', { ...writing('look', '/w/a'), toolEffect: 'read' }, false],
    ['a read that runs a command', { ...READ, effect: { ...READ.effect, command: 'ls' } }, false],
  ])('for the reads of a tool decides about %s', (_name, call, isAllowed) => {
    expect(ruleAllows({ type: 'reads_of_tool', toolName: 'look' }, call, { pathRules: RULES })).toBe(isAllowed);
  });

  it('allows a call only when every written path is beneath its directory', () => {
    const rule: PermissionRule = { type: 'write_directory', directory: '/w/src' };
    expect(ruleAllows(rule, writing('write_file', '/w/src/a', '/w/src/b'), { pathRules: RULES })).toBe(true);
    expect(ruleAllows(rule, writing('write_file', '/w/src/a', '/w/b'), { pathRules: RULES })).toBe(false);
    expect(ruleAllows(rule, writing('write_file'), { pathRules: RULES })).toBe(false);
  });

  it('for the changes of a directory allows a call only if it changes files, all of them in the directory', () => {
    const rule: PermissionRule = { type: 'file_operations', directory: '/w/src' };
    expect(ruleAllows(rule, writing('move', '/w/src/a', '/w/src/b'), { pathRules: RULES })).toBe(true);
    expect(ruleAllows(rule, writing('move', '/w/src/a', '/w/b'), { pathRules: RULES })).toBe(false);
    expect(ruleAllows(rule, writing('move'), { pathRules: RULES })).toBe(false);
  });

  it.each<[PermissionRule, boolean]>([
    [{ type: 'edit_read_files' }, true],
    [{ type: 'reads_of_tool', toolName: 'look' }, true],
    [{ type: 'exact_command', command: 'npm test', workingDirectory: '/w/src' }, true],
    [{ type: 'exact_command', command: 'npm test', workingDirectory: '/data' }, false],
    [{ type: 'write_directory', directory: '/w/src' }, true],
    [{ type: 'write_directory', directory: '/w/.git/hooks' }, false],
    [{ type: 'file_operations', directory: '/w' }, true],
    [{ type: 'file_operations', directory: '/' }, false],
  ])('may be stored for later sessions if its directory is an ordinary one of the workspace: %j', (rule, isKept) => {
    expect(mayKeepRule(rule, RULES)).toBe(isKept);
  });

  it.each<[PermissionRule, boolean]>([
    [{ type: 'reads_of_tool', toolName: 'look' }, false],
    [{ type: 'exact_command', command: 'npm test', workingDirectory: '/w' }, true],
    [{ type: 'write_directory', directory: '/w' }, true],
    [{ type: 'file_operations', directory: '/w' }, true],
    [{ type: 'edit_read_files' }, true],
  ])('allows changes unless it only covers reads: %j', (rule, changes) => {
    expect(allowsChanges(rule)).toBe(changes);
  });

  it.each<[PermissionRule, boolean]>([
    [{ type: 'exact_command', command: 'sh ./check.sh', workingDirectory: '/w/src' }, true],
    [{ type: 'exact_command', command: 'sh ./other.sh', workingDirectory: '/w/src' }, false],
    [{ type: 'edit_read_files' }, false],
  ])('is known to run the file src/check.sh if its command does: %j', (rule, runs) => {
    expect(ruleRunsFile(rule, '/w/src/check.sh', RULES)).toBe(runs);
  });
});

describe('the rules about commands', () => {
  const prefix = (...words: readonly string[]): PermissionRule => ({ type: 'command_prefix', words });

  it('may be stored for later sessions if their words limit the program, but never for everything in the sandbox', () => {
    expect(mayKeepRule(prefix('npm', 'test'), RULES)).toBe(true);
    expect(mayKeepRule(prefix('bash'), RULES)).toBe(false);
    expect(mayKeepRule({ type: 'sandboxed_commands' }, RULES)).toBe(false);
    expect(mayKeepRule({ type: 'hosts', hosts: ['a.org'] }, RULES)).toBe(false);
  });

  it('are removed when the model writes the file that their words run', () => {
    expect(ruleRunsFile(prefix('make', 'x'), '/w/Makefile', RULES)).toBe(true);
    expect(ruleRunsFile(prefix('git', 'add', '&&', 'make', 'x'), '/w/Makefile', RULES)).toBe(true);
    expect(ruleRunsFile(prefix('npm', 'test'), '/w/other.txt', RULES)).toBe(false);
  });

  it.each([
    ['git add -A && git commit -m x', true],
    ['git commit -qm y', true],
    ['git add -A && git push', false],
    ['git add', true],
  ])('for the parts of a line decide on %s: %s', (command, expected) => {
    const rule = prefix('git', 'add', '&&', 'git', 'commit');
    const effect = { summary: '', command, workingDirectory: '/w', paths: [] };
    const call = { toolName: 'run_shell', toolEffect: 'execute', effect } as const;
    expect(ruleAllows(rule, call, { pathRules: RULES })).toBe(expected);
    expect(describeRule(rule)).toBe('run_shell: git add * && git commit *');
  });
});
