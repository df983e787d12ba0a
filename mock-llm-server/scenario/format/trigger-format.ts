import * as z from 'zod';
import { PROTOCOLS } from '../../conversation/conversation.ts';
import { checked, problemText, strictObject } from './strict-object.ts';

export const NonBlank = z.string().regex(/\S/, problemText('must not be blank', 'write some text'));

/** Flags of a regular expression. */
export const Flags = z
  .string()
  .regex(/^[dimsuv]*$/, problemText('may have the flags d, i, m, s, u and v', 'write "i", or leave it out'))
  .optional()
  .describe('Flags of the expression; `i` by default');

/** A regular expression, which its flags can make invalid. */
export const Regex = z.string().min(1).describe('A JavaScript regular expression');

export const ExpressionSchema = checked(strictObject({ regex: Regex, flags: Flags }), 'regex');

/** A text, or an expression, that something must contain. */
export const ConditionSchema = z.union([NonBlank, ExpressionSchema]);

/** A condition on the content of a tool result, on its error flag, or on both. */
const ResultConditionSchema = z.union([
  NonBlank,
  checked(
    strictObject({
      regex: Regex.optional(),
      flags: Flags,
      is_error: z
        .boolean()
        .optional()
        .describe('Whether the client reports the call as failed, in protocols that can express it'),
    }),
    'result_condition',
  ),
]);

const ConditionsSchema = checked(
  strictObject({
    text: NonBlank.optional().describe("Text that a user's text must contain, ignoring case"),
    regex: Regex.optional().describe('A JavaScript regular expression; templates can use its named groups'),
    flags: Flags,
    protocol: z
      .union([z.enum(PROTOCOLS), ExpressionSchema])
      .optional()
      .describe('Protocol of the request, or an expression that its name must contain'),
    model: ConditionSchema.optional().describe('Text or expression that the model name must contain'),
    system: ConditionSchema.optional().describe('Text or expression that a system or developer text must contain'),
    tool: ConditionSchema.optional().describe('Text or expression that the name of an offered tool must contain'),
    response_format: ConditionSchema.optional().describe(
      'Text or expression that the type of the requested answer (`text`, `json_object`, `json_schema`, `enum`), or the ' +
        'name or title of its schema, must contain',
    ),
    header: z
      .record(NonBlank, ConditionSchema)
      .optional()
      .describe('Texts or expressions that headers must contain, by header name: `{"user-agent": "claude-cli"}`'),
    chance: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .describe('Fraction of the seeds for which the scenario answers; a seed is a value of the header `x-mock-seed`'),
    tool_result: ResultConditionSchema.optional().describe(
      'Text or expression that a tool result must contain; the scenario then starts at that result',
    ),
  }),
  'trigger',
);

/** The trigger of a scenario: a text to find in the user's texts, or conditions that must all hold. */
export const TriggerSchema = z.union([NonBlank, ConditionsSchema]);

export type TriggerSpecification = z.infer<typeof TriggerSchema>;
/** A condition on a request in a file. */
export type ConditionSpecification = z.infer<typeof ConditionSchema>;
/** A condition on a tool result in a file. */
export type ResultConditionSpecification = z.infer<typeof ResultConditionSchema>;
