import { chmod, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { PermissionRule } from '../../../src/agent/ports/approver.ts';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { ApprovalStore } from '../../../src/session/approvals/approval-store.ts';
import { asOrdinaryUser } from '../../support/processes/ordinary-user.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

const RULE: PermissionRule = { type: 'file_operations', directory: '/w/src' };

/** A store below a new directory that every user may write to. */
async function createStore() {
  const home = temporaryDirectory();
  await chmod(home, 0o777);
  const directory = path.join(home, 'approvals');
  const options = { directory, digest: computeDigest, workspace: '/w', mayKeep: () => true, runsFile: () => false };
  const store = new ApprovalStore({ ...options, fileSystem: createNodeFileSystem() });
  return { store, directory };
}

const posix = process.platform !== 'win32';

it.runIf(posix)('the approvals of an ordinary user are stored in a file that only this user may read', async () => {
  const { store, directory } = await createStore();
  await asOrdinaryUser(async () => {
    await store.add(RULE);
    expect(await store.load()).toEqual([RULE]);
    const [name = ''] = await readdir(directory);
    expect((await stat(path.join(directory, name))).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    await chmod(path.join(directory, name), 0o666);
    expect(await store.load()).toEqual([]);
  });
});

it.runIf(posix)('approvals that an ordinary user may not read are ignored', async () => {
  const { store, directory } = await createStore();
  await asOrdinaryUser(async () => {
    await store.add(RULE);
    const [name = ''] = await readdir(directory);
    await chmod(path.join(directory, name), 0);
    await expect(store.load()).rejects.toMatchObject({ code: 'permission_denied' });
  });
});
