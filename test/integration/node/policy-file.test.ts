import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readPolicyFile } from '../../../src/node/files/policy-file.ts';

const owner = process.getuid?.() ?? 0;
const onPosix = it.skipIf(process.platform === 'win32');

/** A file in a directory of its own, where only this user and root can write. */
function open(): string {
  const directory = realpathSync(mkdtempSync(path.join(os.homedir(), '.ybs-policy-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return path.join(directory, 'policy.json');
}

onPosix('reads the policy of its owner', () => {
  const file = open();
  expect(readPolicyFile(file, owner, path.dirname(file))).toBeUndefined();
  writeFileSync(file, '{}', { mode: 0o644 });
  expect(readPolicyFile(file, owner, path.dirname(file))).toEqual({ file, text: '{}' });
});

onPosix.each([
  ['a file that others can write', (file: string) => chmodSync(file, 0o666), 'can be written by others than root'],
  [
    'a directory that others can write',
    (file: string) => chmodSync(path.dirname(file), 0o777),
    'can be written by others than root',
  ],
  [
    'a link to a file that others can write',
    (file: string) => {
      rmSync(file);
      writeFileSync(`${file}.real`, '{}');
      chmodSync(`${file}.real`, 0o666);
      symlinkSync(`${file}.real`, file);
    },
    'policy.json.real can be written by others than root',
  ],
  [
    'a directory in its place',
    (file: string) => {
      rmSync(file);
      mkdirSync(file);
    },
    'it is not a file',
  ],
  ['a file that is too large', (file: string) => writeFileSync(file, 'x'.repeat(300_000)), 'at most 262144 are read'],
  [
    'a link that leads nowhere',
    (file: string) => {
      rmSync(file);
      symlinkSync('missing', file);
    },
    'it cannot be read: ENOENT',
  ],
])('refuses %s', (_name, change, problem) => {
  const file = open();
  writeFileSync(file, '{}', { mode: 0o644 });
  change(file);
  expect(readPolicyFile(file, owner, path.dirname(file))).toMatchObject({
    file,
    problem: expect.stringContaining(problem),
  });
});

onPosix('refuses a file of another user', () => {
  const file = open();
  writeFileSync(file, '{}', { mode: 0o644 });
  const found = readPolicyFile(file, 12_345, path.dirname(file));
  // Run by root, the file belongs to root, to whom every policy may belong.
  if (owner === 0) expect(found).toEqual({ file, text: '{}' });
  else expect(found).toMatchObject({ problem: expect.stringContaining(`belongs to user ${owner}, not to root`) });
});

onPosix('takes a directory that cannot be searched for a policy that cannot be read', () => {
  const file = open();
  const loop = path.join(path.dirname(file), 'loop');
  symlinkSync('loop', loop);
  expect(readPolicyFile(path.join(loop, 'policy.json'), owner, path.dirname(file))).toMatchObject({
    problem: expect.stringContaining('it cannot be read: ELOOP'),
  });
});
