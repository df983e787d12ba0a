import * as z from 'zod';
import { FaultSchema } from './fault-format.ts';
import { intentOf, intentSchema } from './intent-format.ts';
import { problemText, strictObject } from './problems.ts';
import { TemplateJson, TemplateText } from './templates.ts';
import { TimingSchema } from './timing-format.ts';
import { NonBlank, TriggerSchema } from './trigger-format.ts';

const CallId = z
  .string()
  .regex(
    /^[A-Za-z0-9_-]{1,64}$/,
    problemText('must be 1 to 64 of the characters A-Z a-z 0-9 _ -, as providers demand', 'write "id": "call_1"'),
  )
  .describe('Id of the call, kept as it is; without it the server mints one that carries scenario and step');

/** Where an intent may have been meant, but is misspelt. */
const OR_INTENT = { also: ['intent'] };

const NOT_BOTH = problemText(
  'a call names a tool or is an intent, not both',
  'take out what names the tool, or the intent',
);
const NOT_BESIDE_INTENT = { name: NOT_BOTH, function: NOT_BOTH, arguments: NOT_BOTH };

const FunctionSchema = strictObject({
  name: NonBlank.describe('Name of the tool'),
  arguments: TemplateText.describe('Arguments as the text that is sent, valid JSON or not'),
});

const LongToolCallSchema = strictObject({
  id: CallId.optional(),
  type: z.literal('function').optional().describe('Always `function`'),
  function: FunctionSchema.describe('The tool and its arguments as text'),
});

const ShortToolCallSchema = strictObject(
  {
    id: CallId.optional(),
    name: NonBlank.describe('Name of the tool'),
    arguments: z.record(z.string(), TemplateJson).optional().describe('Arguments as an object; `{}` when left out'),
  },
  OR_INTENT,
);

/** A tool call as a file states it: the short form, the form of the Chat Completions protocol, or an intent. */
const ToolCallSchema = z.union([
  ShortToolCallSchema,
  LongToolCallSchema,
  intentSchema({ id: CallId.optional() }, NOT_BESIDE_INTENT),
]);

const ResponseSchema = strictObject({
  content: TemplateText.nullable().optional().describe('Text of the answer'),
  reasoning: TemplateText.optional().describe('What the model thinks before it, where the protocol has a place for it'),
  tool_calls: z.array(ToolCallSchema).optional().describe('Tools the answer calls, in order; several run in parallel'),
}).superRefine((response, context) => {
  const calls = response.tool_calls ?? [];
  if ((response.content === undefined || response.content === null) && calls.length === 0) {
    const fix = 'add "content": "Hello.", which may be empty, or "tool_calls"';
    context.addIssue({ code: 'custom', message: problemText('a response needs content or tool_calls', fix) });
  }
  const seen = new Set<string>();
  for (const [index, { id }] of calls.entries()) {
    if (id === undefined) continue;
    if (seen.has(id)) {
      const message = problemText(`the id ${id} is used twice`, 'give each call its own, or leave it out');
      context.addIssue({ code: 'custom', path: ['tool_calls', index, 'id'], message });
    }
    seen.add(id);
  }
});

/** What a step may say beside its answer. */
const STEP_FIELDS = {
  results: z
    .int()
    .min(1)
    .optional()
    .describe('How many tool results lead to the next step, where that is not the number of tool_calls'),
  fault: FaultSchema.optional().describe('How the answer goes wrong'),
  timing: TimingSchema.optional().describe(
    'How fast the answer comes and in which pieces; in words, at once, when left out',
  ),
};

/** A step with its response, or one that is an intent and nothing else. */
const StepSchema = z.union([
  strictObject({ response: ResponseSchema.describe('What the model answers'), ...STEP_FIELDS }, OR_INTENT),
  intentSchema(STEP_FIELDS, {
    response: problemText(
      'a step has a response or an intent, not both',
      'put the intent among the "tool_calls" of the response, or take one of the two out',
    ),
  }),
]);

/** The tool calls of a step in either form. */
export function callsOf(step: z.infer<typeof StepSchema>): readonly z.infer<typeof ToolCallSchema>[] {
  return 'intent' in step ? [intentOf(step)] : (step.response.tool_calls ?? []);
}

