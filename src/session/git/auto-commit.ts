import path from 'node:path';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { type RunObserver, writtenPaths } from '../observe-events.ts';
import { commitFiles } from './commit-files.ts';
import type { RunGit } from './git-command.ts';
import { GitError, Repository } from './repository.ts';

/** Ports and facts of the commit of a run. */
export interface CommitOptions {
  readonly runGit: RunGit;
  readonly fileSystem: FileSystem;
  /** Replaces the secrets in a text that is stored. */
  readonly redact: (text: string) => string;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** `git.commit_message_prefix`. */
  readonly prefix: string;
  readonly prompt: string;
  /** UUID of the session; names the temporary index. */
  readonly sessionId: string;
}

/** The maximum length of the first line of a message, in characters. */
const MAX_SUBJECT_LENGTH = 72;

/** The first line of the prompt, after the prefix, truncated to 72 characters. */
export function commitSubject(prefix: string, prompt: string): string {
  const lines = prompt.split(/[\r\n]+/).map((line) => line.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim());
  const characters = [...`${prefix} ${lines.find((line) => line !== '') ?? ''}`.trim()];
  if (characters.length <= MAX_SUBJECT_LENGTH) return characters.join('');
  return `${characters.slice(0, MAX_SUBJECT_LENGTH - 1).join('')}…`;
}

/** A file that a tool is about to write: its path relative to the root, or the reason why it is not committed. */
type WrittenFile = { readonly relative: string } | { readonly reason: string };

/**
 * Commits the files that the tools change in one run, and nothing else: the index keeps what else is staged. A file with
 * changes before the run, with a filter, ignored by git or outside the repository is left out and named. Only git
 * itself runs, without hooks, filters and signatures. Without a repository nothing happens.
 */
export function createAutoCommit(options: CommitOptions): RunObserver {
  let repository: Promise<Repository | undefined> | undefined;
  /** By real path. */
  const files = new Map<string, WrittenFile>();
  /** Real paths of the calls in progress, by the id of the call. */
  const planned = new Map<string, readonly string[]>();
  const changed = new Set<string>();
  return {
    async before(event) {
      if (event.type === 'tool_call') {
        const paths = writtenPaths(event.effect);
        if (paths.length === 0) return undefined;
        planned.set(event.call.id, paths);
        repository ??= Repository.find(options.runGit, options.workspace);
        const found = await repository;
        if (found === undefined) return undefined;
        for (const file of paths) if (!files.has(file)) files.set(file, await lookAt(file, found));
      } else if (event.type === 'tool_result' && (event.outcome === 'ok' || event.outcome === 'interrupted')) {
        for (const file of planned.get(event.callId) ?? []) changed.add(file);
      }
      return undefined;
    },
    async end() {
      const found = await repository;
      if (found === undefined || changed.size === 0) return [];
      const leftOut = new Map<string, string>();
      const events: AgentEvent[] = [];
      try {
        const names = [];
        for (const file of changed) {
          const { relative, reason } = { relative: undefined, reason: undefined, ...files.get(file) };
          const problem = reason ?? (await problemAtEnd(file, found));
          if (relative !== undefined && problem === undefined) names.push(relative);
          else leftOut.set(path.relative(options.workspace, file), problem ?? 'it is unknown');
        }
        const subject = options.redact(commitSubject(options.prefix, options.prompt));
        const commit = names.length === 0 ? undefined : await commitFiles(names, subject, found, options);
        if (commit !== undefined) events.push({ type: 'commit', ...commit, subject });
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        events.push(warning(`The changes are not committed: ${error.message}`));
      }
      if (leftOut.size > 0) {
        const list = [...leftOut].map(([name, reason]) => `${name} (${reason})`);
        events.push(warning(`Not committed: ${list.join(', ')}`));
      }
      return events;
    },
  };
}

function warning(message: string): AgentEvent {
  return { type: 'warning', code: 'not_committed', message };
}

/** Decides before the first change of a file whether it may be committed after the run. */
async function lookAt(file: string, repository: Repository): Promise<WrittenFile> {
  const relative = repository.relativePath(file);
  if (relative === undefined) return { reason: 'it is outside the repository' };
  try {
    if (await hasFilter(relative, repository)) return { reason: 'it has a git filter' };
    const [staged, committed, onDisk, ignored] = await Promise.all([
      repository.read(['ls-files', '--stage', '-z', '--', relative]),
      // 128: there is no commit yet.
      repository.read(['ls-tree', '-z', 'HEAD', '--', relative], { other: 128 }),
      // 128: there is no such file yet.
      repository.read(['hash-object', '--', relative], { other: 128 }),
      // Its paths are never patterns, and it rejects the option for that.
      repository.read(['check-ignore', '--quiet', '--', relative], { ...PATTERNS, other: 1 }),
    ]);
    if (ignored !== undefined && staged === '') return { reason: 'git ignores it' };
    const isClean = blobOf(staged) === blobOf(committed ?? '') && idOf(staged) === (onDisk?.trim() ?? '');
    return isClean ? { relative } : { reason: 'it had changes before this run' };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { reason: error.message };
  }
}

const PATTERNS = { environment: { GIT_LITERAL_PATHSPECS: '0' } };

async function hasFilter(relative: string, repository: Repository): Promise<boolean> {
  const [, , value] = (await repository.read(['check-attr', '-z', 'filter', '--', relative])).split('\0');
  return value !== 'unspecified' && value !== 'unset';
}

/** Mode and id in a line of `ls-files --stage` (`100644 ID 0\tPATH`) or of `ls-tree` (`100644 blob ID\tPATH`). */
function blobOf(line: string): string {
  const [, mode = '', id = ''] = /^(\d+) (?:blob )?([0-9a-f]+)/.exec(line) ?? [];
  return `${mode} ${id}`;
}

function idOf(line: string): string {
  return blobOf(line).split(' ')[1] ?? '';
}

/** The reason why a file cannot be committed after all: its directory is a separate repository, or it got a filter. */
async function problemAtEnd(file: string, repository: Repository): Promise<string | undefined> {
  const relative = repository.relativePath(file);
  if (relative === undefined) return undefined;
  const directory = path.dirname(file);
  const root = await repository.read(['rev-parse', '--show-toplevel'], { directory, other: 128 });
  if (root !== undefined && root.trimEnd() !== repository.root) return 'it belongs to another repository';
  return (await hasFilter(relative, repository)) ? 'it has a git filter' : undefined;
}
