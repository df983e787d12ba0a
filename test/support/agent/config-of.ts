import { configSchema } from '../../../src/config/schema.ts';

/** The schema without tools. Each new one is compiled when it first reads a value, which takes 10 ms. */
const schema = configSchema([]);

/** The configuration with these settings, the defaults for all others, and no settings of tools. */
export function configOf(settings: object = {}): ReturnType<typeof schema.parse> {
  return schema.parse(settings);
}
