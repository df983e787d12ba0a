import { DEFAULT } from './layers/merge-layers.ts';
import { safetySettings } from './layers/sources.ts';
import type { Config } from './schema.ts';

/** The settings of a session that follow from the configuration alone. */
export function agentSettings(config: Config, origins?: ReadonlyMap<string, string>) {
  const { agent, context, git, llm, tools } = config;
  const builtin = Object.entries(tools.builtin);
  return {
    ...safetySettings(config),
    maxIterations: agent.max_iterations,
    maxToolOutputChars: context.max_tool_output_chars,
    context: {
      maxTokens: context.max_tokens,
      limit: userLimits(config, origins).window,
      threshold: context.compaction_threshold,
      maxAnswerTokens: llm.max_tokens,
    },
    offersTools: tools.enabled,
    toolsDialect: tools.dialect,
    toolSeconds: toolSeconds(config),
    disabledTools: builtin.flatMap(([name, settings]) => (settings?.enabled === false ? [name] : [])),
    /** Texts that replace the descriptions of our tools, by name. */
    toolDescriptions: Object.fromEntries(
      builtin.flatMap(([name, settings]) =>
        settings?.description === undefined ? [] : [[name, settings.description] as const],
      ),
    ),
    autoCommit: git.auto_commit ? { prefix: git.commit_message_prefix } : undefined,
  };
}

/**
 * The window and the longest answer that the user has set; a value that nothing sets leaves them to the model. Without
 * origins, the numbers of the schema count as not set.
 */
export function userLimits({ context, llm }: Pick<Config, 'context' | 'llm'>, origins?: ReadonlyMap<string, string>) {
  const isSet = (name: string, value: number, usual: number): boolean =>
    origins === undefined ? value !== usual : (origins.get(name) ?? DEFAULT) !== DEFAULT;
  return {
    window: isSet('context.max_tokens', context.max_tokens, 32_000) ? context.max_tokens : undefined,
    answer: isSet('llm.max_tokens', llm.max_tokens, 4_096) ? llm.max_tokens : undefined,
  };
}

/** The time limits of tools, in seconds, by name. */
function toolSeconds({ tools }: Config): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(tools.builtin).flatMap(([name, settings]) =>
      'timeout_seconds' in settings && typeof settings.timeout_seconds === 'number'
        ? [[name, settings.timeout_seconds]]
        : [],
    ),
  );
}

/** The variables that the configuration names for keys, of the active connection and of every profile. */
export function configuredVariables({ llm, models }: Config): readonly (string | undefined)[] {
  return [llm.api_key_variable, ...models.profiles.map((profile) => profile.api_key_variable)];
}

/** True if nothing names a provider or a model, and the search for model servers is not switched off. */
export function needsModel({
  config,
  origins,
}: {
  readonly config: Pick<Config, 'models'>;
  readonly origins?: ReadonlyMap<string, string>;
}): boolean {
  const isDefault = (name: string): boolean => origins?.get(name) === DEFAULT;
  return config.models.discovery && isDefault('llm.provider') && isDefault('llm.model');
}
