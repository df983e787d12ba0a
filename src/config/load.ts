import path from 'node:path';
import { FileSystemError } from '../core/errors.ts';
import type { FileSystem } from '../ports/file-system.ts';
import { ConfigError } from './config-error.ts';
import { type LoadedConfig, mergeLayers } from './merge-layers.ts';
import { type ConfigLayer, layerOf, readLayer } from './read-layer.ts';

/** Where configuration comes from. */
export interface ConfigSources {
  readonly platform: 'posix' | 'windows';
  /** Absolute path of the user's home directory. */
  readonly home: string;
  /** Absolute path of the directory the session works in. */
  readonly workspace: string;
  /** `XDG_CONFIG_HOME`; one that is not absolute is ignored. */
  readonly xdgConfigHome?: string | undefined;
  /** `--config`, absolute; it must exist. */
  readonly configFile?: string | undefined;
  /** What the command line sets, by the names of the keys. */
  readonly overrides: Readonly<Record<string, unknown>>;
}

/** The largest file that is read, in bytes. */
const LARGEST_FILE = 256 * 1024;

/**
 * Reads and merges, the later above the earlier: `/etc/ybs/config.json`, `config.json` of the user's configuration
 * directory, `~/.ybs.json`, the project's `.ybs.json` (not trusted), the file of `--config`, the command line. A file
 * that does not exist is fine, except that of `--config`. Throws `ConfigError`.
 */
export async function loadConfig(fileSystem: FileSystem, sources: ConfigSources): Promise<LoadedConfig> {
  const own = await Promise.all(ownFiles(sources).map((file) => readFile(fileSystem, file, true)));
  const chosen = sources.configFile === undefined ? undefined : await readChosen(fileSystem, sources.configFile);
  const project = await readProject(fileSystem, sources);
  const layers = [...own, project, chosen].filter((layer) => layer !== undefined);
  return mergeLayers([...layers, layerOf('command line', sources.overrides)]);
}

/** The user's and the machine's files that are always looked for. */
function ownFiles({ platform, home, xdgConfigHome }: ConfigSources): readonly string[] {
  const { join, isAbsolute } = flavour(platform);
  const directory = xdgConfigHome !== undefined && isAbsolute(xdgConfigHome) ? xdgConfigHome : join(home, '.config');
  return [
    ...(platform === 'posix' ? ['/etc/ybs/config.json'] : []),
    join(directory, 'ybs', 'config.json'),
    join(home, '.ybs.json'),
  ];
}

/** The project's file, unless it is one of the user's under another name: then it has been read already. */
async function readProject(fileSystem: FileSystem, sources: ConfigSources): Promise<ConfigLayer | undefined> {
  const file = flavour(sources.platform).join(sources.workspace, '.ybs.json');
  const real = (name: string): Promise<string | undefined> => fileSystem.realPath(name).catch(() => undefined);
  const trusted = [...ownFiles(sources), ...(sources.configFile === undefined ? [] : [sources.configFile])];
  const realFile = await real(file);
  if (realFile !== undefined && (await Promise.all(trusted.map(real))).includes(realFile)) return undefined;
  return readFile(fileSystem, file, false);
}

async function readChosen(fileSystem: FileSystem, file: string): Promise<ConfigLayer> {
  const layer = await readFile(fileSystem, file, true);
  if (layer === undefined) throw new ConfigError(file, 'the file of --config does not exist. Check the path.');
  return layer;
}

async function readFile(fileSystem: FileSystem, file: string, trusted: boolean): Promise<ConfigLayer | undefined> {
  try {
    const { bytes, size } = await fileSystem.readFile(file, LARGEST_FILE);
    if (size > LARGEST_FILE) {
      throw new ConfigError(
        file,
        `it has ${size} bytes; a configuration has at most ${LARGEST_FILE}. Is this the right file?`,
      );
    }
    return readLayer(file, trusted, new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    if (error.code === 'not_found' || error.code === 'not_a_directory') return undefined;
    throw new ConfigError(file, `it cannot be read (${error.code}). Make it a file that you may read, or remove it.`);
  }
}

function flavour(platform: ConfigSources['platform']): typeof path.posix {
  return platform === 'windows' ? path.win32 : path.posix;
}
