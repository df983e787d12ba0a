import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../src/agent/errors.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { FileSystem } from '../../../src/agent/ports/file-system.ts';
import type { PlannedEffect } from '../../../src/agent/ports/tool.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { WrittenFiles } from '../../../src/session/approvals/written-files.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const FILE = `/home/ada/.config/ybs/written/${computeDigest(new TextEncoder().encode('/w'))}.json`;

const write = (...files: readonly string[]): PlannedEffect => ({
  summary: 'write',
  paths: files.map((realPath) => ({ requested: realPath, realPath, access: 'write' as const })),
});
const command = (text: string, workingDirectory?: string): PlannedEffect => ({
  ...{ summary: 'run', paths: [], command: text },
  ...(workingDirectory !== undefined && { workingDirectory }),
});

/** A call that the rules allow, or that the user answers. */
function call(effect: PlannedEffect | undefined, answer?: 'once' | 'session' | 'deny'): readonly AgentEvent[] {
  const named = { id: 'c', name: 'tool', arguments: '{}' };
  const permission =
    answer === undefined
      ? ({ type: 'allow', rule: 'r' } as const)
      : ({ type: 'ask', rule: 'r', reason: 'why' } as const);
  const planned: AgentEvent = { type: 'tool_call', call: named, ...(effect !== undefined && { effect }), permission };
  return answer === undefined
    ? [planned]
    : [planned, { type: 'approval_decision', callId: 'c', decision: { type: answer } }];
}

function open(change: Partial<FileSystem> = {}, workspace = '/w') {
  const { fileSystem, volume } = createMemoryFileSystem({ '/w/x': '' });
  const options = { digest: computeDigest, home: '/home/ada', workspace };
  const runsFile = (rule: object, file: string) => JSON.stringify(rule).includes(`run ${file}`);
  const files = new WrittenFiles({ ...options, fileSystem: { ...fileSystem, ...change }, runsFile });
  return { files, volume };
}

/** The files that are known after these calls, and the warnings of the run. */
async function playCalls(calls: readonly (readonly AgentEvent[])[], { files } = open()) {
  const observer = files.observe();
  for (const event of calls.flat()) expect(await observer.before(event)).toBeUndefined();
  return { known: await files.load(), warnings: await observer.end() };
}

describe('the files that sessions have written', () => {
  it.each<readonly [string, readonly (readonly AgentEvent[])[], readonly string[]]>([
    ['nothing', [], []],
    ['writes that a rule allows', [call(write('/w/a', '/w/b')), call(write('/w/c'))], ['/w/a', '/w/b', '/w/c']],
    ['a write that the user allows', [call(write('/w/a'), 'once'), call(write('/w/b'), 'session')], ['/w/a', '/w/b']],
    ['a write that the user denies', [call(write('/w/a'), 'deny')], []],
    ['a file that is written again', [call(write('/w/a', '/w/b')), call(write('/w/a'))], ['/w/b', '/w/a']],
    ['a command of a rule', [call(write('/w/a')), call(command('run /w/a'))], ['/w/a']],
    ['a command that the user allows', [call(write('/w/a', '/w/b')), call(command('run /w/a'), 'once')], ['/w/b']],
    ['a command in a directory', [call(write('/w/a')), call(command('run /w/a', '/w/d'), 'session')], []],
    ['a command that the user denies', [call(write('/w/a')), call(command('run /w/a'), 'deny')], ['/w/a']],
    ['a file that is written after it', [call(command('run /w/a'), 'once'), call(write('/w/a'))], ['/w/a']],
    ['a call without a plan', [call(undefined), call(undefined, 'once')], []],
  ])('include those of %s', async (_name, calls, expected) => {
    expect(await playCalls(calls)).toEqual({ known: expected, warnings: [] });
  });

  it('are the last 2000, in a file that only its owner may read', async () => {
    const opened = open();
    const names = Array.from({ length: 2_001 }, (_, index) => `/w/${index}`);
    const { known } = await playCalls([call(write(...names))], opened);
    expect([known.length, known[0], known.at(-1)]).toEqual([2_000, '/w/1', '/w/2000']);
    expect(opened.volume.statSync(FILE).mode & 0o777).toBe(0o600);
  });

  it.each(['{', '{"version":1}', JSON.stringify({ version: 1, workspace: '/other', files: ['/w/a'] })])(
    'are unknown after damage to the list: %s',
    async (text) => {
      const { files, volume } = open();
      volume.mkdirSync('/home/ada/.config/ybs/written', { recursive: true });
      volume.writeFileSync(FILE, text);
      expect(await files.load()).toEqual([]);
    },
  );

  it('are not stored on a full disk, which causes one warning', async () => {
    const full = open({ replaceFile: () => Promise.reject(new FileSystemError('no_space', '/home')) });
    const { known, warnings } = await playCalls([call(write('/w/a')), call(write('/w/b'))], full);
    expect(known).toEqual([]);
    expect(warnings).toEqual([
      { type: 'warning', code: 'writes_not_kept', message: expect.stringMatching(/^Later sessions do not know .*\.$/) },
    ]);
    const closed = open({ readFile: () => Promise.reject(new FileSystemError('no_space', FILE)) });
    expect(await closed.files.load()).toEqual([]);
    const bug = open({ readFile: () => Promise.reject(new TypeError('a bug')) });
    await expect(playCalls([call(write('/w/a'))], bug)).rejects.toThrow('a bug');
  });
});
