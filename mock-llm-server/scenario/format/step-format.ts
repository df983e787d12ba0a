import * as z from 'zod';
import { anyJson } from '../../../src/schema/data-schema.ts';
import { FINISH_REASONS, PROTOCOLS } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { isNativeFinish, NATIVE_FINISHES } from '../../conversation/native-finish.ts';
import { ExpectSchema } from './expect-format.ts';
import { FaultSchema } from './faults/fault-format.ts';
import { intentSchema, TemplateObject, TemplateText, WholeTemplate } from './intent-format.ts';
import { MISPLACED_IN_INTENT, MISPLACED_IN_RESPONSE, MISPLACED_IN_STEP } from './misplaced-fields.ts';
import { checked, problemText, strictObject } from './strict-object.ts';
import { Count, TimingSchema } from './timing-format.ts';
import { ConditionSchema, ExpressionSchema, NonBlank } from './trigger-format.ts';

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

const ToolName = checked(NonBlank, 'templates').describe('Name of the tool');

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

const UsageSchema = checked(
  strictObject({
    input_tokens: Tokens.describe('Tokens of the request, cached ones included; an estimate by default'),
    cached_tokens: Tokens.describe('Input tokens that the provider read from its cache; 0 by default'),
    output_tokens: Tokens.describe('Tokens of the answer, reasoning included; an estimate by default'),
    reasoning_tokens: Tokens.describe('Output tokens of the reasoning; an estimate by default'),
  }),
  'usage',
);

const NativeObject = z.record(z.string(), anyJson);

const NativeSchema = checked(
  strictObject({
    protocol: z.enum(PROTOCOLS).describe('The protocol whose requests get the answer in this form'),
    events: z
      .array(NativeObject)
      .optional()
      .describe('The events of a stream in order; neighbouring pieces of a text may be joined, and are cut again'),
    replaces_fault: z
      .literal(true)
      .optional()
      .describe('The fault of the step is part of this form, and is not injected into it'),
    body: NativeObject.optional().describe('The body of an answer that is not streamed'),
  }),
  'native',
);

/** The blocks and parts of protocols by their `type` or their only field, and the block of a scenario for each. */
const BLOCKS_OF_PROTOCOLS: readonly (readonly [names: RegExp, block: string])[] = [
  [
    /^(?:tool_use|toolUse|tool_call|tool-call|toolCall|function_call|functionCall|function|custom_tool_call)$/,
    '{"call": {"name": …, "arguments": {…}}}, or the call in "tool_calls" of the response,',
  ],
  [/^(?:output_text|input_text)$/, '{"text": …}'],
  [/^(?:thinking|reasoning|reasoningContent|thought|thought_summary|summary_text)$/, '{"reasoning": …}'],
  [/^(?:server_tool_use|web_search_call|mcp_tool_use|mcp_call)$/, '{"server_tool": "web_search", "input": {…}}'],
  [/^groundingMetadata$/, '{"grounding": {…}}'],
];
const FIELDS_OF_BLOCKS = new Set(['text', 'reasoning', 'call', 'server_tool', 'grounding', 'raw']);

/** Explains a block in the form of a protocol; undefined for any other value. */
function explainBlock(value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const { type } = value;
  const [first = ''] = Object.keys(value).filter((key) => !FIELDS_OF_BLOCKS.has(key));
  const name = typeof type === 'string' ? type : first;
  if (type === 'text' && typeof value['text'] === 'string') {
    return problemText('"text" is a block of a protocol', 'remove "type": the fields of a block say its type');
  }
  const [, block] = BLOCKS_OF_PROTOCOLS.find(([names]) => names.test(name)) ?? [];
  if (block !== undefined) return problemText(`"${name}" is a block of a protocol`, `write ${block} instead of it`);
  if (typeof type !== 'string') return undefined;
  return problemText(
    `"${name}" is a block of a protocol`,
    'write {"raw": {…}, "protocol": …} around it, with the name of the protocol that sends it',
  );
}

