import path from 'node:path';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { PlannedEffect } from '../../agent/ports/tool.ts';
import type { RunGit } from '../git/git-command.ts';
import { GitError, Repository } from '../git/repository.ts';
import type { RunObserver } from '../observe-events.ts';
import { isSameState } from './checkpoints.ts';
import { lookAt, type SeenFile } from './file-versions.ts';
import type { WriteJournal } from './write-journal.ts';

export interface GitLossPorts {
  readonly runGit: RunGit;
  /** The directories in which the command of a call makes git lose something; none for every other call. */
  readonly lossesOf: (effect: PlannedEffect) => readonly string[];
}

/** The maximum number of files that are kept for one command. */
const MAX_FILES = 500;
/** More names than these do not fit on a command line. */
const MAX_NAMES = 100;

/** The state of a repository in its directory: where its branches, tags and stashed changes are, and how that came about. */
const STATE_FILE = /^(?:[A-Z_]+|index|packed-refs)$/;
const STATE_DIRECTORIES = ['refs', 'logs', 'reftable', 'worktrees', 'rebase-merge', 'rebase-apply', 'sequencer'];

const MISSING: SeenFile = { version: { type: 'missing' }, state: { type: 'missing' } };

/** A repository before a command. */
interface Snapshot {
  readonly repository: Repository;
  /** The files that git does not have as they are, which the journal has from the start. */
  readonly kept: ReadonlySet<string>;
  readonly state: ReadonlyMap<string, SeenFile>;
}

/**
 * Keeps what a command makes git lose, so that an undo brings it back: before it, the files that git does not have as they
 * are; after it, the branches, tags, stashed changes and the index as they were, and the other files that have changed.
 */
export function observeGitLosses(writes: WriteJournal, run: number, ports: GitLossPorts): RunObserver {
  const planned = new Map<string, readonly string[]>();
  const snapshots = new Map<string, Snapshot[]>();
  const problems = new Set<string>();
  const attempt = async (action: () => Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      problems.add(error.message);
    }
  };
  const start = async (call: string): Promise<readonly AgentEvent[]> => {
    const taken: Snapshot[] = [];
    for (const directory of planned.get(call) ?? []) {
      await attempt(async () => {
        const repository = await Repository.find(ports.runGit, directory);
        if (repository !== undefined) taken.push(await snapshot(repository, { writes, run, call }));
      });
    }
    planned.delete(call);
    snapshots.set(call, taken);
    const files = taken.flatMap(({ kept }) => [...kept].map((realPath) => ({ realPath })));
    return files.length === 0
      ? []
      : [{ type: 'checkpoint', number: (await writes.checkpoints()).length, callId: call, files }];
  };
  return {
    async before(event) {
      if (event.type === 'tool_call') {
        const directories = event.effect === undefined ? [] : ports.lossesOf(event.effect);
        if (directories.length === 0) return undefined;
        planned.set(event.call.id, directories);
        return event.permission?.type === 'allow' ? start(event.call.id) : undefined;
      }
      if (event.type === 'approval_decision') {
        const { type } = event.decision;
        return type === 'once' || type === 'session' ? start(event.callId) : undefined;
      }
      if (event.type === 'tool_result') {
        for (const taken of snapshots.get(event.callId) ?? [])
          await attempt(() => compare(taken, { writes, run, call: event.callId }));
        snapshots.delete(event.callId);
        planned.delete(event.callId);
      }
      return undefined;
    },
    end: async () =>
      [...problems].map((problem) => ({
        type: 'warning',
        code: 'not_kept',
        message: `/undo does not know everything that git lost in this run: ${problem}.`,
      })),
  };
}

interface CallPlace {
  readonly writes: WriteJournal;
  readonly run: number;
  readonly call: string;
}

