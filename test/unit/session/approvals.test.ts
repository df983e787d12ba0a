import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../src/agent/errors.ts';
import type { ApprovalDecision, PermissionRule } from '../../../src/agent/ports/approver.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { EMPTY_SESSION } from '../../../src/agent/session-state.ts';
import { computeDigest } from '../../../src/node/system.ts';
import type { PathRules } from '../../../src/policy/paths/path-policy.ts';
import { mayKeepEverywhere, mayKeepRule } from '../../../src/policy/permission-rules.ts';
import { ruleRunsFile } from '../../../src/policy/shell/written-scripts.ts';
import { openPermissions } from '../../../src/session/approvals/session-permissions.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const COMMAND: PermissionRule = { type: 'exact_command', command: 'npm test', workingDirectory: '/w' };
const SCRIPT: PermissionRule = { type: 'exact_command', command: 'sh build.sh', workingDirectory: '/w' };
const FILES: PermissionRule = { type: 'file_operations', directory: '/w/src' };
const EDITS: PermissionRule = { type: 'edit_read_files' };
const SECRET = 'hunter2-hunter2';
const DIRECTORY = '/home/ada/.config/ybs/approvals';
const FILE = `${DIRECTORY}/${computeDigest(new TextEncoder().encode('/w'))}.json`;

type Memory = ReturnType<typeof createMemoryFileSystem>;

/** A session of this workspace on this disk. */
function openSession(
  memory: Memory,
  { workspace = '/w', isKept = true, fileSystem = memory.fileSystem }: Partial<SessionFacts> = {},
) {
  const pathRules: PathRules = {
    workspace,
    home: '/home/ada',
    allowedRoots: [workspace],
    readOnlyRoots: [],
    blockedPaths: [],
    platform: 'posix',
  };
  const redactor = { redact: (text: string) => text.replaceAll(SECRET, '[redacted:secret]') };
  const mayKeep = (rule: PermissionRule) => mayKeepRule(rule, pathRules);
  const runsFile = (rule: PermissionRule, file: string) => ruleRunsFile(rule, file, pathRules);
  const note = async () => {};
  const ports = {
    ...{ note, fileSystem, digest: computeDigest, home: '/home/ada', redactor, workspace, mayKeep, runsFile },
    mayKeepEverywhere,
  };
  const session = { state: EMPTY_SESSION };
  return openPermissions(session, 'ask', isKept, ports);
}

interface SessionFacts {
  readonly workspace: string;
  readonly isKept: boolean | undefined;
  readonly fileSystem: Memory['fileSystem'];
}

/** Gives these answers in a session, and returns the warnings at the end of the run. */
async function allow(memory: Memory, rules: readonly PermissionRule[], facts: Partial<SessionFacts> = {}) {
  const observer = openSession(memory, facts).observe();
  await observer.before({ type: 'turn_start', turn: 1, model: { provider: 'p', wire: 'w', model: 'm' } });
  for (const added of rules) {
    await observer.before({ type: 'approval_decision', callId: 'c', decision: { type: 'session' }, added });
  }
  await observer.before({ type: 'approval_decision', callId: 'c', decision: { type: 'once' } });
  return observer.end();
}

interface WriteFacts {
  readonly path: string;
  readonly access?: 'read' | 'write';
  /** The answer to the question about the write; absent if no question is expected. */
  readonly asks?: ApprovalDecision;
}

/** The model writes a file. Returns the warnings at the end of the run. */
async function writeFile(
  memory: Memory,
  { path, access = 'write', asks }: WriteFacts,
  facts: Partial<SessionFacts> = {},
): Promise<readonly AgentEvent[]> {
  const observer = openSession(memory, facts).observe();
  await observer.before({
    type: 'tool_call',
    call: { id: 'c', name: 'write_file', arguments: '{}' },
    effect: { summary: 's', paths: [{ requested: path, realPath: path, access }] },
    permission: asks === undefined ? { type: 'allow', rule: 'r' } : { type: 'ask', rule: 'r', reason: 'r' },
  });
  if (asks !== undefined) await observer.before({ type: 'approval_decision', callId: 'c', decision: asks });
  return observer.end();
}

/** The rules of a new session. */
async function restored(memory: Memory, facts: Partial<SessionFacts> = {}): Promise<readonly PermissionRule[]> {
  const permissions = openSession(memory, facts);
  await permissions.restore();
  return permissions.rules;
}

