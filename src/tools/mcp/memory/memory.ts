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

/** A file of the user that only the user can read: its path, and its text, if it can be read. */
export function ownFile(name: string, { fileSystem, platform, directory }: MemoryPorts) {
  const file = pathFlavour(platform).join(directory, name);
  return {
    file,
    async read(): Promise<string | undefined> {
      const read = await unlessFileError(fileSystem.readFile(file, MAX_BYTES));
      const isWhole = read !== undefined && read.size <= MAX_BYTES && read.protection === undefined;
      return isWhole ? new TextDecoder().decode(read.bytes) : undefined;
    },
    async write(content: object): Promise<void> {
      const bytes = new TextEncoder().encode(`${JSON.stringify(content)}\n`);
      await fileSystem.createDirectory(directory, 'owner');
      await fileSystem.replaceFile(await fileSystem.realPath(directory), name, bytes, OWNER_ONLY);
    },
  };
}

/** The facts about a server. Those of projects have a file for each entry, because several projects can use a name. */
export function factsOf({ name, origin, digest }: McpServerSettings, ports: MemoryPorts) {
  const stored = ownFile(origin === 'user' ? `${name}.json` : `${name}.${digest.slice(0, 16)}.json`, ports);
  return {
    /** Resolves to `undefined` if there are none, or if they hold for another entry. */
    async read(): Promise<Remembered | undefined> {
      const content = jsonOr(undefined, (await stored.read()) ?? '');
      return conforms(content, REMEMBERED) && content.entry === digest ? content : undefined;
    },
    /** A failure only costs the next start its memory. */
    write: (remembered: Remembered): Promise<void> => unlessFileError(stored.write(remembered)),
  };
}
