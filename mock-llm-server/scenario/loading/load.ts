import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { errorText } from '../../text.ts';
import { isLockName, lockPathOf, type PromptLock } from '../lock/prompt-lock.ts';
import type { NamedScenarioFile } from '../prepare.ts';
import { ScenarioError } from '../problems.ts';
import { readScenarioFile, readYamlScenarioFile } from './read-file.ts';

/** Names of the file of a story directory, in order of preference. */
const STORY_FILES = ['scenario.json', 'scenario.yaml', 'scenario.yml'];

/** Names of files that are read as YAML. */
const YAML_FILE = /\.ya?ml$/i;

/** Characters that make a path a glob, unless a file has that name. */
const GLOB_CHARACTER = /[*?[\]{}()!]/;

/** File system for loading. `kindOf` follows links; every other function may throw anything. */
export interface ScenarioFiles {
  kindOf(path: string): Promise<'file' | 'directory' | 'missing'>;
  /** Names in a directory, in any order. */
  list(directory: string): Promise<readonly string[]>;
  /** Paths that a glob matches, in any order; those of directories end in `/`. */
  glob(pattern: string): Promise<readonly string[]>;
  readFile(path: string): Promise<string>;
}

/** Loads files, story directories, directories of both, and globs, in the given order. Throws `ScenarioError`. */
export async function loadScenarioFiles(
  paths: readonly string[],
  files: ScenarioFiles,
): Promise<readonly NamedScenarioFile[]> {
  // By absolute path, because two arguments may name one file differently.
  const found = new Map<string, string>();
  for (const source of paths) {
    for (const file of await findScenarioFiles(source, files)) {
      const absolute = path.resolve(file);
      if (!found.has(absolute)) found.set(absolute, file);
    }
  }
  const results = await Promise.allSettled([...found.values()].map((file) => loadFile(file, files)));
  const problems = results.flatMap((result) => (result.status === 'rejected' ? problemsOf(result.reason) : []));
  if (problems.length > 0) throw new ScenarioError(problems);
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

async function findScenarioFiles(source: string, files: ScenarioFiles): Promise<readonly string[]> {
  const kind = await files.kindOf(source);
  if (kind === 'file') return [source];
  const isDirectory = kind === 'directory';
  if (!isDirectory && !isGlob(source)) {
    const fix = 'correct the path; a relative one starts at the working directory';
    throw ScenarioError.of(source, '$', 'there is no such file or directory', fix);
  }
  const found = isDirectory ? await findInDirectory(source, files) : await findByGlob(source, files);
  if (found.length > 0) return found;
  if (!isDirectory) {
    const fix = 'correct the glob; it uses / on every system';
    throw ScenarioError.of(source, '$', 'no scenario file and no story directory matches this glob', fix);
  }
  const reason = `contains no scenarios: no ${STORY_FILES[0]} or ${STORY_FILES[1]}, no directories with one, no other .json or .yaml files`;
  throw ScenarioError.of(source, '$', reason, 'name a file, or a directory that contains some');
}

/** True if a path that does not exist is meant as a glob. */
export function isGlob(source: string): boolean {
  return GLOB_CHARACTER.test(source);
}

/** The directory that a glob starts from: its part before the first segment with a special character. */
export function globBase(glob: string): string {
  return path.dirname(glob.slice(0, glob.search(GLOB_CHARACTER)).concat('x'));
}

async function findInDirectory(directory: string, files: ScenarioFiles): Promise<string[]> {
  const story = await findStoryFile(directory, files);
  if (story !== undefined) return [story];
  const found: string[] = [];
  for (const name of sortPaths(await files.list(directory))) {
    const entry = path.join(directory, name);
    const kind = await files.kindOf(entry);
    if (kind === 'file' && isScenarioName(name)) found.push(entry);
    if (kind !== 'directory') continue;
    const inner = await findStoryFile(entry, files);
    if (inner !== undefined) found.push(inner);
  }
  return found;
}

async function findStoryFile(directory: string, files: ScenarioFiles): Promise<string | undefined> {
  for (const name of STORY_FILES) {
    const file = path.join(directory, name);
    if ((await files.kindOf(file)) === 'file') return file;
  }
  return undefined;
}

/** Of a story only the scenario file counts: its workspace may contain any files, scenario files too. */
async function findByGlob(glob: string, files: ScenarioFiles): Promise<string[]> {
  const matches = await files.glob(glob);
  const isDirectory = (match: string) => match.endsWith('/');
  const storyFiles = await Promise.all(
    matches.filter(isDirectory).map(async (directory) => {
      const file = await findStoryFile(directory, files);
      return file === undefined ? [] : [directory + path.basename(file)];
    }),
  );
  const scenarioFiles = matches.filter((match) => !isDirectory(match) && isScenarioName(match));
  const found = sortPaths([...new Set([...scenarioFiles, ...storyFiles.flat()])]);
  const directoryOf = (file: string) => file.slice(0, file.lastIndexOf('/') + 1);
  const isStory = (file: string) => STORY_FILES.includes(path.posix.basename(file));
  const stories = [...new Set(found.filter(isStory).map(directoryOf))];
  return found.filter((file) => {
    const storyDirectory = isStory(file) ? directoryOf(file) : undefined;
    return stories.every((story) => story === storyDirectory || !file.startsWith(story));
  });
}

function isScenarioName(name: string): boolean {
  return (name.endsWith('.json') && !isLockName(path.basename(name))) || YAML_FILE.test(name);
}

/** Sorts by code point, as UTF-8 does. */
function sortPaths(paths: readonly string[]): string[] {
  return [...paths].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
}

async function loadFile(file: string, files: ScenarioFiles): Promise<NamedScenarioFile> {
  const text = await readText(file, files);
  // UTF-16 that was read as UTF-8: its byte order mark, or every second byte.
  if (text.startsWith('\uFFFD') || text.includes('\0')) {
    const fix = 'save it as UTF-8; in Windows PowerShell with Out-File -Encoding utf8 instead of >';
    throw ScenarioError.of(file, '$', 'is not UTF-8 text', fix);
  }
  const content = await (YAML_FILE.test(file) ? readYamlScenarioFile(text, file) : readScenarioFile(text, file));
  const lock = await readLock(lockPathOf(file), files);
  return { file, content, ...(lock !== undefined && { lock }) };
}

async function readLock(file: string, files: ScenarioFiles): Promise<PromptLock | undefined> {
  if ((await files.kindOf(file)) !== 'file') return undefined;
  // Few stories have a lock.
  const { parsePromptLock } = await import('../lock/parse-lock.ts');
  return parsePromptLock(await readText(file, files), file);
}

function readText(file: string, files: ScenarioFiles): Promise<string> {
  return files.readFile(file).catch((error: unknown) => {
    throw ScenarioError.of(file, '$', `cannot be read: ${errorText(error)}`, 'check that this user may read the file');
  });
}

function problemsOf(reason: unknown): ScenarioError['problems'] {
  if (reason instanceof ScenarioError) return reason.problems;
  throw reason;
}

/**
 * The real file system. Its calls are synchronous: a set has many small files, for which promises of Node would take twice
 * the processor time of the whole loading.
 */
export const nodeScenarioFiles: ScenarioFiles = {
  async kindOf(path) {
    try {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined) return 'missing';
      return stats.isDirectory() ? 'directory' : 'file';
    } catch {
      return 'missing';
    }
  },
  list: async (directory) => readdirSync(directory),
  async glob(pattern) {
    // The library is loaded for the first glob, because most paths are not globs.
    const { default: fastGlob } = await import('fast-glob');
    const options = { onlyFiles: false, markDirectories: true, followSymbolicLinks: false, suppressErrors: true };
    return fastGlob(pattern, options);
  },
  readFile: async (path) => readFileSync(path, 'utf8'),
};
