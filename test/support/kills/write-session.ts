import { once } from 'node:events';
import { writeSync } from 'node:fs';
import nodePromises from 'node:fs/promises';
import path from 'node:path';
import type { FileSystem } from '../../../src/agent/ports/file-system.ts';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { systemProcesses } from '../../../src/node/processes.ts';
import { createTestStore } from '../agent/session-store.ts';
import { playRun, undo } from '../agent/write-runs.ts';

// Writes files in a session, and undoes it, again and again, until it is killed, or until it kills itself in the middle
// of the write of a file with the number `killAt`, from 1. `in_place` is not safe.
const [, , mode = 'replace', sessions = '', workspace = '', killAt = ''] = process.argv;
let writes = 0;
async function middleOfWrite(): Promise<void> {
  if (++writes !== Number(killAt)) return;
  process.kill(process.pid, 'SIGKILL');
  await once(process, 'exit');
}
const real = createNodeFileSystem({
  ...nodePromises,
  async rename(from, to) {
    await middleOfWrite();
    await nodePromises.rename(from, to);
  },
});
const inPlace: FileSystem['replaceFile'] = async (directory, name, bytes) => {
  await real.createDirectory(directory);
  await real.removeFile(path.join(directory, name));
  const file = await real.openAppend(path.join(directory, name));
  for (let start = 0; start < bytes.length; start += 128) {
    await file.append(bytes.subarray(start, start + 128));
    if (start === 0) await middleOfWrite();
  }
  await file.close();
};
const fileSystem = mode === 'in_place' ? { ...real, replaceFile: inPlace } : real;

const record = await createTestStore(fileSystem, { directory: sessions, processes: systemProcesses }).create();
const [known, fresh] = [path.join(workspace, 'known'), path.join(workspace, 'new/deep/file')];
for (let round = 1; ; round += 1) {
  const content = `${round}\n`.repeat(20_000);
  await playRun(record, fileSystem, { path: known, content }, { path: fresh, content }, { path: known, content: 'x' });
  if (round === 1) writeSync(1, 'started\n');
  if (round % 2 === 0) await undo(record);
}
