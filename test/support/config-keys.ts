import { describeKeys } from '../../src/config/describe-keys.ts';
import { type ConfigKeys, indexKeys } from '../../src/config/keys.ts';

/** The keys of the configuration for these tools. */
export function keysFor(toolNames: readonly string[]): ConfigKeys {
  return indexKeys(describeKeys(toolNames), toolNames);
}
