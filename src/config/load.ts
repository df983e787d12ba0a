import { FileSystemError, unlessFileError } from '../agent/errors.ts';
import type { FileSystem } from '../agent/ports/file-system.ts';
import { ConfigError } from './config-error.ts';
import type { ConfigKeys } from './describe/keys.ts';
import type { ModelVariables } from './environment.ts';
import { type LoadedConfig, mergeLayers } from './layers/merge-layers.ts';
import { type PolicyText, readPolicyLayer } from './layers/policy-layer.ts';
import type { EidolonConfig } from './layers/read-eidolon.ts';
import { type ConfigLayer, layerOf, readLayer, unusableLayer } from './layers/read-layer.ts';
import { type ConfigPlaces, configDirectory, pathOf } from './places.ts';
import { ignoredParts } from './trust/describe-trust.ts';
import { type JudgeProject, NOT_TRUSTED, type ProjectSettings, type ProjectTrust } from './trust/project-trust.ts';

/** Locations and values that the configuration is loaded from. */
export interface ConfigSources extends ConfigPlaces {
  /** Absolute path of the directory that the session works in. */
  readonly workspace: string;
  /** The absolute path given with `--config`; the file must exist. */
  readonly configFile?: string | undefined;
  /** The absolute path of a variant that is evaluated; the file must exist. */
  readonly variantFile?: string | undefined;
  /** Values from the command line by key name; `undefined` values are ignored. */
  readonly overrides: Readonly<Record<string, unknown>>;
  /** The command line has a whole connection, which replaces that of the files. */
  readonly replacesConnection?: boolean;
  /** The environment; its variables about models apply between the files and the command line. */
  readonly variables: ModelVariables;
  /** The keys that files may have. */
  readonly keys: ConfigKeys;
  /** Reads the policy of an administrator; without it, there is none. */
  readonly readPolicy?: (() => Promise<PolicyText | undefined>) | undefined;
  /** Decides whether the project is trusted; without it, no project is. */
  readonly judgeProject?: JudgeProject;
}

/** The maximum size of a file, in bytes. */
const MAX_FILE_BYTES = 256 * 1024;

/** The configuration of a session, and the keys in the files. */
export interface ConfigWithKeys extends LoadedConfig {
  /** Keys from `~/.eidolon/config.json`, by the name that `llm.api_key_variable` then has. */
  readonly keys: Readonly<Record<string, string>>;
  readonly trust: ProjectTrust;
  readonly project: ProjectSettings;
  /** Lines about the file of the project, with which ybs would not start if the project were trusted. */
  readonly projectProblem: string | undefined;
}

/**
 * Reads and merges, in order of increasing precedence: `/etc/ybs/config.json`, `config.json` in the user's configuration
 * directory, `~/.ybs.json`, the project's `.ybs.json`, the `--config` file, the variant, the environment, the
 * command line. Of the project's file, only what makes a session stricter counts before the project is trusted, and what
 * is wrong with it is a warning. Only the `--config` file and the variant must exist. Without a file of the user,
 * `~/.eidolon/config.json` takes their place. Throws `ConfigError`.
 */