describe('approvals that are stored', () => {
  it('apply in the next session of the same workspace, without duplicates', async () => {
    const memory = createMemoryFileSystem({ '/home/ada/x': '' });
    expect(await allow(memory, [COMMAND, FILES, COMMAND])).toEqual([]);
    expect(await restored(memory)).toEqual([COMMAND, FILES]);
    expect(await restored(memory, { workspace: '/other' })).toEqual([]);
    expect(await restored(memory, { isKept: false })).toEqual([]);
  });

  it('are in a file that only its owner may read, in a directory that only its owner may enter', async () => {
    const memory = createMemoryFileSystem({ '/home/ada/x': '' });
    await allow(memory, [COMMAND]);
    expect(memory.volume.statSync(FILE).mode & 0o777).toBe(0o600);
    expect(memory.volume.statSync(DIRECTORY).mode & 0o777).toBe(0o700);
    expect(JSON.parse(String(memory.volume.readFileSync(FILE)))).toEqual({
      version: 1,
      workspace: '/w',
      rules: [COMMAND],
    });
  });

  it('are not written without the setting', async () => {
    const memory = createMemoryFileSystem({ '/home/ada/x': '' });
    await allow(memory, [COMMAND], { isKept: false });
    expect(memory.volume.existsSync(DIRECTORY)).toBe(false);
  });

  it.each<[string, PermissionRule]>([
    ['in a guarded directory', { type: 'file_operations', directory: '/w/.git' }],
    ['for writes in a guarded directory', { type: 'write_directory', directory: '/w/.vscode' }],
    ['outside the workspace', { type: 'file_operations', directory: '/data' }],
    ['of a command in another directory', { type: 'exact_command', command: 'ls', workingDirectory: '/data' }],
    ['with a secret', { type: 'exact_command', command: `curl -u ${SECRET} x`, workingDirectory: '/w' }],
  ])('never include rules %s', async (_name, rule) => {
    const memory = createMemoryFileSystem({ '/home/ada/x': '' });
    await allow(memory, [rule]);
    expect(memory.volume.existsSync(FILE)).toBe(false);
    await allow(memory, [EDITS]);
    const content = { version: 1, workspace: '/w', rules: [EDITS, rule] };
    memory.volume.writeFileSync(FILE, JSON.stringify(content));
    expect(await restored(memory)).toEqual([EDITS]);
  });

  it.each<[string, string, number]>([
    ['is damaged', '{"version":1,', 0o600],
    ['has an unknown form', '{"version":1,"workspace":"/w","rules":[{"type":"everything"}]}', 0o600],
    ['belongs to another workspace', '{"version":1,"workspace":"/v","rules":[{"type":"edit_read_files"}]}', 0o600],
    ['others may change', '{"version":1,"workspace":"/w","rules":[{"type":"edit_read_files"}]}', 0o620],
  ])('are ignored if the file %s', async (_name, text, mode) => {
    const memory = createMemoryFileSystem({ '/home/ada/x': '' });
    await allow(memory, [EDITS]);
    memory.volume.writeFileSync(FILE, text);
    memory.volume.chmodSync(FILE, mode);
    expect(await restored(memory)).toEqual([]);
  });

  it('are also removed from the file', async () => {
    const memory = createMemoryFileSystem({ '/home/ada/x': '' });
    await allow(memory, [COMMAND, FILES]);
    const permissions = openSession(memory);
    await permissions.restore();
    await permissions.forget(permissions.rules.slice(0, 1), 'one');
    expect(permissions.rules).toEqual([FILES]);
    expect(await restored(memory)).toEqual([FILES]);
    await permissions.forget([EDITS], 'edits');
    expect(await restored(memory)).toEqual([FILES]);
  });

  it.each<[string, WriteFacts, readonly PermissionRule[]]>([
    ['the script that the command runs', { path: '/w/build.sh' }, [COMMAND, FILES]],
    ['the file that defines the command', { path: '/w/package.json' }, [SCRIPT, FILES]],
    ['a file after a question', { path: '/w/build.sh', asks: { type: 'once' } }, [COMMAND, FILES]],
    ['files for the session', { path: '/w/build.sh', asks: { type: 'session' } }, [COMMAND, FILES]],
    ['a file that is denied', { path: '/w/build.sh', asks: { type: 'deny' } }, [COMMAND, SCRIPT, FILES]],
    ['another file', { path: '/w/notes.md' }, [COMMAND, SCRIPT, FILES]],
    ['a file only read', { path: '/w/build.sh', access: 'read' }, [COMMAND, SCRIPT, FILES]],
  ])('end when the model writes %s', async (_name, write, left) => {
    const memory = createMemoryFileSystem({ '/home/ada/x': '' });
    await allow(memory, [COMMAND, SCRIPT, FILES]);
    expect(await writeFile(memory, write)).toEqual([]);
    expect(await restored(memory)).toEqual(left);
    expect(await writeFile(memory, write, { isKept: false })).toEqual([]);
  });

  it('cause a warning when they cannot be removed for a file that the model writes', async () => {
    const memory = createMemoryFileSystem({ '/home/ada/x': '' });
    await allow(memory, [SCRIPT]);
    const replaceFile = async (): Promise<never> => {
      throw new FileSystemError('no_space', '/home');
    };
    const fileSystem = { ...memory.fileSystem, replaceFile };
    expect(await writeFile(memory, { path: '/w/build.sh' }, { fileSystem })).toEqual([
      {
        type: 'warning',
        code: 'approval_not_kept',
        message:
          'The approvals of commands that run a file of this run are still kept for later sessions: /home: the disk is full.',
      },
    ]);
  });

  it('cause a warning when they cannot be stored', async () => {
    const memory = createMemoryFileSystem({ '/home/ada/x': '' });
    const fail = async (): Promise<never> => {
      throw new FileSystemError('no_space', '/home');
    };
    const warning: AgentEvent = {
      type: 'warning',
      code: 'approval_not_kept',
      message: 'The approval was not kept for later sessions: /home: the disk is full.',
    };
    expect(await allow(memory, [COMMAND], { fileSystem: { ...memory.fileSystem, replaceFile: fail } })).toEqual([
      warning,
    ]);
    const permissions = openSession(memory, { fileSystem: { ...memory.fileSystem, readFile: fail } });
    await expect(permissions.restore()).rejects.toThrow('/home: the disk is full');
    const broken = async (): Promise<never> => {
      throw new TypeError('bug');
    };
    await expect(allow(memory, [COMMAND], { fileSystem: { ...memory.fileSystem, readFile: broken } })).rejects.toThrow(
      'bug',
    );
  });
});
