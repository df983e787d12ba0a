import { once } from 'node:events';
import nodePromises from 'node:fs/promises';
import type { FileSystemPromises, HandleLike } from '../../../src/node/files/file-system-promises.ts';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';

// The process that the kill tests of writes end: `replace` or `in_place`, a directory, the number of versions, and the
// number of the operation before which it ends itself, from 1. The version of a file is the letter that fills it.
const [mode = '', directory = '', versions = '', killAt = ''] = process.argv.slice(2);
const SIZE = 200_000;

let operations = 0;
async function step(): Promise<void> {
  if (++operations !== Number(killAt)) return;
  process.kill(process.pid, 'SIGKILL');
  await once(process, 'exit');
}

const counted = (handle: nodePromises.FileHandle): HandleLike => ({
  fd: handle.fd,
  stat: () => handle.stat(),
  read: (buffer, offset, length, position) => handle.read(buffer, offset, length, position),
  write: (bytes) => handle.write(bytes),
  async writeFile(bytes) {
    await step();
    await handle.write(bytes.subarray(0, bytes.length / 2));
    await step();
    await handle.write(bytes.subarray(bytes.length / 2));
  },
  truncate: (size) => handle.truncate(size),
  async chmod(bits) {
    await step();
    await handle.chmod(bits);
  },
  chown: (uid, gid) => handle.chown(uid, gid),
  async sync() {
    await step();
    await handle.sync();
  },
  async close() {
    await step();
    await handle.close();
  },
});
const promises: FileSystemPromises = {
  ...nodePromises,
  async open(path, flags, bits) {
    await step();
    return counted(await nodePromises.open(path, flags, bits));
  },
  async rename(from, to) {
    await step();
    await nodePromises.rename(from, to);
    await step();
  },
};

const fileSystem = createNodeFileSystem(promises);
process.stdout.write('ready\n');
for (let version = 0; version < Number(versions); version++) {
  const bytes = new Uint8Array(SIZE).fill('A'.charCodeAt(0) + (version % 26));
  if (mode === 'replace') {
    await fileSystem.replaceFile(directory, 'a', bytes);
    continue;
  }
  const handle = counted(await nodePromises.open(`${directory}/a`, 'w'));
  await handle.writeFile(bytes);
  await handle.close();
}
process.stdout.write(`done after ${operations} operations\n`);
