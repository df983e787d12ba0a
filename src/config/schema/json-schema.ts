import * as z from 'zod';
import { configSchema } from '../schema.ts';

/**
 * The JSON Schema of a configuration file, for editors. A file that fits it loads without a warning. `toolNames` are the
 * names of our tools.
 */
export function configJsonSchema(toolNames: readonly string[]): Readonly<Record<string, unknown>> {
  const { properties, ...schema } = z.toJSONSchema(configSchema(toolNames), {
    io: 'input',
    override({ jsonSchema }) {
      for (const ours of ['project', 'words']) delete jsonSchema[ours];
    },
  });
  return { ...schema, title: 'Configuration of ybs', properties: { $schema: { type: 'string' }, ...properties } };
}
