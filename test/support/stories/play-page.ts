import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { type MainOptions, runMain } from '../processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../processes/temporary-directory.ts';
import { readSteps } from './page-steps.ts';

/** The way to play a page. */
interface PagePlay extends MainOptions {
  /** Replaces what differs between two runs, in an output and in that of the page. */
  readonly shown?: (output: string) => string;
  /** True if the page shows a part of each output. */
  readonly isPart?: true;
  readonly run?: typeof runMain;
}

/** The exit codes of the commands of a page; `file` for a file that the page saves. */
type PageResults = readonly (number | null | 'file')[];

/**
 * Saves the files of a page of `docs` and runs its commands, those of `ybs` in this process. Checks that each prints the
 * output that the page shows, where the directory is `/work`.
 */
export async function playPage(name: string, play: PagePlay = {}): Promise<PageResults> {
  const { shown = String, isPart, run = runMain, directory = temporaryDirectory(), ...options } = play;
  const results: (number | null | 'file')[] = [];
  for (const step of readSteps(readFileSync(path.join(import.meta.dirname, `../../../docs/${name}.md`), 'utf8'))) {
    if (step.type === 'file') {
      writeFiles(directory, { [step.name]: step.content });
      results.push('file');
      continue;
    }
    const [program = '', ...words] = step.words;
    if (program !== 'npx') {
      execFileSync(program, words, { cwd: directory });
      results.push(0);
      continue;
    }
    const { stdout, stderr, code } = await run(words.slice(1), { ...options, directory });
    results.push(code);
    if (step.output === undefined) continue;
    const printed = expect(shown(stdout.replaceAll(directory, '/work')), stderr);
    if (isPart) printed.toContain(shown(step.output).trimEnd());
    else printed.toBe(shown(step.output));
  }
  return results;
}
