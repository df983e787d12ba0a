import * as z from 'zod';
import { checked, strictObject } from './strict-object.ts';
import { ConditionSchema, Flags, NonBlank, Regex } from './trigger-format.ts';

/** An expectation of one tool result: a text that it contains, or an object. */
const ResultSchema = z.union([
  NonBlank,
  checked(
    strictObject({
      contains: NonBlank.optional().describe('Text that the result must contain, ignoring case'),
      matches: Regex.optional().describe('A JavaScript regular expression that the result must match'),
      flags: Flags,
      equals: z.string().optional().describe('The whole result'),
      is_error: z.boolean().optional().describe('Whether the client must report the call as failed'),
    }),
    'expected_result',
  ),
]);

const MessageCount = z.int().min(0);

const MessagesSchema = z.union([
  MessageCount,
  checked(
    strictObject({
      min: MessageCount.optional().describe('Smallest number of messages'),
      max: MessageCount.optional().describe('Largest number of messages'),
    }),
    'message_range',
  ),
]);

/** Expectations of the request of a step. None of them changes the answer. */
export const ExpectSchema = checked(
  strictObject({
    model: ConditionSchema.optional().describe('Text or expression that the model name must contain'),
    system: ConditionSchema.optional().describe('Text or expression that a system or developer text must contain'),
    tools: z
      .array(NonBlank)
      .optional()
      .describe('Names of tools that the request must offer; by default those that the answer calls'),
    header: z
      .record(NonBlank, ConditionSchema)
      .optional()
      .describe('Texts or expressions that headers must contain, by header name'),
    tool_result: z
      .union([ResultSchema, z.array(ResultSchema).min(1)])
      .optional()
      .describe('Expectation of a tool result after the last answer, or a list of several'),
    messages: MessagesSchema.optional().describe('Number of messages of the request, without system texts'),
  }),
  'expect',
);

/** The expectations of a step in a file. */
export type ExpectSpecification = z.infer<typeof ExpectSchema>;
/** The expectation of a tool result in a file. */
export type ResultExpectation = z.infer<typeof ResultSchema>;
