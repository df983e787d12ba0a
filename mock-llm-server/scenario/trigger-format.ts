import * as z from 'zod';
import { errorText } from '../text.ts';
import { problemText, strictObject } from './problems.ts';

/** A string that is not blank. */
export const NonBlank = z.string().regex(/\S/, problemText('must not be blank', 'write some text'));

const Flags = z
  .string()
  .regex(/^[dimsuv]*$/, problemText('may have the flags d, i, m, s, u and v', 'write "i", or leave it out'))
  .optional()
  .describe('Flags of the expression; `i` by default');

const ConditionSchema = z.union([
  NonBlank,
  strictObject({
    regex: z.string().min(1).describe('A JavaScript regular expression'),
    flags: Flags,
  }).superRefine(checkRegex),
]);

/** A condition on the content of a tool result, on its error flag, or on both. */
const ResultConditionSchema = z.union([
  NonBlank,
  strictObject({
    regex: z.string().min(1).optional().describe('A JavaScript regular expression'),
    flags: Flags,
    is_error: z
      .boolean()
      .optional()
      .describe('Whether the client reports the call as failed, in protocols that can express it'),
  }).superRefine((condition, context) => {
    checkRegex(condition, context);
    checkFlags(condition, context);
    if (condition.regex === undefined && condition.is_error === undefined) {
      const message = problemText('has no regex and no is_error', 'add "is_error": true, or write a string instead');
      context.addIssue({ code: 'custom', message });
    }
  }),
]);

const ConditionsSchema = strictObject({
  text: NonBlank.optional().describe("Text that a user's text must contain, ignoring case"),
  regex: z.string().min(1).optional().describe('A JavaScript regular expression; templates can use its named groups'),
  flags: Flags,
  model: ConditionSchema.optional().describe('Text or expression that the model name must contain'),
  system: ConditionSchema.optional().describe('Text or expression that a system or developer text must contain'),
  tool: ConditionSchema.optional().describe('Text or expression that the name of an offered tool must contain'),
  header: z
    .record(NonBlank, ConditionSchema)
    .optional()
    .describe('Texts or expressions that headers must contain, by header name: `{"user-agent": "claude-cli"}`'),
  tool_result: ResultConditionSchema.optional().describe(
    'Text or expression that a tool result must contain; the scenario then starts at that result',
  ),
}).superRefine((trigger, context) => {
  checkRegex(trigger, context);
  checkFlags(trigger, context);
  const { flags: _flags, ...conditions } = trigger;
  if (trigger.text !== undefined && trigger.regex !== undefined) {
    const message = problemText('a trigger has a text or a regex, not both', 'remove one of the two');
    context.addIssue({ code: 'custom', path: ['regex'], message });
  }
  if (Object.keys(conditions).length === 0 || Object.keys(trigger.header ?? { one: '' }).length === 0) {
    const reason = 'has no condition';
    const message = problemText(reason, 'add one of text, regex, model, system, tool, header and tool_result');
    context.addIssue({ code: 'custom', message });
  }
});

/** The trigger of a scenario: a text to find in the user's texts, or conditions that must all hold. */
export const TriggerSchema = z.union([NonBlank, ConditionsSchema]);

/** A trigger in a file. */
export type TriggerSpecification = z.infer<typeof TriggerSchema>;
/** A condition on a request in a file. */
export type ConditionSpecification = z.infer<typeof ConditionSchema>;
/** A condition on a tool result in a file. */
export type ResultConditionSpecification = z.infer<typeof ResultConditionSchema>;

interface Expression {
  readonly regex?: string | undefined;
  readonly flags?: string | undefined;
}

function checkFlags({ regex, flags }: Expression, context: z.core.$RefinementCtx): void {
  if (flags === undefined || regex !== undefined) return;
  const message = problemText('needs a regex', 'remove "flags", or add a "regex"');
  context.addIssue({ code: 'custom', path: ['flags'], message });
}

function checkRegex({ regex, flags }: Expression, context: z.core.$RefinementCtx): void {
  if (regex === undefined) return;
  try {
    new RegExp(regex, flags);
  } catch (error) {
    const reason = errorText(error);
    const message = problemText(reason, 'escape special characters with \\\\, as in "\\\\(" for a (');
    context.addIssue({ code: 'custom', path: ['regex'], message });
  }
}
