import { PERMISSION_LEVELS, PERMISSION_MODES } from '../../agent/ports/approver.ts';
import { limitBy, type PolicyLimits, stricterLevel, stricterMode } from '../../policy/policy-limits.ts';
import { ownEntry } from '../../text/json/own-entry.ts';
import { ConfigError } from '../config-error.ts';
import type { ConfigKeys } from '../describe/keys.ts';
import type { Config } from '../schema.ts';
import { type ConfigLayer, readLayer } from './read-layer.ts';

/** The policy of this machine as its file has it. `problem`: somebody else could have written it, or it cannot be read. */
export type PolicyText = { readonly file: string } & ({ readonly text: string } | { readonly problem: string });

/**
 * Changes that a policy makes to a key: the stricter of two modes (`mode`) or levels (`level`), the entries of both lists
 * (`add`), the entries that both lists have (`keep`), the smaller number (`lower`), or this one value.
 */
type PolicyRule = 'mode' | 'level' | 'add' | 'keep' | 'lower' | { readonly only: boolean | string };

const RULES: Readonly<Record<string, PolicyRule>> = {
  'safety.permission_mode': 'mode',
  'safety.sandbox_enabled': { only: true },
  'safety.restrict_to_project_directory': { only: true },
  'safety.require_approval_outside_project': { only: true },
  'safety.sandbox_home': { only: 'hidden' },
  'safety.sandbox_local_sockets': { only: false },
  'safety.persist_approvals': { only: false },
  'safety.replace_blocked_commands': { only: false },
  'safety.allow_unlisted_commands': { only: false },
  'safety.environment': 'keep',
  'safety.sandbox_allowed_paths': 'keep',
  'safety.sandbox_readable_paths': 'keep',
  'safety.sandbox_hosts': 'keep',
  'safety.allowed_commands': 'keep',
  'safety.blocked_commands': 'add',
  'safety.sandbox_blocked_paths': 'add',
  'safety.require_confirmation': 'add',
  'safety.approval_timeout_seconds': 'lower',
};

/**
 * Applies a policy to the settings of all other sources, also of the command line. Throws `ConfigError` for a key or a
 * value that could make a session less strict. A key that the user has set to something else yields a warning.
 */
export function applyPolicy(
  { source, values }: ConfigLayer,
  { settings, origins }: { readonly settings: Map<string, unknown>; readonly origins: Map<string, string> },
  keys: ConfigKeys,
): { readonly limits: PolicyLimits; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  let limits: PolicyLimits = { file: source, levels: {}, keeps: {} };
  for (const [name, wanted] of values) {
    const rule = keys.find(name)?.project === 'tighten' ? 'level' : ownEntry(RULES, name);
    if (rule === undefined) throw new ConfigError(source, `${name} cannot be set by a policy. ${ADVICE}`);
    const before = settings.get(name);
    const after = stricter(rule, before, wanted);
    if (after === undefined)
      throw new ConfigError(
        source,
        `${name} can only be ${JSON.stringify(typeof rule === 'object' ? rule.only : undefined)} in a policy.`,
      );
    const mode = rule === 'mode' ? PERMISSION_MODES.find((each) => each === wanted) : undefined;
    if (mode !== undefined) limits = { ...limits, mode };
    const level = rule === 'level' ? PERMISSION_LEVELS.find((each) => each === wanted) : undefined;
    const tool = name.slice('safety.permissions.'.length);
    if (level !== undefined) limits = { ...limits, levels: { ...limits.levels, [tool]: level } };
    if (name === 'safety.persist_approvals') limits = { ...limits, keepsNoApproval: true };
    if (rule === 'keep') limits = { ...limits, keeps: { ...limits.keeps, [name]: entriesOf(wanted) } };
    if (JSON.stringify(after) === JSON.stringify(before)) continue;
    const origin = origins.get(name);
    if (origin !== undefined && origin !== 'default' && rule !== 'add')
      warnings.push(`${source} makes ${name} stricter than ${origin} has it.`);
    settings.set(name, after);
    origins.set(name, source);
  }
  return { limits, warnings };
}

const ADVICE = 'A policy can only make sessions stricter: see docs/security.md.';

/** The value that is at least as strict as both; `undefined` if the policy wants one that is less strict than any. */
function stricter(rule: PolicyRule, before: unknown, wanted: unknown): unknown {
  switch (rule) {
    case 'mode':
      return stricterMode(modeOf(before), modeOf(wanted));
    case 'level':
      return stricterLevel(levelOf(before ?? wanted), levelOf(wanted));
    case 'add':
      return [...new Set([wanted, before].flat())];
    case 'keep': {
      const kept = new Set(entriesOf(wanted));
      return [before].flat().filter((entry) => kept.has(JSON.stringify(entry)));
    }
    case 'lower':
      return Math.min(Number(before), Number(wanted));
    default:
      return rule.only === wanted ? wanted : undefined;
  }
}

/** A mode or level that the schema has checked. */
const modeOf = (value: unknown) => PERMISSION_MODES.find((each) => each === value);
const levelOf = (value: unknown) => PERMISSION_LEVELS.find((each) => each === value);

const entriesOf = (list: unknown): readonly string[] => [list].flat().map((entry) => JSON.stringify(entry));

/** A configuration to which options of a host were added, without what a policy does not allow. */
export function withinPolicy(config: Config, limits: PolicyLimits | undefined): Config {
  if (limits === undefined) return config;
  const keep = <Entry>(name: string, entries: Entry[]): Entry[] => {
    const kept = limits.keeps[`safety.${name}`];
    return kept === undefined ? entries : entries.filter((entry) => kept.includes(JSON.stringify(entry)));
  };
  const { safety } = config;
  return {
    ...config,
    safety: {
      ...safety,
      allowed_commands: keep('allowed_commands', safety.allowed_commands),
      sandbox_allowed_paths: keep('sandbox_allowed_paths', safety.sandbox_allowed_paths),
      permissions: limitBy(limits)({ mode: safety.permission_mode, levels: safety.permissions }).levels,
    },
  };
}

/**
 * The layer of a policy; `undefined` if there is none. Throws `ConfigError` if somebody else could have written it, or if
 * a part of it would have no effect: a key that does not exist, or a name that is there twice.
 */
export async function readPolicyLayer(
  keys: ConfigKeys,
  policy: PolicyText | undefined,
): Promise<ConfigLayer | undefined> {
  if (policy === undefined) return undefined;
  if ('problem' in policy) throw new ConfigError(policy.file, policy.problem);
  const layer = await readLayer(keys, policy.file, true, policy.text);
  if (layer.warnings.length > 0)
    throw new ConfigError(policy.file, 'a part of it has no effect. Correct it.', undefined, layer.warnings);
  return layer;
}
