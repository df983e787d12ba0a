import type { Digest } from '../../agent/ports/digest.ts';
import { ownEntry } from '../../text/json/own-entry.ts';
import { gitLines } from './git-settings.ts';

/**
 * The kinds of parts that take effect or run once the project is trusted: its configuration, a file in a directory of
 * tools, a file below `.ybs` or of the agents and commands in `.eidolon`, the servers of `.mcp.json`, and the settings of its
 * repository that can start programs.
 */
export type PartKind = 'configuration' | 'tool' | 'extension' | 'servers' | 'git';

export interface ProjectPart {
  /** Path relative to the project, with `/`. */
  readonly path: string;
  readonly kind: PartKind;
  /** Of the content; absent if the part cannot be read. Such a part never counts as trusted. */
  readonly digest: Digest | undefined;
}

/** A project that the user trusts: the digests of its parts at that time, by path. */
export interface TrustedProject {
  /** ISO 8601. */
  readonly trustedAt: string;
  readonly parts: ReadonlyMap<string, Digest>;
}

/** One difference between a project and what the user has trusted. */
export interface TrustChange {
  readonly path: string;
  readonly change: 'new' | 'changed' | 'removed';
}

/** State of the trust in a project. `changed`: it was trusted, and is no longer. */
export type TrustVerdict =
  | { readonly type: 'trusted' }
  | { readonly type: 'untrusted' }
  | { readonly type: 'changed'; readonly changes: readonly TrustChange[] };

/**
 * Compares the parts of a project with those that the user trusts; `undefined` if the user trusts none. Any difference ends
 * the trust in the whole project, because its parts can name one another. Pure.
 */
export function checkTrust(found: readonly ProjectPart[], trusted: TrustedProject | undefined): TrustVerdict {
  if (trusted === undefined) return { type: 'untrusted' };
  const paths = new Set(found.map(({ path }) => path));
  const changes = [
    ...found.flatMap(({ path, digest }): readonly TrustChange[] => {
      const before = trusted.parts.get(path);
      if (before === undefined) return [{ path, change: 'new' }];
      return before === digest ? [] : [{ path, change: 'changed' }];
    }),
    ...[...trusted.parts.keys()]
      .filter((path) => !paths.has(path))
      .map((path) => ({ path, change: 'removed' }) as const),
  ];
  return changes.length === 0 ? { type: 'trusted' } : { type: 'changed', changes };
}

const CHANGE_WORDS: Readonly<Record<TrustChange['change'], string>> = {
  new: 'is new',
  changed: 'has changed',
  removed: 'was removed',
};

/** The number of changes that are named. */
const MAX_CHANGES = 3;

/** The changes for people: `.ybs.json has changed, tools/deploy is new`. */
export function describeChanges(changes: readonly TrustChange[]): string {
  const named = changes.slice(0, MAX_CHANGES).map(({ path, change }) => `${path} ${CHANGE_WORDS[change]}`);
  const rest = changes.length - named.length;
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

/** The settings of a repository that start nothing, by section. A subsection, such as `"origin"`, is left out. */
const HARMLESS_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  core: [
    ...['repositoryformatversion', 'filemode', 'bare', 'logallrefupdates', 'ignorecase', 'precomposeunicode'],
    ...['symlinks', 'autocrlf', 'eol', 'safecrlf', 'quotepath'],
  ],
  remote: ['url', 'pushurl', 'fetch', 'push', 'prune', 'tagopt'],
  branch: ['remote', 'merge', 'rebase', 'pushremote', 'description'],
  submodule: ['active', 'url', 'path', 'branch', 'shallow', 'fetchrecursesubmodules'],
  user: ['name', 'email', 'signingkey'],
};

/**
 * The settings of a git configuration that may start a program or read another file, as `core.fsmonitor = ./x`, and the
 * lines that are no settings: all but what certainly does neither. So a new branch or remote does not change them.
 */
export function programSettings(text: string): readonly string[] {
  return gitLines(text).flatMap(({ name, value }) => {
    const [section = '', ...key] = name.toLowerCase().split('.');
    const harmless = ownEntry(HARMLESS_SETTINGS, section);
    if (harmless?.includes(key.join('.')) === true) return [];
    return [value === undefined ? name : `${name} = ${value}`];
  });
}
