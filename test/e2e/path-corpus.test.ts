import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ybsEntry } from '../support/entry.ts';
import { createPathTree, PATH_CASES, USER_CASES } from '../support/path-cases.ts';
import { binEnvironment } from '../support/run-bin.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const NOBODY = ['--reuid=65534', '--regid=65534', '--clear-groups', '--'];
const isRoot = process.geteuid?.() === 0;

/** Judges all cases in one process, as this user or as an ordinary one, and returns the lines that differ. */
function differences(user: 'this' | 'ordinary'): readonly string[] {
  const root = fs.realpathSync(temporaryDirectory());
  fs.chmodSync(root, 0o755);
  createPathTree(root);
  const fill = (text: string): string =>
    text
      .replace('{T}', root)
      .replace('{N}', path.basename(root))
      .replace('{R}', root.slice(1))
      .replace('{U}', path.basename(root).toUpperCase());
  const isOrdinary = user === 'ordinary' || !isRoot;
  const own = USER_CASES.map(({ ordinary, ...each }) => (isOrdinary ? { ...each, verdict: ordinary } : each));
  const cases = [...PATH_CASES, ...own].map((each) => ({ ...each, path: fill(each.path) }));
  const command = [process.execPath, ybsEntry, 'check', '--batch', '--cwd', path.join(root, 'w')];
  const [program = '', ...args] = user === 'ordinary' ? ['setpriv', ...NOBODY, ...command] : command;
  const home = path.join(root, 'home');
  const output = execFileSync(program, args, {
    cwd: '/',
    env: { ...binEnvironment(), HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') },
    input: cases.map((each) => JSON.stringify({ [each.access]: each.path })).join('\n'),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const answers = output
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(answers).toHaveLength(cases.length);
  return cases.flatMap(({ access, path: file, verdict }, index) => {
    const answer = answers[index];
    const isRight = typeof answer === 'object' && answer !== null && 'verdict' in answer && answer.verdict === verdict;
    return isRight ? [] : [`${access} ${JSON.stringify(file.slice(0, 80))}: ${verdict}, but ${JSON.stringify(answer)}`];
  });
}

// FIFOs, permission bits and the directories of the system are those of Linux.
it.skipIf(process.platform !== 'linux')('ybs check answers every case of the corpus of paths', () => {
  expect(differences('this')).toEqual([]);
  expect(PATH_CASES.length + USER_CASES.length).toBeGreaterThan(250);
});

it.skipIf(process.platform !== 'linux' || !isRoot)('ybs check answers them to an ordinary user, too', () => {
  expect(differences('ordinary')).toEqual([]);
});
