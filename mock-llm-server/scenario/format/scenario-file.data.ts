import type { DataSchema } from '../../../src/schema/conforms.ts';
import { dataSchema } from '../../../src/schema/data-schema.ts';
import { type ScenarioFile, ScenarioFileSchema } from '../format.ts';

// The build replaces this module by its values.

/** The schema of a scenario file, without zod. */
export const SCENARIO_FILE: DataSchema<ScenarioFile> = dataSchema(ScenarioFileSchema);
