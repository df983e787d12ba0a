import { ownEntry } from '../../../text/json/own-entry.ts';
import type { ShellWord } from '../parse/shell-word.ts';
import { readGitCommand } from '../programs/git-command.ts';
import { hasOption, type OptionNames } from './destructive-options.ts';

/** A form of a subcommand of git that loses something. */
interface DestructiveGit {
  readonly options?: OptionNames;
  /** Options with which nothing is lost. */
  readonly unless?: OptionNames;
  readonly has?: RegExp;
  readonly effect: string;
}

const CHANGES = 'discards changes that are not committed';
export const SERVER = 'overwrites or removes what others have on the server';
const ABORT: DestructiveGit = { has: /^--abort$/, effect: 'discards what was resolved so far' };
const DRY = { short: 'n', long: 'dry-run' } as const;

/** The forms that lose something, by their subcommands. */
const DESTRUCTIVE_GIT: Readonly<Record<string, readonly DestructiveGit[]>> = {
  clean: [{ unless: DRY, effect: 'removes files that git does not know' }],
  reset: [{ options: { long: 'hard merge keep' }, effect: CHANGES }],
  restore: [
    { options: { short: 'W', long: 'worktree' }, effect: CHANGES },
    { unless: { short: 'S', long: 'staged' }, effect: CHANGES },
  ],
  checkout: [
    { options: { short: 'fBp', long: 'force ours theirs merge patch' }, effect: CHANGES },
    // A path, or what stands behind a revision
    {
      unless: { short: 'bt', long: 'track orphan' },
      has: /^(?:--|\.{1,2}|.*\/|.*[*?].*|.*\.[a-zA-Z]\w{0,5}|:.*)$/,
      effect: CHANGES,
    },
  ],
  'checkout-index': [{ options: { short: 'f', long: 'force' }, effect: CHANGES }],
  'read-tree': [{ options: { short: 'u', long: 'reset' }, effect: CHANGES }],
  switch: [{ options: { short: 'fC', long: 'force discard-changes force-create' }, effect: CHANGES }],
  stash: [{ has: /^(?:drop|clear)$/, effect: 'removes stashed changes' }],
  // Without force, git deletes only a local branch that is merged.
  branch: [
    { options: { short: 'DMCf', long: 'force' }, effect: 'removes or moves a branch' },
    { options: { short: 'd', long: 'delete' }, has: /^(?:-[a-z]*r[a-z]*|--r.*)$/, effect: 'removes a branch' },
  ],
  tag: [{ options: { short: 'df', long: 'delete force' }, effect: 'removes or moves a tag' }],
  // Without force, git removes only files that are as in the last commit.
  rm: [
    { options: { short: 'f', long: 'force' }, unless: { short: 'n', long: 'dry-run cached' }, effect: 'removes files' },
  ],
  mv: [{ options: { short: 'f', long: 'force' }, unless: DRY, effect: 'overwrites files' }],
  push: [
    {
      options: { short: 'fd', long: 'force force-with-lease force-if-includes delete mirror prune' },
      unless: DRY,
      effect: SERVER,
    },
    { has: /^(?:\+.+|:.+)$/, unless: DRY, effect: SERVER },
  ],
  fetch: [
    { options: { short: 'f', long: 'force' }, effect: 'overwrites branches' },
    { has: /^\+.+:./, effect: 'overwrites branches' },
  ],
  pull: [{ options: { short: 'f', long: 'force' }, effect: 'overwrites branches' }],
  'filter-branch': [{ effect: 'rewrites the history' }],
  'filter-repo': [{ effect: 'rewrites the history' }],
  reflog: [{ has: /^(?:expire|delete|drop)$/, unless: DRY, effect: 'removes the way back to commits' }],
  gc: [{ has: /^--prune=(?:now|all)$/, effect: 'removes commits that no branch has' }],
  prune: [{ unless: DRY, effect: 'removes commits that no branch has' }],
  'update-ref': [{ options: { short: 'd', long: 'delete stdin' }, effect: 'removes a branch or a tag' }],
  'symbolic-ref': [{ options: { short: 'd', long: 'delete' }, effect: 'removes a reference' }],
  replace: [{ options: { short: 'd', long: 'delete' }, effect: 'removes a reference' }],
  notes: [{ has: /^(?:remove|prune)$/, effect: 'removes notes' }],
  remote: [{ has: /^(?:remove|rm|prune)$/, effect: 'removes the branches of a remote repository' }],
  worktree: [{ has: /^remove$/, effect: 'removes a directory with its changes' }],
  submodule: [{ has: /^deinit$/, effect: 'removes a directory with its changes' }],
  lfs: [{ has: /^prune$/, effect: 'removes files' }],
  annex: [{ has: /^(?:drop|dropunused|uninit)$/, effect: 'removes files' }],
  merge: [ABORT],
  rebase: [ABORT],
  'cherry-pick': [ABORT],
  revert: [ABORT],
  am: [ABORT],
};

/** The loss that git with these words causes, as the end of a sentence; `undefined` if none is known. Pure. */
export function destructiveGit(words: readonly ShellWord[]): string | undefined {
  const { subcommand, rest } = readGitCommand(words);
  const name = subcommand?.text ?? '';
  const rows = ownEntry(DESTRUCTIVE_GIT, name);
  const texts = rest.map(({ text }) => text);
  // Behind a revision, an operand of checkout is a path.
  const operands = texts.filter((text) => !text.startsWith('-'));
  const isNew = texts.some((text) => hasOption(text, { short: 'bt', long: 'track orphan' }));
  if (name === 'checkout' && operands.length > 1 && !isNew) return CHANGES;
  return rows?.find((row) => applies(row, texts))?.effect;
}

function applies({ options, unless, has }: DestructiveGit, texts: readonly string[]): boolean {
  if (unless !== undefined && texts.some((text) => hasOption(text, unless))) return false;
  if (has !== undefined && !texts.some((text) => has.test(text))) return false;
  return options === undefined || texts.some((text) => hasOption(text, options));
}
