import fs, { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import nodePromises from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { createNodeFileSystem, platformOptions } from '../../../src/node/files/node-file-system.ts';
import { fileSystemContract } from '../../support/contracts/file-system.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const scratch = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ybs-file-system-')));
afterAll(() => rmSync(scratch, { recursive: true }));

const newRoot = (): string => mkdtempSync(path.join(scratch, 'case-'));

fileSystemContract([
  {
    name: 'the disk',
    create: () => ({ fileSystem: createNodeFileSystem(), root: newRoot(), disk: fs }),
  },
  {
    name: 'the disk with real paths',
    create: () => {
      const fileSystem = createNodeFileSystem(nodePromises, { ...platformOptions(), swapProtection: 'real_path' });
      return { fileSystem, root: newRoot(), disk: fs };
    },
  },
  {
    name: 'memory',
    create: () => {
      const { fileSystem, volume } = createMemoryFileSystem({ '/root/keep': '' });
      volume.unlinkSync('/root/keep');
      return { fileSystem, root: '/root', disk: volume };
    },
  },
]);
