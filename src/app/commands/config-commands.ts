import { type ConfigValue, configValues, describeValues } from '../../config/describe/describe-config.ts';
import type { UnavailableTool } from '../../tools/external-tool/discovery.ts';
import type { Agent } from '../agent.ts';
import { type ChatCommand, chatCommand } from './chat-command.ts';
import { unavailableTools } from './tool-commands.ts';

/** The commands of the chat that concern the configuration. */
export const CONFIG_COMMANDS: readonly ChatCommand[] = [
  chatCommand({
    name: 'config',
    argument: '[key]',
    description: 'Show the configuration, or one key or section of it, with the origin of each value',
    complete: ({ configuration }, { length }) => (length === 0 ? [...configuration.origins.keys()] : []),
    async run(agent, argument) {
      const session = await agent();
      const unavailable = session.externalTools.filter((state) => state.type === 'unavailable');
      return describeConfig(sessionValues(session, argument), unavailable);
    },
  }),
];

/**
 * The values of the configuration of a session; see `configValues`. The origin of `llm.model` names the model that the
 * session uses, if it is another one: that of `/model`, or the default of the provider.
 */
export function sessionValues(
  { configuration, model }: Pick<Agent, 'configuration' | 'model'>,
  name?: string,
): readonly ConfigValue[] {
  const { provider } = configuration.config.llm;
  return configValues(configuration, name).map((row) =>
    row.name !== 'llm.model' || model === `${provider}/${row.value}`
      ? row
      : { ...row, origin: `${row.origin}; in use: ${model}` },
  );
}

/** The key whose tools may be unavailable. */
export const EXTERNAL_TOOLS_KEY = 'tools.external';

/** The values as text and, with those of the external tools, the tools that cannot be used. Safe to print. */
export function describeConfig(values: readonly ConfigValue[], unavailable: readonly UnavailableTool[]): string {
  const hasTools = values.some(({ name }) => name === EXTERNAL_TOOLS_KEY);
  return [describeValues(values), ...(hasTools ? unavailableTools(unavailable) : [])].join('\n');
}
