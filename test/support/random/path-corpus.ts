import fs from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '../processes/temporary-directory.ts';
import { createPathTree, PATH_CASES, USER_CASES } from './path-cases.ts';

/** The arguments, the home directory and the input of `ybs check --batch` for the corpus. */
export interface CorpusStart {
  readonly args: readonly string[];
  readonly home: string;
  readonly input: string;
}

/**
 * Creates the files of the corpus of paths, judges all cases with `check`, which returns standard output, and returns the
 * lines that differ from the verdicts for an ordinary user, or for one who may read everything.
 */
export async function corpusDifferences(
  isOrdinary: boolean,
  check: (start: CorpusStart) => Promise<string>,
): Promise<readonly string[]> {
  // All paths in /dev, where the tests may have their files, are protected.
  const root = temporaryDirectory('/tmp');
  fs.chmodSync(root, 0o755);
  createPathTree(root);
  const fill = (text: string): string =>
    text
      .replace('{T}', root)
      .replace('{N}', path.basename(root))
      .replace('{R}', root.slice(1))
      .replace('{U}', path.basename(root).toUpperCase());
  const own = USER_CASES.map(({ ordinary, ...each }) => (isOrdinary ? { ...each, verdict: ordinary } : each));
  const cases = [...PATH_CASES, ...own].map((each) => ({ ...each, path: fill(each.path) }));
  const output = await check({
    args: ['check', '--batch', '--cwd', path.join(root, 'w')],
    home: path.join(root, 'home'),
    input: cases.map((each) => JSON.stringify({ [each.access]: each.path })).join('\n'),
  });
  const answers = output
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  if (answers.length !== cases.length) return [`${answers.length} answers to ${cases.length} cases`];
  return cases.flatMap(({ access, path: file, verdict }, index) => {
    const answer = answers[index];
    const isRight = typeof answer === 'object' && answer !== null && 'verdict' in answer && answer.verdict === verdict;
    return isRight ? [] : [`${access} ${JSON.stringify(file.slice(0, 80))}: ${verdict}, but ${JSON.stringify(answer)}`];
  });
}
