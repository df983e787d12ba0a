import * as z from 'zod';
import { PROTOCOLS } from '../../conversation/conversation.ts';
import { errorText } from '../../text.ts';
import { addProblem, problemText, strictObject } from '../problems.ts';

/** A string that is not blank. */
export const NonBlank = z.string().regex(/\S/, problemText('must not be blank', 'write some text'));

/** Flags of a regular expression. */
export const Flags = z
  .string()
  .regex(/^[dimsuv]*$/, problemText('may have the flags d, i, m, s, u and v', 'write "i", or leave it out'))
  .optional()
  .describe('Flags of the expression; `i` by default');

/** A regular expression. Whether it is valid depends on its flags: see `checkRegex`. */
export const Regex = z.string().min(1).describe('A JavaScript regular expression');

const ExpressionSchema = strictObject({ regex: Regex, flags: Flags }).superRefine(checkRegex);

/** A text, or an expression, that something must contain. */
export const ConditionSchema = z.union([NonBlank, ExpressionSchema]);

/** A condition on the content of a tool result, on its error flag, or on both. */
const ResultConditionSchema = z.union([
  NonBlank,
  strictObject({
    regex: Regex.optional(),
    flags: Flags,
    is_error: z
      .boolean()
      .optional()
      .describe('Whether the client reports the call as failed, in protocols that can express it'),
  }).superRefine((condition, context) => {
    checkRegex(condition, context);
    if (condition.regex === undefined && condition.is_error === undefined) {
      addProblem(context, 'has no regex and no is_error', 'add "is_error": true, or write a string instead');
    }
  }),
]);

const ConditionsSchema = strictObject({
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
    .describe('The part of the seeds for which the scenario answers, drawn from the header `x-mock-seed`'),
  tool_result: ResultConditionSchema.optional().describe(
    'Text or expression that a tool result must contain; the scenario then starts at that result',
  ),
}).superRefine((trigger, context) => {
  checkRegex(trigger, context);
  const { flags: _flags, ...conditions } = trigger;
  if (trigger.text !== undefined && trigger.regex !== undefined) {
    addProblem(context, 'a trigger has a text or a regex, not both', 'remove one of the two', ['regex']);
  }
  if (Object.keys(conditions).length === 0 || Object.keys(trigger.header ?? { one: '' }).length === 0) {
    addProblem(context, 'has no condition', `add one of ${CONDITIONS}`);
  }
});

const CONDITIONS = 'text, regex, protocol, model, system, tool, response_format, header, chance and tool_result';

/** The trigger of a scenario: a text to find in the user's texts, or conditions that must all hold. */
export const TriggerSchema = z.union([NonBlank, ConditionsSchema]);

/** A trigger in a file. */
export type TriggerSpecification = z.infer<typeof TriggerSchema>;
/** A condition on a request in a file. */
export type ConditionSpecification = z.infer<typeof ConditionSchema>;
/** A condition on a tool result in a file. */
export type ResultConditionSpecification = z.infer<typeof ResultConditionSchema>;

/** Reports a regular expression that is not valid, and flags without one. `field` is the name of the expression. */
export function checkRegex(
  { regex, flags }: { readonly regex?: string | undefined; readonly flags?: string | undefined },
  context: z.core.$RefinementCtx,
  field = 'regex',
): void {
  if (regex === undefined) {
    if (flags !== undefined) addProblem(context, `needs a ${field}`, `remove "flags", or add a "${field}"`, ['flags']);
    return;
  }
  try {
    new RegExp(regex, flags);
  } catch (error) {
    addProblem(context, errorText(error), 'escape special characters with \\\\, as in "\\\\(" for a (', [field]);
  }
}
