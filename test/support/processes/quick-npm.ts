import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from './temporary-directory.ts';

/**
 * A PATH in which `npm test` runs the tests of the playground as npm does, in a fifth of its processor time, until the end
 * of the test. The tests of README.md run the real npm.
 */
export function pathWithQuickNpm(): string {
  const directory = temporaryDirectory();
  const script = '#!/bin/sh\nexec node --test --test-reporter=spec --test-isolation=none\n';
  writeFileSync(path.join(directory, 'npm'), script, { mode: 0o755 });
  return `${directory}${path.delimiter}${process.env['PATH'] ?? ''}`;
}
