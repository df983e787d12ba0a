import { type ConfigValue, configValues, describeValues } from '../config/describe-config.ts';
import { UsageError } from '../core/errors.ts';
import type { UnavailableTool } from '../tools/external-tool/discovery.ts';
import { type ChatCommand, refused, shown } from './chat-command.ts';
import { unavailableTools } from './tool-commands.ts';

/** The commands of the chat that concern the configuration. */
export const CONFIG_COMMANDS: readonly ChatCommand[] = [
  {
    name: 'config',
    argument: '[key]',
    description: 'Show the configuration, or one key or section of it, with the origin of each value',
    async run(agent, argument) {
      const { configuration, externalTools } = await agent();
      try {
        const values = configValues(configuration, argument);
        const unavailable = externalTools.filter((state) => state.type === 'unavailable');
        return shown(describeConfig(values, unavailable));
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        return refused(error.message);
      }
    },
  },
];

/** The key whose tools may be unavailable. */
export const EXTERNAL_TOOLS_KEY = 'tools.external';

/** The values as text and, with those of the external tools, the tools that cannot be used. Safe to print. */
export function describeConfig(values: readonly ConfigValue[], unavailable: readonly UnavailableTool[]): string {
  const hasTools = values.some(({ name }) => name === EXTERNAL_TOOLS_KEY);
  return [describeValues(values), ...(hasTools ? unavailableTools(unavailable) : [])].join('\n');
}
