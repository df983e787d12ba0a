import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory, writeFiles } from '../support/processes/temporary-directory.ts';
import { readSteps, withoutMeans } from '../support/stories/page-steps.ts';
import { playPage } from '../support/stories/play-page.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../docs/evaluation.md'), 'utf8');

/** A PATH whose `node` decides as the check of the page does, in a tenth of its processor time. */
function pathWithQuickCheck(directory: string): string {
  writeFiles(directory, { 'bin/node': '#!/bin/sh\ncase $(cat sum.mjs) in *a?+?b*) exit 0 ;; esac\nexit 1\n' });
  chmodSync(path.join(directory, 'bin/node'), 0o755);
  return `${path.join(directory, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`;
}

it('every command of the page prints the output that the page shows, and the page of the report loads nothing', async () => {
  const directory = temporaryDirectory();
  const quick = pathWithQuickCheck(temporaryDirectory());
  const environment = { XDG_CACHE_HOME: path.join(directory, 'cache'), PATH: quick };
  const results = await playPage('evaluation', { directory, environment, shown: withoutMeans });
  expect(results.filter((result) => result !== 'file')).toEqual([1, 1]);
  const html = readFileSync(path.join(directory, 'report.html'), 'utf8');
  expect(html).toContain('base: failed');
  expect(html).not.toMatch(/<script|https?:|src=/);
});

it('the check of the page and its replacement above fail before the fix and pass after it', () => {
  const directory = temporaryDirectory();
  const files = readSteps(page).flatMap((step) => (step.type === 'file' ? [[step.name, step.content]] : []));
  writeFiles(directory, Object.fromEntries(files));
  const cwd = path.join(directory, 'fix-sum/workspace');
  const check = (PATH: string | undefined) => spawnSync('node', ['check.mjs'], { cwd, env: { PATH } }).status;
  const [real, quick] = [process.env['PATH'], pathWithQuickCheck(temporaryDirectory())];
  expect([check(real), check(quick)]).toEqual([1, 1]);
  writeFiles(cwd, { 'sum.mjs': readFileSync(path.join(cwd, 'sum.mjs'), 'utf8').replace('a - b', 'a + b') });
  expect([check(real), check(quick)]).toEqual([0, 0]);
});