const BLOCKS = [
  strictObject({
    text: TemplateText.describe('A part of the text'),
    citations: z
      .array(TemplateObject)
      .optional()
      .describe('Sources of the text: `url`, `title` and `quote`, or the form of one protocol with its `type`'),
  }),
  strictObject({
    reasoning: TemplateText.describe('A part of the reasoning'),
    signature: z.string().optional().describe('Signature of the reasoning; one of the server by default'),
    encrypted: z.string().optional().describe('Encrypted reasoning, in protocols that have it'),
  }),
  strictObject({ call: ToolCallSchema.describe('A tool call, as in `tool_calls`') }),
  strictObject({
    server_tool: z.string().min(1).describe('A tool that the provider runs: `web_search`'),
    input: TemplateObject.optional().describe('The input of the tool; `{}` by default'),
    result: anyJson.optional().describe('The result of the tool, in the form of the protocol'),
  }),
  strictObject({ grounding: TemplateObject.describe('The `groundingMetadata` of an answer of Gemini') }),
  strictObject({
    raw: TemplateObject.describe('A block, item or part as one protocol sends it; other protocols leave it out'),
    protocol: z.enum(PROTOCOLS).describe('The protocol of the raw block'),
  }),
] as const;
const BlockSchema = z.union(BLOCKS, { error: ({ input }) => explainBlock(input) });

const NATIVE_NAMES = Object.keys(NATIVE_FINISHES).filter(isNativeFinish);
const FINISHES = [...FINISH_REASONS, ...NATIVE_NAMES] as const;

const ResponseSchema = checked(
  strictObject(
    {
      content: z
        .union([TemplateText, z.array(BlockSchema)])
        .nullable()
        .optional()
        .describe('Text of the answer, or its blocks in order'),
      reasoning: TemplateText.optional().describe('Reasoning before the answer, in protocols that support it'),
      tool_calls: z
        .array(ToolCallSchema)
        .optional()
        .describe('Tool calls of the answer, in order; several are parallel calls'),
      finish: z
        .enum(FINISHES)
        .optional()
        .describe('Reason for the end of the answer; by default `tool_calls` if it has calls, otherwise `stop`'),
      usage: UsageSchema.optional().describe('Token counts that the answer reports; estimates by default'),
      native: NativeSchema.optional().describe(
        'The answer as one protocol sent it, with {{text 1}}, {{reasoning 1}}, {{arguments N}} and {{call_id N}} for the fields above, which requests of other protocols get',
      ),
    },
    { misplaced: MISPLACED_IN_RESPONSE },
  ),
  'response',
);

/** Fields of a step beside its answer. */
const STEP_FIELDS = {
  results: z
    .union([Count, z.literal('text'), ExpressionSchema])
    .optional()
    .describe(
      'Number of tool results that lead to the next step, the number of tool calls by default; or the text that is the ' +
        'result of a client without native tool calls: each one, or one that matches an expression',
    ),
  expect: ExpectSchema.optional().describe(
    'Expectations of the request; one that fails never changes the answer, but is reported',
  ),
  waits_for: ConditionSchema.optional().describe(
    'Text or expression in a message that the user sends while the run goes on; the run then continues with this step, ' +
      'which is left out otherwise',
  ),
  fault: FaultSchema.optional().describe('A fault to inject into the answer'),
  window: Count.optional().describe(
    'Tokens that the model accepts: a longer request gets the error of `context_overflow`; that of the scenario by default',
  ),
  timing: TimingSchema.optional().describe('Pieces and delays of a streamed answer; words without delays by default'),
};

/** A step with a response, or one that is an intent. */
export const StepSchema = z.union([
  strictObject(
    { response: ResponseSchema.describe('The answer of the model'), ...STEP_FIELDS },
    { ...OR_INTENT, misplaced: MISPLACED_IN_STEP },
  ),
  intentSchema(STEP_FIELDS, MISPLACED_IN_INTENT),
]);

export type ToolCallSpecification = z.infer<typeof ToolCallSchema>;
/** A block of an answer in a file. */
export type BlockSpecification = z.infer<typeof BlockSchema>;
/** Token counts in a file. */
export type UsageSpecification = z.infer<typeof UsageSchema>;
/** An answer in the form of its protocol in a file. */
export type NativeSpecification = z.infer<typeof NativeSchema>;
export type StepSpecification = z.infer<typeof StepSchema>;
