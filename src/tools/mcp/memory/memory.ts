import { unlessFileError } from '../../../agent/errors.ts';
import type { FileSystem } from '../../../agent/ports/file-system.ts';
import { type PathPlatform, pathFlavour } from '../../../policy/paths/path-policy.ts';
import { conforms, type ValueOf } from '../../../schema/conforms.ts';
import { jsonOr } from '../../../text/json/json.ts';
import type { McpServerSettings } from '../settings.ts';
import { REMEMBERED } from './remembered.data.ts';

/** The stored facts about a server. */
export type Remembered = ValueOf<typeof REMEMBERED>;

/** Ports of the files with what is remembered. */
export interface MemoryPorts {
  readonly fileSystem: Pick<FileSystem, 'createDirectory' | 'readFile' | 'realPath' | 'replaceFile'>;
  readonly platform: PathPlatform;
  /** Absolute path, in the directory of the user's configuration, which no tool may use. */
  readonly directory: string;
}

const MAX_BYTES = 8 * 1024 * 1024;
const OWNER_ONLY = 0o600;

/** Nothing is remembered of a server with this entry. */
export function nothingKnown({ digest }: McpServerSettings): Remembered {
  return { version: 1, entry: digest, tools: [], agreed: {} };
}

/** The file of a server. Those of projects have one for each entry, because several projects can use a name. */
function fileOf({ name, origin, digest }: McpServerSettings): string {
  return origin === 'user' ? `${name}.json` : `${name}.${digest.slice(0, 16)}.json`;
}

/** Reads what is remembered of a server; `undefined` if there is nothing, or if it holds for another entry. */
export async function readRemembered(
  server: McpServerSettings,
  { fileSystem, platform, directory }: MemoryPorts,
): Promise<Remembered | undefined> {
  const file = await unlessFileError(
    fileSystem.readFile(pathFlavour(platform).join(directory, fileOf(server)), MAX_BYTES),
  );
  if (file === undefined || file.size > MAX_BYTES || file.protection !== undefined) return undefined;
  const content = jsonOr(undefined, new TextDecoder().decode(file.bytes));
  return conforms(content, REMEMBERED) && content.entry === server.digest ? content : undefined;
}

/** Replaces what is remembered. A failure only costs the next start its memory. */
export async function writeRemembered(
  server: McpServerSettings,
  remembered: Remembered,
  { fileSystem, directory }: MemoryPorts,
): Promise<void> {
  const bytes = new TextEncoder().encode(`${JSON.stringify(remembered)}\n`);
  const write = async (): Promise<void> => {
    await fileSystem.createDirectory(directory, 'owner');
    await fileSystem.replaceFile(await fileSystem.realPath(directory), fileOf(server), bytes, OWNER_ONLY);
  };
  await unlessFileError(write());
}
