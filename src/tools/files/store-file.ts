import { ToolError } from '../../agent/errors.ts';
import type { FileBytes } from '../../agent/ports/file-system.ts';
import type { FileRecord } from '../../agent/ports/tool.ts';
import { pathFlavour } from '../../policy/paths/path-policy.ts';
import { withFileErrors } from './file-errors.ts';
import { type DecodedFile, type FilePorts, type LoadedFile, readFileBytes } from './load-file.ts';
import { textOf } from './read-ledger.ts';
import type { ResolvedPath } from './resolve-path.ts';

/** Throws `file_changed` unless the file is still as it was when the call was planned, or still does not exist. */
export async function requireUnchanged(
  file: ResolvedPath,
  planned: LoadedFile | undefined,
  ports: FilePorts,
): Promise<void> {
  const found = await readFileBytes(file, ports);
  if (isUnchanged(planned, found)) return;
  const change =
    planned === undefined ? 'was created by another program' : found === undefined ? 'was deleted' : 'was changed';
  throw new ToolError(
    'file_changed',
    `${file.display} ${change} after this call was planned. Nothing was written. Read it with read_file, then try again.`,
  );
}

/** Replaces the file, creates its directory if it is missing, and records the new version as `recordFile` does. */
export async function storeFile(file: ResolvedPath, version: DecodedFile, ports: FilePorts): Promise<FileRecord> {
  const flavour = pathFlavour(ports.pathRules.platform);
  const directory = flavour.dirname(file.realPath);
  const name = flavour.basename(file.realPath);
  const { fileSystem, ledger } = ports;
  const known = ledger.get(file.realPath)?.digest;
  const isOwn =
    !file.exists ||
    (known !== undefined && known === ledger.own(file.realPath)) ||
    (await fileSystem.findTracked?.([file.realPath]))?.has(file.realPath) === true;
  await withFileErrors(file.display, () => fileSystem.replaceFile(directory, name, version.bytes));
  if (isOwn) ledger.recordOwn(file.realPath, version.digest);
  ledger.recordWrite(file.realPath, { digest: version.digest, text: textOf(version.content) });
  return { realPath: file.realPath, digest: version.digest };
}

/** Records in the ledger that this session knows this version of the file. Returns the record for the result. */
export function recordFile(
  { realPath }: ResolvedPath,
  { digest, content }: DecodedFile,
  { ledger }: FilePorts,
): FileRecord {
  ledger.record(realPath, { digest, text: textOf(content) });
  return { realPath, digest };
}

function isUnchanged(planned: LoadedFile | undefined, found: FileBytes | undefined): boolean {
  if (planned === undefined || found === undefined) return planned === found;
  if (planned.size !== found.size) return false;
  // A loop, because `every` is many times slower for a file of several megabytes.
  for (let index = 0; index < planned.bytes.length; index++) {
    if (planned.bytes[index] !== found.bytes[index]) return false;
  }
  return true;
}
