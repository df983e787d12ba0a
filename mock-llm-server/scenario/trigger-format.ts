import * as z from 'zod';
import { errorText } from '../text.ts';
import { problemText, strictObject } from './problems.ts';

/** A text with something in it. */
export const NonBlank = z.string().regex(/\S/, 'must not be blank');

const Flags = z
  .string()
  .regex(/^[dimsuv]*$/, problemText('may hold the flags d, i, m, s, u and v', 'write "i", or leave it out'))
  .optional()
  .describe('Flags of the expression; `i` when left out');

const ConditionSchema = z.union([
  NonBlank,
  strictObject({
    regex: z.string().min(1).describe('A JavaScript regular expression, searched as in a trigger'),
    flags: Flags,
  }).superRefine(checkRegex),
]);

/** Of a tool result: what is in it, and whether it is that of a call that failed. */
const ResultConditionSchema = z.union([
  NonBlank,
  strictObject({
    regex: z.string().min(1).optional().describe('A JavaScript regular expression, searched as in a trigger'),
    flags: Flags,
    is_error: z
      .boolean()
      .optional()
      .describe('Whether the client says that the call failed, in protocols that have a word for it'),
  }).superRefine((condition, context) => {
    checkRegex(condition, context);
    checkFlags(condition, context);
    if (condition.regex === undefined && condition.is_error === undefined) {
      const message = problemText('has no regex and no is_error', 'add "is_error": true, or write a text instead');
      context.addIssue({ code: 'custom', message });
    }
  }),
]);

const ConditionsSchema = strictObject({
  text: NonBlank.optional().describe("Text that a user's text must contain, in any case"),
  regex: z.string().min(1).optional().describe('A JavaScript regular expression; named groups are kept with the match'),
  flags: Flags,
  model: ConditionSchema.optional().describe('What the name of the model must contain'),
  system: ConditionSchema.optional().describe('What a system or developer text must contain'),
  tool: ConditionSchema.optional().describe('What the name of an offered tool must contain'),
  header: z
    .record(NonBlank, ConditionSchema)
    .optional()
    .describe('What headers of the request must contain, by their names: `{"user-agent": "claude-cli"}`'),
  tool_result: ResultConditionSchema.optional().describe(
    'What a tool result must contain; the scenario then starts where that result comes back',
  ),
}).superRefine((trigger, context) => {
  checkRegex(trigger, context);
  checkFlags(trigger, context);
  const { flags: _flags, ...conditions } = trigger;
  if (trigger.text !== undefined && trigger.regex !== undefined) {
    const message = problemText('a trigger has a text or a regex, not both', 'take one of the two out');
    context.addIssue({ code: 'custom', path: ['regex'], message });
  }
  if (Object.keys(conditions).length === 0 || Object.keys(trigger.header ?? { one: '' }).length === 0) {
    const reason = 'has no condition';
    const message = problemText(reason, 'add one of text, regex, model, system, tool, header and tool_result');
    context.addIssue({ code: 'custom', message });
  }
});

/** When a scenario starts: a text in the user's texts, or conditions that must all hold. */
export const TriggerSchema = z.union([NonBlank, ConditionsSchema]);

/** A trigger as a file states it, checked. */
export type TriggerSpecification = z.infer<typeof TriggerSchema>;
/** A condition on a request, checked. */
export type ConditionSpecification = z.infer<typeof ConditionSchema>;
/** A condition on a tool result, checked. */
export type ResultConditionSpecification = z.infer<typeof ResultConditionSchema>;

interface Expression {
  readonly regex?: string | undefined;
  readonly flags?: string | undefined;
}

function checkFlags({ regex, flags }: Expression, context: z.core.$RefinementCtx): void {
  if (flags === undefined || regex !== undefined) return;
  const message = problemText('belongs to a regex, and there is none', 'take "flags" out, or add a "regex"');
  context.addIssue({ code: 'custom', path: ['flags'], message });
}

function checkRegex({ regex, flags }: Expression, context: z.core.$RefinementCtx): void {
  if (regex === undefined) return;
  try {
    new RegExp(regex, flags);
  } catch (error) {
    const reason = errorText(error);
    const message = problemText(reason, 'write \\\\ before a character that is to be itself, as in "\\\\(" for a (');
    context.addIssue({ code: 'custom', path: ['regex'], message });
  }
}
