import { foldName } from '../../paths/fold-name.ts';
import { type PathPlatform, pathFlavour } from '../../paths/path-policy.ts';
import { normalPath } from '../directories.ts';
import { hasUnquotedExpansion, type ShellWord } from '../parse/shell-word.ts';
import type { StepBudget } from '../parse/step-budget.ts';
import type { ProtectedDirectories, ProtectedDirectory } from './protected-directories.ts';

/** Description of the protected directory that a word names. `maybe`: the match depends on an unknown part. */
export interface ProtectedMatch {
  readonly match: 'yes' | 'maybe';
  readonly directory: string;
}

/** A name on the way to protected directories. */
interface Node {
  readonly children: Map<string, Node>;
  directory?: ProtectedDirectory;
  /** The contents of every other child, if they are protected, too. */
  others?: ProtectedDirectory['contents'];
}

/** Compares absolute words with the protected directories, in time that does not depend on their number. */
export class ProtectedMatcher {
  readonly #root: Node = { children: new Map() };
  readonly #protected: ProtectedDirectories;
  readonly #platform: PathPlatform;
  readonly #budget: StepBudget;

  constructor(all: ProtectedDirectories, platform: PathPlatform, budget: StepBudget) {
    this.#protected = all;
    this.#platform = platform;
    this.#budget = budget;
    // The first directory of two with the same path is the more important one.
    for (const directory of all.directories) this.#nodeOf(directory.path).directory ??= directory;
    for (const { path, contents } of all.parents) {
      if (!this.#isOwn(path)) this.#nodeOf(path).others = contents;
    }
  }

  /** The protected directory that an absolute word names, or everything in it. */
  match(target: ShellWord): ProtectedMatch | undefined {
    this.#budget.spend(target.text.length);
    if (!target.static && !target.pattern) return this.#matchComputed(target);
    const names = namesOf(foldName(normalPath(target.text, this.#platform)));
    return this.#walk(this.#root, names, 0, target.pattern);
  }

  get #separator(): string {
    return pathFlavour(this.#platform).sep;
  }

  #isOwn(path: string): boolean {
    return withSeparator(path, this.#separator).startsWith(withSeparator(this.#protected.workspace, this.#separator));
  }

  #nodeOf(path: string): Node {
    let node = this.#root;
    for (const name of namesOf(path)) {
      const next = node.children.get(name) ?? { children: new Map() };
      node.children.set(name, next);
      node = next;
    }
    return node;
  }

  #walk(node: Node, names: readonly string[], depth: number, isPattern: boolean): ProtectedMatch | undefined {
    const name = names[depth];
    if (name === undefined) return node.directory && { match: 'yes', directory: node.directory.name };
    const whole = node.directory && isPattern ? matchContents(node.directory, names.slice(depth)) : undefined;
    if (whole !== undefined) return whole;
    for (const child of this.#childrenOf(node, name, isPattern)) {
      const found = this.#walk(child, names, depth + 1, isPattern);
      if (found !== undefined) return found;
    }
    if (node.others === undefined || node.children.get(name)?.directory !== undefined) return undefined;
    const path = names.slice(0, depth + 1).join(this.#separator);
    const directory = { path, name: `the system directory ${path}`, contents: node.others };
    if (depth + 1 === names.length) return { match: 'yes', directory: directory.name };
    return isPattern ? matchContents(directory, names.slice(depth + 1)) : undefined;
  }

  #childrenOf(node: Node, name: string, isPattern: boolean): readonly Node[] {
    const exact = node.children.get(name);
    if (!isPattern || !/[*?[]/.test(name)) return exact === undefined ? [] : [exact];
    const parts = patternParts(name);
    this.#budget.spend(node.children.size * parts.length);
    return [...node.children].filter(([child]) => matchesPattern(child, parts)).map(([, child]) => child);
  }

  /** A computed part with `..` in it is not expected. */
  #matchComputed(word: ShellWord): ProtectedMatch | undefined {
    const { directories, parents } = this.#protected;
    this.#budget.spend(directories.length);
    const [sep, platform] = [this.#separator, this.#platform];
    const [start, end] = [foldName(word.start), withoutLastSeparators(foldName(word.end)).replaceAll('/', sep)];
    const cut = Math.max(start.lastIndexOf('/'), start.lastIndexOf(sep)) + 1;
    const parent = cut === 0 ? '' : withSeparator(normalPath(start.slice(0, cut), platform), sep);
    const known = parent + start.slice(cut);
    const isAny = hasUnquotedExpansion(word) || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(end);
    const found = directories.find(
      ({ path }) => isAny || (withSeparator(path, sep).startsWith(known) && path.endsWith(end)),
    );
    if (found !== undefined) return { match: 'maybe', directory: found.name };
    const isChild = parents.some(({ path }) => withSeparator(path, sep) === parent && !this.#isOwn(path));
    return isChild && !end.includes(sep) ? { match: 'maybe', directory: `a directory in ${parent}` } : undefined;
  }
}

function withSeparator(directory: string, separator: string): string {
  return directory.endsWith(separator) ? directory : directory + separator;
}

function namesOf(path: string): readonly string[] {
  return path.split(/[\\/]/).filter((name, index) => index === 0 || name !== '');
}

/** The known end of a word without `/` and `/.` at its end, which change nothing. */
function withoutLastSeparators(end: string): string {
  const names = end.split(/[\\/]/);
  const last = names.findLastIndex((name, index) => index === 0 || !/^\.?$/.test(name));
  return names.slice(0, last + 1).join('/');
}

/** The match of the names below a directory: patterns for everything in it, or for everything hidden. */
function matchContents(directory: ProtectedDirectory, names: readonly string[]): ProtectedMatch | undefined {
  if (directory.contents === 'removable' || !names.every(isEverything)) return undefined;
  if (directory.contents === 'kept' || !names.some(isHidden)) return { match: 'yes', directory: directory.name };
  return { match: 'maybe', directory: `every hidden file of ${directory.name}, such as .git` };
}

/** True for a pattern that matches every name, or every hidden one: `*`, `.*`, `.[!.]*`. */
function isEverything(segment: string): boolean {
  return segment.includes('*') && /^[.*?]+$/.test(segment.replaceAll('[!.]', '').replaceAll('[^.]', ''));
}

/** True for a pattern that matches hidden names, but not `..`: `.??*`, `.[!.]*`. */
function isHidden(segment: string): boolean {
  return /^\.(?:\?\?|\[[!^]\.\]|\.\?)/.test(segment);
}

/** The characters and bracket expressions of a pattern, in time proportional to its length. */
function patternParts(pattern: string): readonly string[] {
  // No bracket expression begins after the last bracket, so every search for an end succeeds.
  const end = pattern.lastIndexOf(']') + 1;
  return [...(pattern.slice(0, end).match(/\[[^\]]+\]|./gs) ?? []), ...pattern.slice(end).split('')];
}

/** Matches a name with `*`, `?` and `[…]`, in time proportional to the product of the lengths. */
function matchesPattern(name: string, parts: readonly string[]): boolean {
  let [position, part, star, retry] = [0, 0, -1, 0];
  while (position < name.length) {
    const wanted = parts[part];
    if (wanted === '*') {
      star = part++;
      retry = position;
    } else if (wanted === '?' || wanted === name[position] || (wanted !== undefined && wanted.length > 1)) {
      part++;
      position++;
    } else if (star >= 0) {
      part = star + 1;
      position = ++retry;
    } else {
      return false;
    }
  }
  return parts.slice(part).every((rest) => rest === '*');
}
