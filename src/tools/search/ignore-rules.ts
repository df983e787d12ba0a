import ignore from 'ignore';
import { FileSystemError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { contains, displayPath, type PathRules, pathFlavour } from '../../policy/paths/path-policy.ts';
import type { ListedEntry, SkippedFiles, TreeFiles } from './text-search.ts';

/**
 * The `.gitignore` rules for the paths beneath one directory, the base. Paths are relative to the base, with `/`; '' is
 * the base itself. Immutable: `extend` returns the rules for a directory further down.
 */
export class IgnoreRules {
  readonly #rules: ignore.Ignore | undefined;
  readonly #ignoreCase: boolean;

  private constructor(rules: ignore.Ignore | undefined, ignoreCase: boolean) {
    this.#rules = rules;
    this.#ignoreCase = ignoreCase;
  }

  static none(options: { readonly ignoreCase: boolean }): IgnoreRules {
    return new IgnoreRules(undefined, options.ignoreCase);
  }

  /** True if nothing is ignored. */
  get isEmpty(): boolean {
    return this.#rules === undefined;
  }

  /** True if a rule ignores this path or a directory that contains it. */
  isIgnored(path: string, kind: 'directory' | 'other'): boolean {
    return this.#rules?.ignores(kind === 'directory' ? `${path}/` : path) ?? false;
  }

  /** Adds the text of the `.gitignore` of a directory. Its rules take precedence over the earlier ones. */
  extend(directory: string, text: string): IgnoreRules {
    if (!/^[^\S\r\n]*[^#\s]/m.test(text)) return this;
    const rules = ignore({ ignorecase: this.#ignoreCase, allowRelativePaths: true });
    if (this.#rules !== undefined) rules.add(this.#rules);
    for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
      if (isUsable(line)) rules.add(moveRule(line, directory));
    }
    return new IgnoreRules(rules, this.#ignoreCase);
  }
}

/** Longer than any path. The expression of a longer rule may be too large for the engine. */
const MAX_RULE = 4096;

/** Each `*` multiplies the time of a comparison by the length of a name, and each `**` by the depth of a path. */
const TOO_MANY_STARS = /(?:\*+[^*/]+){5}|\*\*(?:.*\*\*){3}/;

/** False for a rule that would fail, or that could take minutes for one name: it ignores nothing. */
function isUsable(line: string): boolean {
  return line.length <= MAX_RULE && !TOO_MANY_STARS.test(line);
}

/** Rewrites a rule of a directory's `.gitignore` as a rule of the base. */
function moveRule(line: string, directory: string): string {
  if (directory === '' || line.startsWith('#')) return line;
  const rule = line.replace(/(?<!\\)\s+$/, '');
  const [sign, pattern] = rule.startsWith('!') ? ['!', rule.slice(1)] : ['', rule];
  if (pattern === '') return '';
  const anchored = pattern.slice(0, -1).includes('/');
  const prefix = `${sign}/${directory.replaceAll(/[\\*?[\]!# ]/g, '\\$&')}`;
  return anchored ? `${prefix}/${pattern.replace(/^\//, '')}` : `${prefix}/**/${pattern}`;
}

const MAX_RULES_BYTES = 256 * 1024;

/** The rule files of a tree, which are read once. */
export class TreeRules {
  readonly #root: string;
  readonly #pathRules: PathRules;
  readonly #files: TreeFiles;
  /** The directory of the walk, relative to the base of the rules. */
  readonly #start: string;
  readonly #startRules: IgnoreRules;
  readonly #unreadable: string[] = [];
  /** The workspace has no rules of its own, and the walk begins in no directory of packages. */
  readonly #skipsPackages: boolean;
  /** By the directory relative to the root, whose own rules are among them. */
  readonly #known = new Map<string, IgnoreRules>();

  /**
   * Reads the rules of `.git/info/exclude` and of every `.gitignore` from the workspace down to the parent of `root`. A
   * `root` that they ignore, or that lies outside the workspace, has none of them.
   */
  constructor(root: string, pathRules: PathRules, files: TreeFiles) {
    this.#root = root;
    this.#pathRules = pathRules;
    this.#files = files;
    const { workspace, platform } = pathRules;
    const flavour = pathFlavour(platform);
    const none = IgnoreRules.none({ ignoreCase: platform !== 'posix' });
    const isInside = contains(workspace, root, platform);
    const names = isInside
      ? flavour
          .relative(workspace, root)
          .split(flavour.sep)
          .filter((name) => name !== '')
      : [];
    this.#start = names.join('/');
    let rules = isInside ? none.extend('', this.#read(flavour.join(workspace, '.git', 'info', 'exclude'))) : none;
    let directory = '';
    for (const name of names) {
      rules = rules.extend(directory, this.#read(flavour.join(workspace, directory, '.gitignore')));
      directory = directory === '' ? name : `${directory}/${name}`;
      if (!rules.isIgnored(directory, 'directory')) continue;
      rules = none;
      break;
    }
    this.#startRules = rules;
    const hasOwnRules = this.#read(flavour.join(workspace, '.gitignore')) !== '';
    this.#skipsPackages = isInside && !hasOwnRules && !names.some((name) => PACKAGES.has(name));
  }

  /** True for a directory of installed packages that nobody has told git about. */
  isPackages({ name, kind }: ListedEntry): boolean {
    return this.#skipsPackages && kind === 'directory' && PACKAGES.has(name);
  }

  /** Tests the entries of a directory. `listed`: its entries. */
  of(
    directory: string,
    listed: readonly ListedEntry[],
    skipped: SkippedFiles,
  ): (path: string, kind: ListedEntry['kind']) => boolean {
    const hasRules = listed.some(({ name, kind }) => name === '.gitignore' && kind === 'file');
    const rules = hasRules ? this.#rulesOf(directory) : this.#above(directory);
    // The rules of a listed directory are known.
    this.#known.set(directory, rules);
    skipped.unreadable.push(...this.#unreadable.splice(0));
    if (rules.isEmpty) return () => false;
    const prefix = this.#start === '' ? '' : `${this.#start}/`;
    return (path, kind) => rules.isIgnored(`${prefix}${path}`, kind === 'directory' ? 'directory' : 'other');
  }

  #above(directory: string): IgnoreRules {
    return directory === ''
      ? this.#startRules
      : this.#rulesOf(directory.slice(0, Math.max(0, directory.lastIndexOf('/'))));
  }

  #rulesOf(directory: string): IgnoreRules {
    const known = this.#known.get(directory);
    if (known !== undefined) return known;
    const flavour = pathFlavour(this.#pathRules.platform);
    const text = this.#read(flavour.join(this.#root, directory, '.gitignore'));
    const above = this.#above(directory);
    const base = [this.#start, directory].filter((part) => part !== '').join('/');
    const rules = text === '' ? above : above.extend(base, text);
    this.#known.set(directory, rules);
    return rules;
  }

  /** Reads a rule file. Returns an empty text if it is missing, unreadable or, as in git, a link. */
  #read(file: string): string {
    try {
      return new TextDecoder().decode(this.#files.read(file, MAX_RULES_BYTES).bytes);
    } catch (error) {
      if (!(error instanceof FileSystemError)) throw error;
      if (error.code === 'permission_denied' || error.code === 'io_error') {
        const shown = displayPath(file, this.#pathRules);
        if (!this.#unreadable.includes(shown)) this.#unreadable.push(shown);
      }
      return '';
    }
  }
}

/** Directories into which package managers and compilers put what others have written or what can be made again. */
const PACKAGES: ReadonlySet<string> = new Set(['node_modules', '.venv', '__pycache__']);

/** The ignore rules that apply where a walk starts. */
export interface StartingRules {
  readonly rules: IgnoreRules;
  /** The directory where the walk starts, relative to the base of the rules; '' for the base itself. */
  readonly directory: string;
}

interface IgnoreRulePorts {
  readonly fileSystem: FileSystem;
  readonly pathRules: PathRules;
  /** Unreadable rule files are added here. */
  readonly skipped: SkippedFiles;
}

/**
 * Loads the rules of `.git/info/exclude` and of every `.gitignore` from the workspace down to the parent of `root`. A
 * walk of a `root` that they ignore, or that lies outside the workspace, starts without rules.
 */
export async function loadIgnoreRules(root: string, ports: IgnoreRulePorts): Promise<StartingRules> {
  const { workspace, platform } = ports.pathRules;
  const flavour = pathFlavour(platform);
  const none = IgnoreRules.none({ ignoreCase: platform !== 'posix' });
  if (!contains(workspace, root, platform)) return { rules: none, directory: '' };
  const names = flavour
    .relative(workspace, root)
    .split(flavour.sep)
    .filter((name) => name !== '');
  let rules = none.extend('', await readRules(flavour.join(workspace, '.git', 'info', 'exclude'), ports));
  let directory = '';
  for (const name of names) {
    const file = flavour.join(workspace, directory, '.gitignore');
    rules = rules.extend(directory, await readRules(file, ports));
    directory = directory === '' ? name : `${directory}/${name}`;
    if (rules.isIgnored(directory, 'directory')) return { rules: none, directory: names.join('/') };
  }
  return { rules, directory };
}

/** Reads a rule file. Returns an empty text if it is missing, unreadable or, as in git, a link. */
export async function readRules(path: string, ports: IgnoreRulePorts): Promise<string> {
  try {
    const { bytes } = await ports.fileSystem.readFile(path, MAX_RULES_BYTES, 'refuse');
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    if (error.code === 'permission_denied' || error.code === 'io_error') {
      ports.skipped.unreadable.push(displayPath(path, ports.pathRules));
    }
    return '';
  }
}