export async function loadConfig(fileSystem: FileSystem, sources: ConfigSources): Promise<ConfigWithKeys> {
  const { keys } = sources;
  const read: ReadFile = async (file, trusted) => {
    const text = await readText(fileSystem, file);
    return text === undefined ? undefined : readLayer(keys, file, trusted, text);
  };
  const readAll = (paths: readonly string[]) => Promise.all(paths.map((file) => read(file, true)));
  const [system, user] = await Promise.all([readAll(systemFiles(sources)), readAll(userFiles(sources))]);
  const explicit =
    sources.configFile === undefined ? undefined : await readExplicit(sources.configFile, 'the --config file', read);
  const variant = sources.variantFile === undefined ? undefined : await readVariant(sources.variantFile, read, sources);
  const projectLayer = await readProject(fileSystem, sources, read);
  const hasOwnFile = [...user, explicit, variant].some((layer) => layer !== undefined);
  const eidolon = hasOwnFile ? undefined : await readEidolonFile(fileSystem, sources);
  const projectEidolon = await readProjectEidolon(fileSystem, sources);
  const given = [...system, eidolon?.layer, ...user, projectEidolon, projectLayer, explicit, variant];
  const files = given.filter((layer) => layer !== undefined);
  const commandLine = await layerOf(keys, 'command line', sources.overrides);
  const hasEidolon = projectEidolon?.values.has('models.active') === true;
  const own = files.filter((layer) => layer !== projectEidolon);
  const project = { ...projectOf(own, keys), ...(hasEidolon && { hasEidolon }) };
  const trust = (await sources.judgeProject?.(project)) ?? NOT_TRUSTED;
  const trustsProject = trust.verdict.type === 'trusted';
  const projectProblem = projectLayer?.error?.message;
  if (trustsProject && projectLayer?.error !== undefined) throw projectLayer.error.with(TRUSTED_FILE);
  const { variables, replacesConnection } = sources;
  const policy = await readPolicyLayer(keys, await sources.readPolicy?.());
  const layers = { files, variables, commandLine, policy, replacesConnection, trustsProject };
  const loaded = await mergeLayers(keys, layers);
  const ignored = ignoredParts({ ...loaded, trust });
  const warnings = [...loaded.warnings, ...(await otherFormats(fileSystem, sources))];
  const judged = { ...trust, ignored, isInvalid: projectProblem !== undefined };
  return { ...loaded, warnings, keys: eidolon?.keys ?? {}, trust: judged, project, projectProblem };
}

/** The facts in configuration files that decide what the parts of a project are. */
function projectOf(files: readonly ConfigLayer[], keys: ConfigKeys): ProjectSettings {
  const lists = (layers: readonly ConfigLayer[], name: string): readonly unknown[] =>
    [layers.findLast(({ values }) => values.has(name))?.values.get(name) ?? []].flat();
  const [own, project] = [true, false].map((trusted) => files.filter((layer) => layer.trusted === trusted));
  const name = 'tools.search_paths';
  const configured = own?.some(({ values }) => values.has(name)) === true;
  return {
    hasConfiguration: project !== undefined && project.length > 0,
    searchPaths: [
      ...(configured ? lists(own ?? [], name) : [keys.find(name)?.default].flat()),
      ...lists(project ?? [], name),
    ].map(String),
    programs: lists(project ?? [], 'tools.external').flatMap((entry) =>
      typeof entry === 'object' && entry !== null && 'path' in entry ? [String(entry.path)] : [],
    ),
  };
}

const TRUSTED_FILE =
  'This file counts, because the project is trusted. Correct it, or end the trust with: ybs trust --revoke';

type ReadFile = (file: string, trusted: boolean) => Promise<ConfigLayer | undefined>;

function systemFiles({ platform }: ConfigSources): readonly string[] {
  return platform === 'posix' ? ['/etc/ybs/config.json'] : [];
}

/** The files of the user, in order of increasing precedence. */
export function userFiles({ platform, home, xdgConfigHome }: ConfigSources): readonly string[] {
  const { join } = pathOf(platform);
  return [join(configDirectory({ platform, home, xdgConfigHome }), 'config.json'), join(home, '.ybs.json')];
}

/** Warnings about files of the user and of the project that are named or placed as in other programs. */
async function otherFormats(fileSystem: FileSystem, sources: ConfigSources): Promise<readonly string[]> {
  const { join } = pathOf(sources.platform);
  const [own = '', ...more] = userFiles(sources);
  const project = join(sources.workspace, '.ybs.json');
  const named = [own, ...more, project].flatMap((file) =>
    ['yaml', 'yml', 'toml', 'jsonc'].map((format): [string, string] => [
      file.replace(/json$/, format),
      'ybs reads only .json, which may have comments',
    ]),
  );
  const placed = ['.ybs/config.json', '.ybs/settings.json'].flatMap((name): [string, string][] => [
    [join(sources.home, name), `ybs reads ${own}`],
    [join(sources.workspace, name), `the file of a project is ${project}`],
  ]);
  const found: string[] = [];
  for (const [file, reason] of new Map([...placed.toReversed(), ...named])) {
    if ((await unlessFileError(fileSystem.stat(file))) !== undefined) found.push(`${file} is ignored: ${reason}.`);
  }
  return found;
}

