// Merges the coverage of the tests and of the command lines that they spawned, writes the reports, and fails when the
// coverage is below the thresholds. Reads coverage/unit/coverage-final.json and the V8 dumps in coverage/dumps.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import coverageLibrary from 'istanbul-lib-coverage';
import reportLibrary from 'istanbul-lib-report';
import reports from 'istanbul-reports';
import { convertScript } from './convert-script.ts';
import { type CoverageFiles, CoverageFilesSchema } from './coverage-file.ts';
import { mergeCoverage } from './merge-coverage.ts';
import { readDumps } from './read-dumps.ts';
import { shortfalls } from './thresholds.ts';

const root = path.join(import.meta.dirname, '../..');
const directory = path.join(root, 'coverage');

const tests = CoverageFilesSchema.parse(
  JSON.parse(readFileSync(path.join(directory, 'unit/coverage-final.json'), 'utf8')),
);
const all = mergeCoverage(tests, await spawnedCoverage());

const context = reportLibrary.createContext({ dir: directory, coverageMap: coverageLibrary.createCoverageMap(all) });
for (const name of ['json', 'lcovonly', 'html', 'text-summary'] as const) reports.create(name).execute(context);

const missing = shortfalls(root, tests, all);
if (missing.length > 0) {
  console.error(`The coverage is below the thresholds:\n${missing.map((line) => `  ${line}`).join('\n')}`);
  process.exitCode = 1;
}

async function spawnedCoverage(): Promise<CoverageFiles> {
  const scripts = readDumps(path.join(directory, 'dumps'), (file) => tests[file] !== undefined);
  const converted = await Promise.all(
    [...scripts].map(
      async ([file, script]) => [file, await convertScript(file, readFileSync(file, 'utf8'), script)] as const,
    ),
  );
  return Object.fromEntries(converted);
}
