import { describeKeys } from '../config/describe/describe-keys.ts';
import { TOOL_NAMES } from '../tools/tools.ts';

/** The keys of the configuration. The build replaces this module by its values. */
export const CONFIG_KEYS = describeKeys(TOOL_NAMES);
