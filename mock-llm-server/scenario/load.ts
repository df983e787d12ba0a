import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorText } from '../text.ts';
import { parseScenarioFile, parseYamlScenarioFile, YAML_FILE } from './parse.ts';
import { createScenarioSet, type NamedScenarioFile, type ScenarioSet } from './prepare.ts';
import { ScenarioError } from './problems.ts';

/** The file of a story directory: the first of these that is there. */
const STORY_FILES = ['scenario.json', 'scenario.yaml', 'scenario.yml'] as const;

/** What becomes of the mark and of every other byte of a file in UTF-16. */
const NOT_UTF_8 = /^\uFFFD|\0/;

/** What loading needs of a file system. `kindOf` follows links; `readFile` may throw anything. */
export interface ScenarioFiles {
  kindOf(path: string): Promise<'file' | 'directory' | 'missing'>;
  /** Names, in any order. */
  list(directory: string): Promise<readonly string[]>;
  readFile(path: string): Promise<string>;
}

/**
 * Loads files, story directories (`NAME/scenario.json` or `.yaml`) and directories of either, in the order given;
 * inside a directory in the order of the names. Throws `ScenarioError`.
 */
export async function loadScenarios(paths: readonly string[], files: ScenarioFiles): Promise<ScenarioSet> {
  return createScenarioSet(await loadScenarioFiles(paths, files));
}

/** As `loadScenarios`, one by one with their paths, for those who need the stories in them. */
export async function loadScenarioFiles(
  paths: readonly string[],
  files: ScenarioFiles,
): Promise<readonly NamedScenarioFile[]> {
  const found: string[] = [];
  for (const given of paths) {
    const inside = await findFiles(given, files);
    if (inside.length === 0) {
      const reason = `holds no scenarios: no ${STORY_FILES[0]} or ${STORY_FILES[1]}, no directories with one, no other .json or .yaml files`;
      throw new ScenarioError([{ file: given, path: '$', reason, fix: 'name a file, or a directory that holds some' }]);
    }
    found.push(...inside.filter((file) => !found.includes(file)));
  }
  const results = await Promise.allSettled(found.map((file) => readScenarioFile(file, files)));
  const problems = results.flatMap((result) => (result.status === 'rejected' ? problemsOf(result.reason) : []));
  if (problems.length > 0) throw new ScenarioError(problems);
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

async function findFiles(given: string, files: ScenarioFiles): Promise<string[]> {
  const kind = await files.kindOf(given);
  if (kind === 'missing') {
    const fix = 'correct the path; a relative one starts at the working directory';
    throw new ScenarioError([{ file: given, path: '$', reason: 'there is no such file or directory', fix }]);
  }
  if (kind === 'file') return [given];
  const story = await findStoryFile(given, files);
  if (story !== undefined) return [story];
  const found: string[] = [];
  for (const name of [...(await files.list(given))].sort()) {
    const entry = path.join(given, name);
    const kindOfEntry = await files.kindOf(entry);
    if (kindOfEntry === 'file' && (name.endsWith('.json') || YAML_FILE.test(name))) found.push(entry);
    if (kindOfEntry !== 'directory') continue;
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

async function readScenarioFile(file: string, files: ScenarioFiles): Promise<NamedScenarioFile> {
  let text: string;
  try {
    text = await files.readFile(file);
  } catch (error) {
    const reason = `cannot be read: ${errorText(error)}`;
    throw new ScenarioError([{ file, path: '$', reason, fix: 'see that the file can be read by this user' }]);
  }
  if (NOT_UTF_8.test(text)) {
    const fix = 'save it as UTF-8; in Windows PowerShell with Out-File -Encoding utf8 instead of >';
    throw new ScenarioError([{ file, path: '$', reason: 'is not UTF-8 text', fix }]);
  }
  const content = YAML_FILE.test(file) ? await parseYamlScenarioFile(text, file) : parseScenarioFile(text, file);
  return { file, content };
}

function problemsOf(reason: unknown): ScenarioError['problems'] {
  if (reason instanceof ScenarioError) return reason.problems;
  throw reason;
}

/** The real file system, for `loadScenarios`. */
export const nodeScenarioFiles: ScenarioFiles = {
  async kindOf(path) {
    try {
      return (await stat(path)).isDirectory() ? 'directory' : 'file';
    } catch {
      return 'missing';
    }
  },
  list: (directory) => readdir(directory),
  readFile: (path) => readFile(path, 'utf8'),
};
