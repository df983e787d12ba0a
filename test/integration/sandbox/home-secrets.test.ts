import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { secretsInHome } from '../../../src/node/sandbox/home-secrets.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

const PLAIN = '[global]\nindex-url = https://packages.example.com/simple\n';
const SECRET = '[global]\nindex-url = https://user:hunter2hunter2@packages.example.com/simple\n';

it('a remembered file of the home is read again when it has changed, in place or by a rename', () => {
  // As if the file had been there for a long time: the judgement of a file that has just changed is not remembered.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  const place = temporaryDirectory();
  const file = path.join(place, 'pip.conf');
  writeFileSync(file, PLAIN);
  expect([secretsInHome([place]), secretsInHome([place])]).toEqual([[], []]);
  writeFileSync(file, SECRET);
  expect([secretsInHome([place]), secretsInHome([place])]).toEqual([[file], [file]]);
  writeFileSync(path.join(place, 'other'), PLAIN);
  renameSync(path.join(place, 'other'), file);
  expect(secretsInHome([place])).toEqual([]);
});
