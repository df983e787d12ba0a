import * as z from 'zod';
import { FINISH_REASONS } from '../conversation/conversation.ts';
import { FaultSchema } from './fault-format.ts';
import { intentOf, intentSchema } from './intent-format.ts';
import { addProblem, problemText, strictObject } from './problems.ts';
import { checkTemplates, TemplateObject, TemplateText, WholeTemplate } from './templates.ts';
import { Count, TimingSchema } from './timing-format.ts';
import { NonBlank, TriggerSchema } from './trigger-format.ts';

const CallId = z
  .string()
  .regex(
    /^[A-Za-z0-9_-]{1,64}$/,
    problemText('must be 1 to 64 of the characters A-Z a-z 0-9 _ -, as providers require', 'write "id": "call_1"'),
  )
  .describe('Id of the call; by default the server generates one that identifies scenario and step');

/** Lets the error of a misspelled "intent" suggest it. */
const OR_INTENT = { also: ['intent'] };

const NOT_BOTH = problemText(
  'a call names a tool or is an intent, not both',
  'remove the name of the tool, or the intent',
);
const NOT_BESIDE_INTENT = { name: NOT_BOTH, function: NOT_BOTH, arguments: NOT_BOTH };

const ToolName = NonBlank.superRefine(checkTemplates).describe('Name of the tool');

const LongToolCallSchema = strictObject({
  id: CallId.optional(),
  type: z.literal('function').optional().describe('Always `function`'),
  function: strictObject({
    name: ToolName,
    arguments: TemplateText.describe('Arguments as the text to send, valid JSON or not'),
  }).describe('The tool and its arguments as text'),
});

const ShortToolCallSchema = strictObject(
  {
    id: CallId.optional(),
    name: ToolName,
    arguments: z
      .union([TemplateObject, WholeTemplate])
      .optional()
      .describe('Arguments as an object, or a template for their JSON; `{}` by default'),
  },
  OR_INTENT,
);

/** A tool call in a file: the short form, the form of the Chat Completions protocol, or an intent. */
const ToolCallSchema = z.union([
  ShortToolCallSchema,
  LongToolCallSchema,
  intentSchema({ id: CallId.optional() }, NOT_BESIDE_INTENT),
]);

const Tokens = z.int().min(0).optional();

const UsageSchema = strictObject({
  input_tokens: Tokens.describe('Tokens of the request, cached ones included; an estimate by default'),
  cached_tokens: Tokens.describe('Input tokens that the provider read from its cache; 0 by default'),
  output_tokens: Tokens.describe('Tokens of the answer, reasoning included; an estimate by default'),
  reasoning_tokens: Tokens.describe('Output tokens of the reasoning; an estimate by default'),
}).superRefine((usage, context) => {
  const { input_tokens: input, cached_tokens: cached, output_tokens: output, reasoning_tokens: reasoning } = usage;
  if (input !== undefined && cached !== undefined && cached > input) {
    const fix = 'input_tokens includes the cached ones; write a larger number there';
    addProblem(context, `${cached} cached tokens are more than the ${input} input tokens`, fix, ['cached_tokens']);
  }
  if (output !== undefined && reasoning !== undefined && reasoning > output) {
    const reason = `${reasoning} reasoning tokens are more than the ${output} output tokens`;
    const fix = 'output_tokens includes those of the reasoning; write a larger number there';
    addProblem(context, reason, fix, ['reasoning_tokens']);
  }
});

const ResponseSchema = strictObject({
  content: TemplateText.nullable().optional().describe('Text of the answer'),
  reasoning: TemplateText.optional().describe('Reasoning before the answer, in protocols that support it'),
  tool_calls: z
    .array(ToolCallSchema)
    .optional()
    .describe('Tool calls of the answer, in order; several are parallel calls'),
  finish: z
    .enum(FINISH_REASONS)
    .optional()
    .describe('Reason for the end of the answer; by default `tool_calls` if it has calls, otherwise `stop`'),
  usage: UsageSchema.optional().describe('Token counts that the answer reports; estimates by default'),
}).superRefine((response, context) => {
  const calls = response.tool_calls ?? [];
  const isEmpty = (response.content === undefined || response.content === null) && calls.length === 0;
  // A filter or a limit can end an answer before its first word.
  if (isEmpty && response.finish === undefined) {
    const fix = 'add "content": "Hello.", which may be empty, or "tool_calls"';
    addProblem(context, 'a response needs content or tool_calls', fix);
  }
  const seen = new Set<string>();
  for (const [index, { id }] of calls.entries()) {
    if (id === undefined) continue;
    if (seen.has(id)) {
      const fix = 'give each call its own id, or leave it out';
      addProblem(context, `the id ${id} is used twice`, fix, ['tool_calls', index, 'id']);
    }
    seen.add(id);
  }
});

/** Fields of a step beside its answer. */
const STEP_FIELDS = {
  results: Count.optional().describe(
    'Number of tool results that lead to the next step; the number of tool calls by default',
  ),
  fault: FaultSchema.optional().describe('A fault to inject into the answer'),
  timing: TimingSchema.optional().describe('Pieces and delays of a streamed answer; words without delays by default'),
};

