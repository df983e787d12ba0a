import { expect, it } from 'vitest';
import { fileProtection, type ProcessUser } from '../../../../src/policy/paths/file-protection.ts';

const ROOT: ProcessUser = { uid: 0, groups: [0] };
const ME: ProcessUser = { uid: 1000, groups: [1000, 50] };

// The file belongs to the user 1000 or 2000 and to the group 50 or 60.
it.each<[string, ProcessUser | undefined, number, number, number, string | undefined]>([
  ['a file of the user', ME, 1000, 60, 0o644, undefined],
  ['a file of the user that nobody may write', ME, 1000, 60, 0o555, 'write_protected'],
  ['a file of the user that only others may write', ME, 1000, 50, 0o466, 'write_protected'],
  ['a file of another user that the group may write', ME, 2000, 50, 0o664, 'other_owner'],
  ['a file of another user that the group may not write', ME, 2000, 50, 0o647, 'write_protected'],
  ['a file of another user that everybody may write', ME, 2000, 60, 0o666, 'other_owner'],
  ['a file of another user that others may not write', ME, 2000, 60, 0o664, 'write_protected'],
  ['a file of another user that others may only run', ME, 2000, 60, 0o665, 'write_protected'],
  ['a file of root', ME, 0, 0, 0o644, 'write_protected'],
  ['a file of another user, for root', ROOT, 2000, 60, 0o600, undefined],
  ['a file that only its group may write, for root', ROOT, 2000, 60, 0o464, undefined],
  ['a file that nobody may write, for root', ROOT, 2000, 60, 0o444, 'write_protected'],
  ['a file on a platform without users', undefined, 0, 0, 0o666, undefined],
  ['a read-only file on a platform without users', undefined, 0, 0, 0o444, 'write_protected'],
])('the protection of %s', (_name, user, uid, gid, mode, expected) => {
  expect(fileProtection({ uid, gid, mode }, user)).toBe(expected);
});
