import { PERMISSION_LEVELS } from '../../agent/ports/approver.ts';
import type { PolicyLimits } from '../../policy/policy-limits.ts';
import { conforms } from '../../schema/conforms.ts';
import { didYouMean } from '../../text/suggest.ts';
import { CONFIG_CHECKS } from '../checks.ts';
import { ConfigError, placeOf } from '../config-error.ts';
import type { ConfigKey, ConfigKeys } from '../describe/keys.ts';
import { environmentLayer, type ModelVariables } from '../environment.ts';
import { ADDRESS_KEYS, CONNECTION_KEYS, hasSameOrigin, profileValues } from '../profiles.ts';
import type { Profile } from '../schema/profile-schema.ts';
import type { Config } from '../schema.ts';
import { applyPolicy } from './policy-layer.ts';
import type { ConfigLayer } from './read-layer.ts';

/** The sources of a configuration, in order of increasing precedence. */
export interface ConfigLayers {
  readonly files: readonly ConfigLayer[];
  readonly variables: ModelVariables;
  readonly commandLine: ConfigLayer;
  /** The policy of an administrator, which comes last. */
  readonly policy?: ConfigLayer | undefined;
  /** The command line replaces the whole connection. */
  readonly replacesConnection?: boolean | undefined;
  readonly trustsProject?: boolean;
}

/** The configuration of a session. */
export interface LoadedConfig {
  readonly config: Config;
  /**
   * The origin of every key, in the order of the schema: the path of a file, `environment variable NAME`, `command line`
   * or `default`; of a value in a profile, that of the choice with the name of the profile.
   */
  readonly origins: ReadonlyMap<string, string>;
  /** Settings without effect, one line each, for the user. */
  readonly warnings: readonly string[];
  /** The external tools that files of the project name. They are only used once the project is trusted. */
  readonly projectTools: Config['tools']['external'];
  /** The keys of the project that have no effect before it is trusted. */
  readonly waiting: readonly WaitingKey[];
  readonly policy?: PolicyLimits;
}

/**
 * Merges layers. A value replaces an earlier one, even if both are lists. A layer that changes the provider drops the
 * model, the address and everything else of the earlier one; a layer that changes the address drops what belongs to the
 * earlier address, such as the variable of its key. A profile replaces the whole connection. A layer of the
 * project may only make the changes that `PROJECT_RULES` describes. Throws `ConfigError` for a profile that does not exist.
 */
export async function mergeLayers(
  keys: ConfigKeys,
  { files, variables, commandLine, policy, replacesConnection = false, trustsProject = false }: ConfigLayers,
): Promise<LoadedConfig> {
  const settings = new Map<string, unknown>(
    [...keys.byName.values()].flatMap((key) => (key.isEntry ? [] : [[key.name, key.default]])),
  );
  const defined = files.findLast(({ trusted, values }) => trusted && values.has('models.profiles'));
  const profiles = defined === undefined ? [] : await readProfiles(defined);
  const origins = new Map([...settings.keys()].map((name) => [name, DEFAULT]));
  const merge = { settings, origins, profiles, trustsProject };
  const waiting: WaitingKey[] = [];
  const warnings = files.flatMap((layer) => {
    if (layer.trusted) applyTrusted(layer, merge);
    const result = layer.trusted ? NOTHING_IGNORED : applyProject(layer, merge, keys);
    waiting.push(...result.waiting);
    return [...layer.warnings, ...result.warnings];
  });
  const provider = commandLine.values.get('llm.provider');
  const sets = (name: string): boolean =>
    [...files, commandLine].some(({ trusted, values }) => trusted && values.has(name));
  if (defined !== undefined && !sets('llm.provider') && settings.get('models.active') === undefined) {
    const [only, ...others] = profiles;
    if (others.length > 0)
      throw new ConfigError(defined.source, `models.active must be set. ${profileNames(profiles)}`);
    if (only !== undefined) activate(only, defined.source, merge);
  }
  if (replacesConnection) reset(merge, CONNECTION_KEYS);
  // The provider of the command line comes first, because the environment has variables for each provider.
  if (provider !== undefined) applyTrusted({ ...commandLine, values: new Map([['llm.provider', provider]]) }, merge);
  const profile = activeProfile(merge);
  const question = {
    provider: String(settings.get('llm.provider')),
    isConfigured: sets('llm.provider') || sets('llm.endpoint') || profile !== undefined,
    endpoint: settings.get('llm.endpoint'),
    profile,
  };
  applyTrusted(environmentLayer(variables, question), merge);
  applyTrusted(commandLine, merge);
  const xnl = files.findLast(({ trusted, values }) => trusted && values.get('llm.tool_protocol') === 'xnl');
  const isDropped = provider !== undefined && origins.get('llm.tool_protocol') === DEFAULT && !replacesConnection;
  if (xnl !== undefined && isDropped)
    warnings.push(
      `${placeOf(xnl.source)}: llm.tool_protocol has no effect, because it is set for a provider other than ${provider}. For this one, use a profile with "toolProtocol": "xnl".`,
    );
  const strict = policy && applyPolicy(policy, merge, keys);
  if (strict !== undefined) warnings.push(...strict.warnings);
  const untrusted = files.filter(({ trusted, values }) => !trusted && values.has('tools.external'));
  const projectTools = (await Promise.all(untrusted.map(readExternalTools))).flat();
  const loaded = { config: await configOf(keys, settings), origins, warnings, projectTools, waiting };
  return strict === undefined ? loaded : { ...loaded, policy: strict.limits };
}