/** A step with a response, or one that is an intent. */
const StepSchema = z.union([
  strictObject({ response: ResponseSchema.describe('The answer of the model'), ...STEP_FIELDS }, OR_INTENT),
  intentSchema(STEP_FIELDS, {
    response: problemText(
      'a step has a response or an intent, not both',
      'put the intent among the "tool_calls" of the response, or remove one of the two',
    ),
  }),
]);

/** The tool calls of a step of either form. */
export function callsOf(step: z.infer<typeof StepSchema>): readonly z.infer<typeof ToolCallSchema>[] {
  return 'intent' in step ? [intentOf(step)] : (step.response.tool_calls ?? []);
}

/** A scenario: the trigger that starts it, and its answers in order. */
export const ScenarioSchema = strictObject({
  name: NonBlank.describe('Name of the scenario, unique among all loaded ones'),
  trigger: TriggerSchema.describe('Text that a user message must contain, ignoring case; or conditions'),
  auxiliary: z
    .boolean()
    .optional()
    .describe('`false`: also answers requests that look like those for a title, a summary or JSON'),
  cwd: NonBlank.optional().describe(
    'Working directory of the client, for intents, unless its texts or a header name it',
  ),
  steps: z.array(StepSchema).min(1).describe('The answers, one per turn'),
}).superRefine((scenario, context) => {
  for (const [index, step] of scenario.steps.slice(0, -1).entries()) {
    if ((step.results ?? callsOf(step).length) > 0) continue;
    const reason = 'nothing leads from this step to the next: it has no tool calls and no "results"';
    const fix =
      'add "tool_calls", or "results": 1 for a client whose results are texts, or move the steps after it to another scenario';
    addProblem(context, reason, fix, ['steps', index]);
  }
});

const RelativePath = NonBlank.refine((path) => !/^([/\\]|[A-Za-z]:)/.test(path), {
  error: problemText('must be a relative path', 'write it relative to the directory of the file'),
});

const ApprovalSchema = z.union([
  z.enum(['once', 'session', 'deny']),
  strictObject({ deny: NonBlank.describe('What the user types in place of a yes; the model reads it') }),
]);

/** A story: the user's side of a scenario, and its expected end. */
export const StorySchema = strictObject({
  prompts: z.array(NonBlank).min(1).describe('What the user types, one prompt per run'),
  approvals: z.array(ApprovalSchema).optional().describe("The user's answers to approval requests, in order"),
  expected_outcome: z
    .enum(['done', 'aborted', 'limit', 'stuck', 'denied', 'failed'])
    .optional()
    .describe('Expected outcome of the last run; `done` by default'),
  permission_mode: z
    .enum(['ask', 'accept-edits', 'read-only', 'full-access'])
    .optional()
    .describe('Permission mode of the runs'),
  workspace: RelativePath.optional().describe(
    'Directory to copy before the first run, relative to the file; by default `workspace` beside it, if that exists',
  ),
  expected: RelativePath.optional().describe(
    'Directory of files that must exist afterwards, byte for byte; by default `expected` beside the file, if that exists',
  ),
  expected_result_contains: z
    .array(NonBlank)
    .optional()
    .describe('Texts that must occur in the tool results that the model receives'),
  tool_protocol: z
    .enum(['native', 'xnl'])
    .optional()
    .describe('Protocol in which the model calls tools: with `xnl`, ybs reads the calls in its text'),
  dry_run: z.boolean().optional().describe('Plans every tool call and runs only those that read'),
});

const A_SCENARIO = problemText('this is a scenario, not a file of them', 'write {"scenarios": [ … ]} around it');

/** A scenario file. */
export const ScenarioFileSchema = strictObject(
  {
    $schema: z.string().optional().describe('Location of the JSON Schema of this format, for editors'),
    scenarios: z.array(ScenarioSchema).min(1).describe('The scenarios, tried in this order'),
    default_response: strictObject({ content: z.string().describe('Text of the answer') })
      .optional()
      .describe('Answer to requests that no scenario matches; without it the server answers 400'),
    story: StorySchema.optional().describe('Script for `ybs test`; the server ignores it'),
  },
  { misplaced: { name: A_SCENARIO, trigger: A_SCENARIO, steps: A_SCENARIO } },
);

/** A tool call in a file. */
export type ToolCallSpecification = z.infer<typeof ToolCallSchema>;
/** Token counts in a file. */
export type UsageSpecification = z.infer<typeof UsageSchema>;
/** A step in a file. */
export type StepSpecification = z.infer<typeof StepSchema>;
/** A scenario in a file. */
export type ScenarioSpecification = z.infer<typeof ScenarioSchema>;
/** A story in a file. */
export type Story = z.infer<typeof StorySchema>;
/** The content of a scenario file. */
export type ScenarioFile = z.infer<typeof ScenarioFileSchema>;

/** The JSON Schema of a scenario file, for `$schema` in editors. The build writes it to `dist/scenario.schema.json`. */
export function scenarioJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(ScenarioFileSchema, { io: 'input', target: 'draft-7' });
  return { $schema, title: 'mock-llm-server scenario file', ...schema };
}