/** The project's file; `undefined` if it is one of the trusted files, under the same path or through a link. */
async function readProject(
  fileSystem: FileSystem,
  sources: ConfigSources,
  read: ReadFile,
): Promise<ConfigLayer | undefined> {
  const file = pathOf(sources.platform).join(sources.workspace, '.ybs.json');
  const real = (name: string): Promise<string | undefined> => fileSystem.realPath(name).catch(() => undefined);
  const trusted = [
    ...systemFiles(sources),
    ...userFiles(sources),
    ...[sources.configFile, sources.variantFile].filter((name) => name !== undefined),
  ];
  const realFile = await real(file);
  if (realFile !== undefined && (await Promise.all(trusted.map(real))).includes(realFile)) return undefined;
  try {
    return await read(file, false);
  } catch (error) {
    if (error instanceof ConfigError) return unusableLayer(file, error);
    throw error;
  }
}

/**
 * The file of Eidolon in the project, which may name a profile of the user as `.ybs.json` may; its profiles do not
 * count.
 */
async function readProjectEidolon(
  fileSystem: FileSystem,
  { platform, home, workspace }: ConfigSources,
): Promise<ConfigLayer | undefined> {
  const fileIn = (directory: string): string => pathOf(platform).join(directory, '.eidolon', 'config.json');
  const file = fileIn(workspace);
  if (file === fileIn(home)) return undefined;
  try {
    const text = await readText(fileSystem, file);
    if (text === undefined) return undefined;
    const { layer } = await (await import('./layers/read-eidolon.ts')).readEidolon(file, text);
    const values = new Map([...layer.values].filter(([, value]) => !Array.isArray(value) || value.length > 0));
    return { ...layer, values, trusted: false };
  } catch (error) {
    if (error instanceof ConfigError) return unusableLayer(file, error);
    throw error;
  }
}

async function readEidolonFile(
  fileSystem: FileSystem,
  { platform, home }: ConfigSources,
): Promise<EidolonConfig | undefined> {
  const file = pathOf(platform).join(home, '.eidolon', 'config.json');
  const text = await readText(fileSystem, file);
  return text === undefined ? undefined : (await import('./layers/read-eidolon.ts')).readEidolon(file, text);
}

async function readExplicit(file: string, what: string, read: ReadFile): Promise<ConfigLayer> {
  const layer = await read(file, true);
  if (layer === undefined) throw new ConfigError(file, `${what} does not exist. Check the path.`);
  return layer;
}

/** A variant may keep its prompt beside it: its path is relative to the file, because each run has another workspace. */
async function readVariant(file: string, read: ReadFile, { platform }: ConfigSources): Promise<ConfigLayer> {
  const layer = await readExplicit(file, 'the file of a variant', read);
  const rules = layer.values.get('prompt.system_file');
  if (typeof rules !== 'string' || rules.startsWith('~')) return layer;
  const { dirname, resolve } = pathOf(platform);
  return { ...layer, values: new Map([...layer.values, ['prompt.system_file', resolve(dirname(file), rules)]]) };
}

/** The text of a file; `undefined` if there is no file. Throws `ConfigError`. */
export async function readText(
  fileSystem: FileSystem,
  file: string,
  decoder = new TextDecoder(),
): Promise<string | undefined> {
  try {
    const { bytes, size } = await fileSystem.readFile(file, MAX_FILE_BYTES);
    if (size > MAX_FILE_BYTES) {
      throw new ConfigError(
        file,
        `the file has ${size} bytes, more than the maximum of ${MAX_FILE_BYTES}. Check the path.`,
      );
    }
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError && decoder.fatal) throw new ConfigError(file, 'the file is not UTF-8. Convert it.');
    if (!(error instanceof FileSystemError)) throw error;
    if (error.code === 'not_a_directory') return undefined;
    if (error.code === 'not_found') {
      if (!(await isLink(fileSystem, file))) return undefined;
      throw new ConfigError(file, 'the file is a link to a file that does not exist. Correct the link or remove it.');
    }
    if (error.code === 'is_directory')
      throw new ConfigError(file, 'this is a directory. Name a file, or remove the directory.');
    throw new ConfigError(file, `the file cannot be read: ${error.reason}. Make it readable or remove it.`);
  }
}

/** True if a file that cannot be found is a broken link. */
async function isLink(fileSystem: FileSystem, file: string): Promise<boolean> {
  const error: unknown = await fileSystem.readFile(file, 0, 'refuse').catch((caught: unknown) => caught);
  return error instanceof FileSystemError && error.code === 'moved';
}
