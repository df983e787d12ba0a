import { describeKeys } from '../../../src/config/describe/describe-keys.ts';
import { type ConfigKeys, indexKeys } from '../../../src/config/describe/keys.ts';
import { TOOL_ALIASES } from '../../../src/tools/dialects/aliases.ts';

const made = new Map<string, ConfigKeys>();

/** The keys of the configuration for these tools. Equal lists share one result, which never changes. */
export function keysFor(toolNames: readonly string[]): ConfigKeys {
  const name = toolNames.join();
  const keys = made.get(name) ?? indexKeys(describeKeys(toolNames), toolNames, async () => TOOL_ALIASES);
  made.set(name, keys);
  return keys;
}
