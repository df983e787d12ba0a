import path from 'node:path';
import coverageLibrary, { type CoverageSummary, type Ratio } from 'istanbul-lib-coverage';
import { minimatch } from 'minimatch';
import type { CoverageFiles } from './coverage-file.ts';

/** Required coverage. */
export interface Thresholds {
  /** Minimum percentage of lines and of branches over all files. */
  readonly overall: number;
  /** Globs of files whose lines, branches and functions unit and integration tests alone cover completely. */
  readonly complete: readonly string[];
}

/** The thresholds of this project. */
export const thresholds: Thresholds = {
  overall: 80,
  complete: ['src/safety/**', 'src/core/**', 'src/tools/registry.ts', 'src/providers/**'],
};

/**
 * Describes every unmet threshold in one line. `tests` is the coverage of unit and integration tests, `all` includes the
 * spawned command lines. Paths are absolute, within `root`. A glob that matches no file is reported too.
 */
export function shortfalls(
  root: string,
  tests: CoverageFiles,
  all: CoverageFiles,
  { overall, complete }: Thresholds = thresholds,
): readonly string[] {
  const inTests = coverageLibrary.createCoverageMap(tests);
  const lines: string[] = [];
  for (const glob of complete) {
    const files = Object.keys(tests).filter((file) => minimatch(relative(root, file), glob));
    if (files.length === 0) lines.push(`${glob} matches no file`);
    for (const file of files) {
      const coverage = inTests.fileCoverageFor(file);
      const { lines: covered, branches, functions } = coverage.toSummary();
      if (isFull(covered) && isFull(branches) && isFull(functions)) continue;
      const uncovered = coverage.getUncoveredLines();
      const where = uncovered.length === 0 ? '' : `; lines never reached: ${uncovered.join(', ')}`;
      lines.push(
        `${relative(root, file)}: lines ${count(covered)}, branches ${count(branches)}, functions ${count(functions)}${where}`,
      );
    }
  }
  const summary = summaryOf(all);
  for (const kind of ['lines', 'branches'] as const) {
    const ratio = summary[kind];
    if (ratio.total === 0) lines.push(`no ${kind} were counted`);
    else if ((ratio.covered / ratio.total) * 100 < overall) {
      lines.push(`${kind} of all files: ${count(ratio)}, less than ${overall} %`);
    }
  }
  return lines;
}

function summaryOf(files: CoverageFiles): CoverageSummary {
  const map = coverageLibrary.createCoverageMap(files);
  const summary = coverageLibrary.createCoverageSummary();
  for (const file of Object.keys(files)) summary.merge(map.fileCoverageFor(file).toSummary());
  return summary;
}

function isFull({ covered, total }: Ratio): boolean {
  return covered === total;
}

function count({ covered, total }: Ratio): string {
  return `${covered} of ${total}`;
}

function relative(root: string, file: string): string {
  return path.relative(root, file).replaceAll('\\', '/');
}
