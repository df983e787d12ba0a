import * as z from 'zod';
import { SERVICE_NAMES } from '../conversation/conversation.ts';
import { MISPLACED_IN_FILE, MISPLACED_IN_SCENARIO, NO_SCENARIOS } from './format/misplaced-fields.ts';
import { StepSchema } from './format/step-format.ts';
import { type Story, StorySchema } from './format/story-format.ts';
import { checked, strictObject } from './format/strict-object.ts';
import { Count } from './format/timing-format.ts';
import { NonBlank, TriggerSchema } from './format/trigger-format.ts';

export { type Story, StorySchema };

/** A scenario: the trigger that starts it, and its answers in order. */
export const ScenarioSchema = checked(
  strictObject(
    {
      name: NonBlank.describe('Name of the scenario, unique among all loaded ones'),
      trigger: TriggerSchema.describe('Text that a user message must contain, ignoring case; or conditions'),
      auxiliary: z
        .boolean()
        .optional()
        .describe('`false`: also answers requests that look like those for a title, a summary or JSON'),
      as: z.enum(SERVICE_NAMES).optional().describe('The service whose rules and answers the scenario has'),
      window: Count.optional().describe('Tokens that the model accepts, for each step that has no `window` of its own'),
      cwd: NonBlank.optional().describe(
        'Working directory of the client, for intents, unless its texts or a header name it',
      ),
      steps: z.array(StepSchema).min(1).describe('The answers, one per turn'),
    },
    { misplaced: MISPLACED_IN_SCENARIO },
  ),
  'scenario',
);

/** A string whose templates need neither a trigger nor a tool result. */
const DefaultText = checked(z.string(), 'default_templates');

const Tool = NonBlank.optional();

/** The tools of a client by the intents that they carry out. */
const IntentsSchema = checked(
  strictObject({
    write_file: Tool.describe('Tool that writes a file: `fs_put(path, content)`'),
    read_file: Tool.describe('Tool that reads a file: `fs_get(path)`'),
    edit_file: Tool.describe('Tool that replaces a text: `fs_sub(path, old_text, new_text)`'),
    shell: Tool.describe('Tool that runs a command: `sh(script=command)`'),
    list_files: Tool.describe('Tool that lists files: `fs_ls(dir=path, glob=pattern)`'),
    search_files: Tool.describe('Tool that searches in files: `fs_grep(regex=pattern, depth=3)`'),
  }),
  'intents',
);

/** A recorded answer to a request for embeddings. */
const EmbeddingsSchema = strictObject({
  path: NonBlank.describe('End of the path: `/embeddings`, `/models/text-embedding-004:embedContent`'),
  request: z.record(z.string(), z.unknown()).describe('Body of the request'),
  response: z.record(z.string(), z.unknown()).describe('Body of the answer to an equal request'),
});

export const ScenarioFileSchema = checked(
  strictObject(
    {
      $schema: z.string().optional().describe('Location of the JSON Schema of this format, for editors'),
      scenarios: z.array(ScenarioSchema).describe('The scenarios, tried in this order'),
      intents: IntentsSchema.optional().describe('Tools of the client for the intents of these scenarios'),
      embeddings: z.array(EmbeddingsSchema).optional().describe('Recorded answers to requests for embeddings'),
      default_response: strictObject({
        content: DefaultText.describe('Text of the answer, which can contain `{{last_user}}`'),
      })
        .optional()
        .describe('Answer to requests that no scenario matches; without it the server answers 400'),
      story: StorySchema.optional().describe('Script for `ybs test`; the server ignores it'),
    },
    { misplaced: MISPLACED_IN_FILE, foreign: NO_SCENARIOS },
  ),
  'file',
);

export type ScenarioSpecification = z.infer<typeof ScenarioSchema>;
/** A recorded answer to a request for embeddings. */
export type RecordedEmbeddings = z.infer<typeof EmbeddingsSchema>;
export type ScenarioFile = z.infer<typeof ScenarioFileSchema>;

/** The JSON Schema of a scenario file, for `$schema` in editors. The build writes it to `dist/scenario.schema.json`. */
export function scenarioJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(ScenarioFileSchema, { io: 'input', target: 'draft-7' });
  return { $schema, title: 'mock-llm-server scenario file', ...schema };
}