async function snapshot(repository: Repository, { writes, run, call }: CallPlace): Promise<Snapshot> {
  // A directory that git ignores as a whole, such as `node_modules`, can be made again.
  const status = await repository.read([
    ...['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignored=traditional'],
  ]);
  const names = status.split('\0').flatMap((entry) => (entry === '' || entry.endsWith('/') ? [] : [entry.slice(3)]));
  const kept = new Set(names.slice(0, MAX_FILES).map((name) => path.join(repository.root, name)));
  for (const file of kept) await writes.start({ run, call, path: file });
  if (names.length > MAX_FILES) throw new GitError(`${names.length} files were changed, more than ${MAX_FILES}`);
  const state = new Map<string, SeenFile>();
  for (const file of await stateFiles(repository, writes)) state.set(file, await lookAt(file, writes.ports));
  return { repository, kept, state };
}

async function stateFiles(repository: Repository, { ports }: WriteJournal): Promise<readonly string[]> {
  const { root, gitDirectory } = repository;
  const below = async (directory: string): Promise<readonly string[]> => {
    const entries = await ports.fileSystem.list(directory, MAX_FILES).catch(() => []);
    const found = entries.map(async ({ name, kind }) => {
      const file = path.join(directory, name);
      return kind === 'directory' ? below(file) : kind === 'file' && !name.endsWith('.lock') ? [file] : [];
    });
    return (await Promise.all(found)).flat();
  };
  // A worktree shares the branches of its repository.
  const shared = path.resolve(root, (await repository.read(['rev-parse', '--git-common-dir'])).trim());
  const found = [...new Set([gitDirectory, shared])].map(async (directory) => {
    const own = await ports.fileSystem.list(directory).catch(() => []);
    const files = own.flatMap(({ name, kind }) => (kind === 'file' && STATE_FILE.test(name) ? [name] : []));
    const deep = await Promise.all(STATE_DIRECTORIES.map((name) => below(path.join(directory, name))));
    return [...files.map((name) => path.join(directory, name)), ...deep.flat()];
  });
  return (await Promise.all(found)).flat();
}

/** Notes what a command has changed, with the state before it. */
async function compare({ repository, kept, state }: Snapshot, { writes, run, call }: CallPlace): Promise<void> {
  const { ports } = writes;
  const { root, gitDirectory } = repository;
  const changed = new Set(kept);
  const note = async (file: string, before: SeenFile): Promise<void> => {
    if (changed.has(file) || isSameState(before.state, (await lookAt(file, ports)).state)) return;
    if (changed.size - kept.size > 2 * MAX_FILES) throw new GitError(`more than ${2 * MAX_FILES} files have changed`);
    changed.add(file);
    await writes.start({ run, call, path: file }, before);
  };
  const copies = path.join(gitDirectory, `ybs-undo-${call.replace(/\W/g, '')}`);
  try {
    const old = state.get(path.join(gitDirectory, 'index'))?.version;
    if (old?.type === 'file') {
      const index = path.join(copies, 'index');
      await ports.fileSystem.replaceFile(copies, 'index', old.bytes);
      const names = split(await repository.read(['diff-files', '--name-only', '-z'], { index }));
      const lost = names.filter((name) => !kept.has(path.join(root, name)));
      for (let first = 0; first < Math.min(lost.length, MAX_FILES); first += MAX_NAMES) {
        const some = lost.slice(first, first + MAX_NAMES);
        await repository.read(['checkout-index', '-q', `--prefix=${copies}/files/`, '--', ...some], { index });
        for (const name of some)
          await note(path.join(root, name), await lookAt(path.join(copies, 'files', name), ports));
      }
      if (lost.length > MAX_FILES) throw new GitError(`${lost.length} files have changed, more than ${MAX_FILES}`);
      const known = new Set(split(await repository.read(['ls-files', '-z'], { index })));
      const added = split(await repository.read(['ls-files', '-z'])).filter((name) => !known.has(name));
      for (const name of added) await note(path.join(root, name), MISSING);
    }
    for (const file of new Set([...state.keys(), ...(await stateFiles(repository, writes))]))
      await note(file, state.get(file) ?? MISSING);
  } finally {
    await ports.fileSystem.removeDirectory(copies).catch(() => {});
    for (const file of changed)
      await writes.note({ type: 'after', run, call, path: file, state: (await lookAt(file, ports)).state });
  }
}

function split(names: string): readonly string[] {
  return names.split('\0').filter((name) => name !== '');
}
