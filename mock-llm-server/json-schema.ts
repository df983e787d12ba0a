import * as z from 'zod';
import { ScenarioFileSchema } from './scenario.ts';

/** The JSON Schema of a scenario file, for `$schema` in editors. The build writes it to `dist/scenario.schema.json`. */
export function scenarioJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(ScenarioFileSchema, { io: 'input', target: 'draft-7' });
  return { $schema, title: 'mock-llm-server scenario file', ...schema };
}