/** The configuration of these settings, where a key without a value has its default. */
async function configOf(keys: ConfigKeys, settings: ReadonlyMap<string, unknown>): Promise<Config> {
  const defined = [...settings].map(([name, value]) => {
    const key = keys.find(name);
    return { name, values: key?.values, value: value ?? key?.default };
  });
  const empty = [...keys.byName.values()].flatMap(({ name, isEntry }) => {
    const section = name.split('.').slice(0, -1);
    const isEmpty = isEntry && !defined.some((key) => key.name.startsWith(`${section.join('.')}.`));
    return isEmpty ? [[section, {}] as const] : [];
  });
  const config = nest([...defined.map(({ name, value }) => [name.split('.'), value] as const), ...empty]);
  /** Values that only zod can check were checked when their layer was read. */
  const isConfig = (_config: object): _config is Config =>
    defined.every(
      ({ value, values }) => value === undefined || values === undefined || conforms(value, values, CONFIG_CHECKS),
    );
  return isConfig(config) ? config : (await keys.loadSchema()).parse(config);
}

async function readProfiles({ values }: ConfigLayer): Promise<readonly Profile[]> {
  return (await import('../schema/profile-schema.ts')).profilesSchema.parse(values.get('models.profiles'));
}

async function readExternalTools({ values }: ConfigLayer): Promise<LoadedConfig['projectTools']> {
  return (await import('../schema.ts')).externalToolsSchema.parse(values.get('tools.external'));
}

/** The origin of a value that nothing sets. */
export const DEFAULT = 'default';

/** The settings so far, and the profiles of the trusted files. */
interface Merge {
  readonly settings: Map<string, unknown>;
  readonly origins: Map<string, string>;
  readonly profiles: readonly Profile[];
  readonly trustsProject: boolean;
}

function applyTrusted({ source, values, origins }: ConfigLayer, merge: Merge): void {
  const { settings, profiles } = merge;
  const provider = values.get('llm.provider');
  if (provider !== undefined && provider !== settings.get('llm.provider')) {
    // A protocol that was set without a provider is meant for all of them.
    const isFirst = merge.origins.get('llm.provider') === DEFAULT;
    reset(merge, isFirst ? CONNECTION_KEYS.filter((name) => name !== 'llm.tool_protocol') : CONNECTION_KEYS);
  }
  const endpoint = values.get('llm.endpoint');
  if (endpoint !== undefined && !hasSameOrigin(endpoint, settings.get('llm.endpoint'))) reset(merge, ADDRESS_KEYS);
  for (const [name, value] of values) set(merge, name, value, origins?.get(name) ?? source);
  const active = values.get('models.active');
  if (active === undefined) return;
  const profile = profiles.find(({ name }) => name === active);
  if (profile === undefined) throw new ConfigError(source, unknownProfile(String(active), profiles));
  activate(profile, source, merge);
}

function reset(merge: Merge, names: readonly string[]): void {
  for (const name of names) set(merge, name, undefined, DEFAULT);
}

function set({ settings, origins }: Merge, name: string, value: unknown, origin: string): void {
  settings.set(name, value);
  origins.set(name, origin);
}

function activate(profile: Profile, source: string, merge: Merge): void {
  set(merge, 'models.active', profile.name, source);
  for (const [name, value] of profileValues(profile)) {
    set(merge, name, value, value === undefined ? DEFAULT : `${source}, profile ${profile.name}`);
  }
}

function activeProfile({ settings, profiles }: Merge): Profile | undefined {
  return profiles.find(({ name }) => name === settings.get('models.active'));
}

