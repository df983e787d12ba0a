import { configValues, describeValues } from '../config/describe-config.ts';
import { UsageError } from '../core/errors.ts';
import type { ChatCommand } from './chat-command.ts';

/** The commands of the chat that concern the configuration. */
export const CONFIG_COMMANDS: readonly ChatCommand[] = [
  {
    name: 'config',
    argument: '[key]',
    description: 'Show the configuration, or one key or section of it, with the origin of each value',
    async run(agent, argument) {
      const { configuration } = await agent();
      try {
        return { type: 'text', text: describeValues(configValues(configuration, argument)) };
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        return { type: 'text', text: error.message };
      }
    },
  },
];
