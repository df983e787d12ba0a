import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { secretAttributes } from '../../../../src/policy/sandbox/git-attributes.ts';
import { temporaryDirectory, writeFiles } from '../../../support/processes/temporary-directory.ts';
import { COPIES_OF_SECRETS } from '../../../support/sandbox/secret-copies.ts';

const ORDINARY = ['deep-copy.ts', 'a-old.test.ts', 'kubeconfig.go', 'credentials-2.ts', 'threshold', 'v1.2', 'a.d.ts'];

it('git shows no content of committed copies of secrets', () => {
  const directory = temporaryDirectory();
  writeFiles(directory, { attributes: secretAttributes() });
  execFileSync('git', ['init', '-q', directory]);
  const setting = `core.attributesFile=${path.join(directory, 'attributes')}`;
  const names = [...COPIES_OF_SECRETS, ...ORDINARY];
  const options = { input: names.join('\0'), encoding: 'utf8' } as const;
  const printed = execFileSync('git', ['-C', directory, '-c', setting, 'check-attr', '-z', '--stdin', 'diff'], options);
  const states = printed.split('\0').filter((_, index) => index % 3 === 2);
  expect(names.filter((_, index) => states[index] !== 'unset')).toEqual(ORDINARY);
});