function unknownProfile(wanted: string, profiles: readonly Profile[]): string {
  const names = profiles.map(({ name }) => name);
  const hint = didYouMean(wanted, names);
  return `models.active is ${JSON.stringify(wanted)}, but there is no such profile.${hint} ${profileNames(profiles)}`;
}

function profileNames(profiles: readonly Profile[]): string {
  if (profiles.length === 0) return 'Define it in models.profiles of your own configuration.';
  return `The profiles are ${profiles.map(({ name }) => name).join(', ')}.`;
}

/** A key and the file that sets it. */
export type WaitingKey = Readonly<Record<'name' | 'source', string>>;

/** The settings of a project without effect: for the reason of a warning, or until the project is trusted. */
type IgnoredSettings = Pick<LoadedConfig, 'warnings' | 'waiting'>;

const NOTHING_IGNORED: IgnoredSettings = { warnings: [], waiting: [] };

function applyProject({ source, values }: ConfigLayer, merge: Merge, keys: ConfigKeys): IgnoredSettings {
  const warnings: string[] = [];
  const waiting: WaitingKey[] = [];
  for (const [name, value] of values) {
    const key = keys.find(name);
    // The tools of a project are kept apart from those of the user.
    if (key === undefined || (name === 'tools.external' && merge.trustsProject)) continue;
    const result = restrict(key, value, merge);
    if (result.type === 'waiting') waiting.push({ name, source });
    else if (result.type === 'ignored') warnings.push(`${placeOf(source)}: ${name} is ignored: ${result.reason}.`);
    else if (result.type === 'profile') activate(result.profile, source, merge);
    else {
      const before = merge.origins.get(name) ?? DEFAULT;
      const isAdded = key.project === 'add' || key.project === 'inside';
      set(merge, name, result.value, isAdded && before !== DEFAULT ? `${before} and ${source}` : source);
    }
  }
  return { warnings, waiting };
}

type Restriction =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'profile'; readonly profile: Profile }
  | { readonly type: 'ignored'; readonly reason: string }
  | { readonly type: 'waiting' };

/** The new value of a key that a project file sets to `wanted`. */
function restrict(key: ConfigKey, wanted: unknown, { settings, profiles, trustsProject }: Merge): Restriction {
  const current = settings.get(key.name);
  switch (key.project) {
    case 'ignored':
      return ignored('may not set it. Set it in your own configuration instead');
    case 'applied':
      return { type: 'value', value: wanted };
    case 'lower':
      return Number(wanted) > Number(current)
        ? ignored(`may only lower it, and it is ${current}`)
        : { type: 'value', value: wanted };
    case 'add':
      return { type: 'value', value: [...new Set([current, wanted].flat())] };
    case 'disable':
      return wanted === true && current === false ? ignored('may only turn it off') : { type: 'value', value: wanted };
    case 'tighten':
      // Without a level, the permission mode decides, and only `automatic` can be less strict than that.
      return strictness(wanted) < strictness(current ?? 'ask_once')
        ? ignored('may only make it stricter')
        : { type: 'value', value: wanted };
    case 'trusted':
      return trustsProject ? { type: 'value', value: wanted } : { type: 'waiting' };
    case 'inside':
      if (!trustsProject) return { type: 'waiting' };
      return [wanted].flat().every(isInside)
        ? { type: 'value', value: [...new Set([current, wanted].flat())] }
        : ignored('may only add directories of the project, as relative paths without ..');
    case 'choose': {
      if (!trustsProject) return { type: 'waiting' };
      const profile = profiles.find(({ name }) => name === wanted);
      if (profile !== undefined) return { type: 'profile', profile };
      return ignored(`may only name one of your profiles, and there is none called ${JSON.stringify(wanted)}`);
    }
  }
}

/** True for a relative path that stays below the directory that it starts from. */
function isInside(path: unknown): boolean {
  return !/^(?:[~/\\]|[a-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(String(path));
}

function strictness(level: unknown): number {
  return PERMISSION_LEVELS.map(String).indexOf(String(level));
}

function ignored(rule: string): Restriction {
  return { type: 'ignored', reason: `a project file ${rule}` };
}

/** Builds an object from paths and values; the paths come from the schema. */
function nest(entries: readonly (readonly [path: readonly string[], value: unknown])[]): object {
  const names = [...new Set(entries.flatMap(([path]) => path.slice(0, 1)))];
  return Object.fromEntries(
    names.map((name) => {
      const inside = entries.filter(([path]) => path[0] === name);
      const leaf = inside.find(([path]) => path.length === 1);
      return [name, leaf === undefined ? nest(inside.map(([path, value]) => [path.slice(1), value])) : leaf[1]];
    }),
  );
}