/** One scripted story of the model: what starts it, and its answers in order. */
export const ScenarioSchema = strictObject({
  name: NonBlank.describe('Name of the scenario, unique among all that are loaded'),
  trigger: TriggerSchema.describe('Text that a message of the user must contain, in any case; or conditions'),
  auxiliary: z
    .boolean()
    .optional()
    .describe('`false`: also answers requests that look like a title, a summary or a request for JSON'),
  cwd: NonBlank.optional().describe('Where the client works, for intents, if neither its texts nor a header say so'),
  steps: z.array(StepSchema).min(1).describe('The answers, one for each turn'),
}).superRefine((scenario, context) => {
  for (const [index, step] of scenario.steps.slice(0, -1).entries()) {
    if ((step.results ?? callsOf(step).length) > 0) continue;
    const reason = 'nothing leads from this step to the one after it: it has no tool calls and says no results';
    const fix =
      'add "tool_calls", or "results": 1 for a client whose results are texts, or move the steps after it to another scenario';
    const message = problemText(reason, fix);
    context.addIssue({ code: 'custom', path: ['steps', index], message });
  }
});

const RelativePath = NonBlank.refine((path) => !/^([/\\]|[A-Za-z]:)/.test(path), {
  error: problemText('must be a relative path', 'write it as seen from the directory of the file'),
});

const ApprovalSchema = z.union([
  z.enum(['once', 'session', 'deny']),
  strictObject({ deny: NonBlank.describe('What the user types instead of a yes; the model reads it') }),
]);

/** What a runner needs to play a story: the user's side of it, and how it must end. */
export const StorySchema = strictObject({
  prompts: z.array(NonBlank).min(1).describe('What the user types, one prompt for each run'),
  approvals: z.array(ApprovalSchema).optional().describe("The user's answers, in the order the questions are asked"),
  expected_outcome: z
    .enum(['done', 'aborted', 'limit', 'stuck', 'denied', 'failed'])
    .optional()
    .describe('How the last run must end; `done` when left out'),
  permission_mode: z
    .enum(['ask', 'accept-edits', 'read-only', 'full-access'])
    .optional()
    .describe('Permission mode of the runs'),
  workspace: RelativePath.optional().describe(
    'Directory that is copied before the first run, relative to the file; `workspace` beside it when that exists',
  ),
  expected: RelativePath.optional().describe(
    'Directory of files that must be there afterwards, byte for byte; `expected` beside the file when that exists',
  ),
  expected_result_contains: z
    .array(NonBlank)
    .optional()
    .describe('Texts that must occur in the tool results the model got'),
  dry_run: z.boolean().optional().describe('Plan everything and run nothing'),
});

const A_SCENARIO = problemText('this is a scenario, not a file of them', 'write {"scenarios": [ … ]} around it');

/** A scenario file. */
export const ScenarioFileSchema = strictObject(
  {
    $schema: z.string().optional().describe('Where the JSON Schema of this format is, for editors'),
    scenarios: z.array(ScenarioSchema).min(1).describe('The scenarios, tried in this order'),
    default_response: strictObject({ content: z.string().describe('Text of the answer') })
      .optional()
      .describe('Answer to a request that no scenario matches; without it the server answers 400'),
    story: StorySchema.optional().describe('How a runner plays this file; the server does not need it'),
  },
  { misplaced: { name: A_SCENARIO, trigger: A_SCENARIO, steps: A_SCENARIO } },
);

/** A tool call as a file states it, checked. */
export type ToolCallSpecification = z.infer<typeof ToolCallSchema>;
/** A step as a file states it, checked. */
export type StepSpecification = z.infer<typeof StepSchema>;
/** A scenario as a file states it, checked. */
export type ScenarioSpecification = z.infer<typeof ScenarioSchema>;
/** A story as a file states it, checked. */
export type Story = z.infer<typeof StorySchema>;
/** The content of a scenario file, checked. */
export type ScenarioFile = z.infer<typeof ScenarioFileSchema>;

/** The JSON Schema of a scenario file, for `$schema` in editors. The build writes it to `dist/scenario.schema.json`. */
export function scenarioJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(ScenarioFileSchema, { io: 'input', target: 'draft-7' });
  return { $schema, title: 'mock-llm-server scenario file', ...schema };
}
