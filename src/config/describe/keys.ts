import type { DataSchema } from '../../schema/conforms.ts';
import { mistyped, suggest } from '../../text/suggest.ts';
import { TOOL_NAME } from '../checks.ts';
import type { PROJECT_RULES } from '../schema/key-schema.ts';
import type { ConfigSchema } from '../schema.ts';

/** One key of the configuration, as its schema describes it. All of it is data. */
export interface ConfigKey {
  /** Dotted path: `llm.max_tokens`. */
  readonly name: string;
  readonly project: (typeof PROJECT_RULES)[number];
  readonly description: string;
  /** Type of the value in words: `an integer from 1 to 20`. */
  readonly type: string;
  /** The last part of the name is one that the user chooses, such as the name of a tool. */
  readonly isEntry?: true;
  /** Absent when the key has no default. */
  readonly default?: unknown;
  /** Absent for values that only the zod schema can check. */
  readonly values?: DataSchema<unknown>;
}

/** An index of the keys of the configuration. */
export interface ConfigKeys {
  /** Every key by its name, in the order of the schema. */
  readonly byName: ReadonlyMap<string, ConfigKey>;
  /** The names of the objects that contain keys: `llm`, `tools`, `tools.builtin`. */
  readonly sections: ReadonlySet<string>;
  /** The key of this name, also one for an entry that the user names: `safety.permissions.web_search`. */
  find(name: string): ConfigKey | undefined;
  /**
   * The name of our tool that this name, which is none of them, most likely stands for: the same tool of another agent, or
   * the most similar name.
   */
  suggestTool(name: string): Promise<string | undefined>;
  /** Loads the zod schema, which takes longer than all else that a configuration without mistakes needs. */
  loadSchema(): Promise<ConfigSchema>;
}

/** Stands in the name of a key for a part that the user chooses: `safety.permissions.NAME`. */
export const ANY_NAME = 'NAME';

/**
 * The index of the keys that `describeKeys` describes for the same tools. `loadAliases` loads other names of the tools, by
 * name.
 */
export function indexKeys(
  keys: readonly ConfigKey[],
  toolNames: readonly string[],
  loadAliases: () => Promise<Readonly<Record<string, string>>> = async () => ({}),
): ConfigKeys {
  const sections = keys.flatMap(({ name }) => {
    const parents = name.split('.').slice(0, -1);
    return parents.map((_, index) => parents.slice(0, index + 1).join('.'));
  });
  const byName = new Map(keys.map((key) => [key.name, key]));
  let schema: Promise<ConfigSchema> | undefined;
  return {
    byName,
    sections: new Set(sections),
    find(name) {
      const last = name.lastIndexOf('.');
      const entry = TOOL_NAME.test(name.slice(last + 1)) ? byName.get(`${name.slice(0, last)}.${ANY_NAME}`) : undefined;
      return byName.get(name) ?? (entry === undefined ? undefined : { ...entry, name });
    },
    async suggestTool(name) {
      if (toolNames.includes(name)) return undefined;
      const aliases = await loadAliases();
      return Object.hasOwn(aliases, name) ? aliases[name] : suggest(name, toolNames)[0];
    },
    loadSchema() {
      schema ??= import('../schema.ts').then(({ configSchema }) => configSchema(toolNames));
      return schema;
    },
  };
}

/**
 * The known key or section that a misspelled one most likely stands for. Inside its section only the rest of the name
 * counts, so that a long name of a section makes no two keys similar.
 */
export function suggestKey(name: string, known: Iterable<string>): string | undefined {
  const section = name.slice(0, name.lastIndexOf('.') + 1);
  const names = [...known];
  const isInside = (key: string): boolean => section !== '' && key.startsWith(section);
  const inside = names.filter(isInside).map((key) => key.slice(section.length));
  const [nearest] = suggest(name.slice(section.length), inside);
  // A key without its section, such as `modell` for `llm.model`, is more likely meant than a section with a similar name.
  const leaf = section === '' && !names.includes(name) ? keyByLastWord(name, names) : undefined;
  if (leaf !== undefined) return leaf;
  return nearest === undefined
    ? suggest(
        name,
        names.filter((key) => !isInside(key)),
      )[0]
    : `${section}${nearest}`;
}

/** The only key whose last word is this one, or a typing mistake of it. */
function keyByLastWord(name: string, keys: readonly string[]): string | undefined {
  const lastOf = (key: string): string => key.slice(key.lastIndexOf('.') + 1);
  const nested = keys.filter((key) => key.includes('.'));
  const meant = mistyped(name, nested.map(lastOf));
  const [only, ...others] = nested.filter((key) => lastOf(key) === meant);
  return others.length === 0 ? only : undefined;
}
