import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** The real path of a new empty directory in `parent`, which is removed after the test. */
export function temporaryDirectory(parent = os.tmpdir()): string {
  const directory = realpathSync(mkdtempSync(path.join(parent, 'ybs-test-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes files by their path relative to `directory`, creating parents. */
export function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(directory, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
