import path from 'node:path';
import { FileSystemError } from '../core/errors.ts';
import type { FileSystem } from '../ports/file-system.ts';
import { type ConfigKeys, configKeys } from './keys.ts';
import { type LoadedConfig, mergeLayers } from './merge-layers.ts';
import { ConfigError, type ConfigLayer, layerOf, readLayer } from './read-layer.ts';

/** Locations and values that the configuration is loaded from. */
export interface ConfigSources {
  readonly platform: 'posix' | 'windows';
  /** Absolute path of the user's home directory. */
  readonly home: string;
  /** Absolute path of the directory that the session works in. */
  readonly workspace: string;
  /** `XDG_CONFIG_HOME`; one that is not absolute is ignored. */
  readonly xdgConfigHome?: string | undefined;
  /** `--config`, absolute; it must exist. */
  readonly configFile?: string | undefined;
  /** Values of the command line, by the names of the keys; `undefined` sets nothing. */
  readonly overrides: Readonly<Record<string, unknown>>;
  /** The names of the tools, which have the keys `tools.builtin.NAME.enabled`. */
  readonly toolNames: readonly string[];
}

/** The maximum size of a file, in bytes. */
const MAX_FILE_BYTES = 256 * 1024;

/**
 * Reads and merges, in order of increasing precedence: `/etc/ybs/config.json`, `config.json` in the user's configuration
 * directory, `~/.ybs.json`, the project's `.ybs.json` (not trusted), the file of `--config`, the command line. Only the
 * file of `--config` must exist. Throws `ConfigError`.
 */
export async function loadConfig(fileSystem: FileSystem, sources: ConfigSources): Promise<LoadedConfig> {
  const keys = configKeys(sources.toolNames);
  const read = (file: string, trusted: boolean) => readFile(fileSystem, keys, file, trusted);
  const own = await Promise.all(ownFiles(sources).map((file) => read(file, true)));
  const chosen = sources.configFile === undefined ? undefined : await readChosen(sources.configFile, read);
  const project = await readProject(fileSystem, sources, read);
  const layers = [...own, project, chosen].filter((layer) => layer !== undefined);
  return mergeLayers(keys, [...layers, layerOf(keys, 'command line', sources.overrides)]);
}

type ReadFile = (file: string, trusted: boolean) => Promise<ConfigLayer | undefined>;

/** The files of the machine and of the user that are read when they exist. */
function ownFiles({ platform, home, xdgConfigHome }: ConfigSources): readonly string[] {
  const { join, isAbsolute } = pathOf(platform);
  const directory = xdgConfigHome !== undefined && isAbsolute(xdgConfigHome) ? xdgConfigHome : join(home, '.config');
  return [
    ...(platform === 'posix' ? ['/etc/ybs/config.json'] : []),
    join(directory, 'ybs', 'config.json'),
    join(home, '.ybs.json'),
  ];
}

/** The project's file, unless it is one of the user's own files under another name, which is read already. */
async function readProject(
  fileSystem: FileSystem,
  sources: ConfigSources,
  read: ReadFile,
): Promise<ConfigLayer | undefined> {
  const file = pathOf(sources.platform).join(sources.workspace, '.ybs.json');
  const real = (name: string): Promise<string | undefined> => fileSystem.realPath(name).catch(() => undefined);
  const trusted = [...ownFiles(sources), ...(sources.configFile === undefined ? [] : [sources.configFile])];
  const realFile = await real(file);
  if (realFile !== undefined && (await Promise.all(trusted.map(real))).includes(realFile)) return undefined;
  return read(file, false);
}

async function readChosen(file: string, read: ReadFile): Promise<ConfigLayer> {
  const layer = await read(file, true);
  if (layer === undefined) throw new ConfigError(file, 'the file of --config does not exist. Check the path.');
  return layer;
}

async function readFile(
  fileSystem: FileSystem,
  keys: ConfigKeys,
  file: string,
  trusted: boolean,
): Promise<ConfigLayer | undefined> {
  try {
    const { bytes, size } = await fileSystem.readFile(file, MAX_FILE_BYTES);
    if (size > MAX_FILE_BYTES) {
      throw new ConfigError(
        file,
        `the file has ${size} bytes, more than the maximum of ${MAX_FILE_BYTES}. Check the path.`,
      );
    }
    return await readLayer(keys, file, trusted, new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    if (error.code === 'not_found' || error.code === 'not_a_directory') return undefined;
    throw new ConfigError(file, `the file cannot be read (${error.code}). Make it readable or remove it.`);
  }
}

function pathOf(platform: ConfigSources['platform']): typeof path.posix {
  return platform === 'windows' ? path.win32 : path.posix;
}
