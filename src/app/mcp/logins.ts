import { unlessFileError } from '../../agent/errors.ts';
import { ownDirectories } from '../../config/layers/sources.ts';
import type { Config } from '../../config/schema.ts';
import { pathFlavour } from '../../policy/paths/path-policy.ts';
import { expandPath } from '../../policy/paths/written-path.ts';
import { whileLocked } from '../../session/log/lock.ts';
import { isJsonObject, jsonOr } from '../../text/json/json.ts';
import type { Keyring } from '../../tools/mcp/login/login.ts';
import type { Login, LoginStore } from '../../tools/mcp/login/tokens.ts';
import type { McpServerSettings } from '../../tools/mcp/settings.ts';
import type { Machine } from '../settings.ts';

/** The login to one server for the user, who can remove it. */
export interface UserLogin extends LoginStore {
  /** The file of the token where there is no keyring. */
  readonly file: string;
  /** Resolves to false if there was none. */
  remove(): Promise<boolean>;
  /** True if the token is in the file, because there is no keyring. */
  isInFile(): Promise<boolean>;
}

const MAX_BYTES = 256 * 1024;
const OWNER_ONLY = 0o600;

/**
 * The logins of the user to servers over HTTP: in the keyring of the system, or where there is none in files that only the
 * user can read. They hold for the address of a server only.
 */
export function createLogins(
  config: Config,
  workspace: string,
  machine: Pick<
    Machine,
    'clock' | 'digest' | 'environment' | 'fileSystem' | 'home' | 'openLogins' | 'platform' | 'processes'
  >,
): (server: Pick<McpServerSettings, 'name' | 'entry'>) => UserLogin {
  const { clock, digest, fileSystem, home, platform, processes } = machine;
  const { join } = pathFlavour(platform);
  const [, configuration = ''] = ownDirectories(config, machine);
  const directory = expandPath(`${configuration}/mcp/logins`, { workspace, platform, home });
  let keyring: Promise<Keyring | undefined> | undefined;
  const openKeyring = (): Promise<Keyring | undefined> => {
    keyring ??= Promise.resolve(machine.openLogins?.()).then((opened) => opened?.keyring);
    return keyring;
  };
  return ({ name, entry }) => {
    const mark = digest(new TextEncoder().encode(entry.url ?? '')).slice(0, 16);
    const account = `${name} ${mark}`;
    const base = `${name}.${mark}`;
    const file = join(directory, `${base}.json`);
    const readFile = async (): Promise<string | undefined> => {
      const read = await unlessFileError(fileSystem.readFile(file, MAX_BYTES));
      return read === undefined || read.protection !== undefined ? undefined : new TextDecoder().decode(read.bytes);
    };
    const writeFile = async (text: string): Promise<void> => {
      await fileSystem.createDirectory(directory, 'owner');
      await fileSystem.replaceFile(
        await fileSystem.realPath(directory),
        `${base}.json`,
        new TextEncoder().encode(text),
        OWNER_ONLY,
      );
    };
    return {
      file,
      async read() {
        const value = jsonOr(undefined, (await readFile()) ?? (await (await openKeyring())?.read(account)) ?? '');
        return isLogin(value) ? value : undefined;
      },
      async write(login) {
        const text = `${JSON.stringify(login)}\n`;
        // A file that is there stays the place, so that no older login is read.
        const isKept = (await readFile()) === undefined && (await (await openKeyring())?.write(account, text)) === true;
        if (!isKept) await writeFile(text);
      },
      async locked(work) {
        await fileSystem.createDirectory(directory, 'owner');
        return whileLocked(join(directory, `${base}.lock`), { fileSystem, processes, clock }, work);
      },
      async remove() {
        const wasInFile = (await readFile()) !== undefined;
        await unlessFileError(fileSystem.removeFile(file));
        return (await (await openKeyring())?.remove(account)) === true || wasInFile;
      },
      now: () => clock.now(),
      isInFile: async () => (await readFile()) !== undefined,
    };
  };
}

function isLogin(value: unknown): value is Login {
  if (!isJsonObject(value) || value['version'] !== 1) return false;
  const { tokens, client, discovery } = value;
  return (
    isJsonObject(tokens) &&
    typeof tokens['access_token'] === 'string' &&
    isJsonObject(client) &&
    isJsonObject(discovery)
  );
}
