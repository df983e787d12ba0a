import { ToolError } from '../../agent/errors.ts';
import type { PlannedCall, PlannedEffect, Tool } from '../../agent/ports/tool.ts';
import { countMarks } from '../../policy/redaction/redact.ts';
import { rephraseToolError } from '../define-tool.ts';

/**
 * A tool whose results and errors reach the model with marks in place of secrets. A call that would write such a mark, or
 * run it in a command, throws the `ToolError` `redaction_mark`, because the model does not know the text behind it.
 */
export function withRedaction(tool: Tool, redact: (text: string) => string): Tool {
  return {
    ...tool,
    async plan(args, context): Promise<PlannedCall> {
      let planned: PlannedCall;
      try {
        planned = await tool.plan(args, context);
      } catch (error) {
        throw rephraseToolError(error, redact);
      }
      if (addsMark(planned.effect)) throw new ToolError('redaction_mark', MARK_ADVICE);
      return {
        effect: planned.effect,
        async *run(limits) {
          try {
            const result = yield* planned.run(limits);
            return { ...result, content: redact(result.content) };
          } catch (error) {
            throw rephraseToolError(error, redact);
          }
        },
      };
    },
  };
}

const MARK_ADVICE =
  'The call contains a mark such as [redacted:key], which stands for a secret that you are not shown. It would replace ' +
  'the secret, so nothing was done. Change only the lines around it, or ask the user to make this change.';

/** True for a command with a mark, and for a change after which a file has more marks. */
function addsMark({ command, preview }: PlannedEffect): boolean {
  if (command !== undefined) return countMarks(command) > 0;
  if (preview === undefined || countMarks(preview.unified) === 0) return false;
  const lines = preview.unified.split('\n');
  const marks = (sign: string): number => countMarks(lines.filter((line) => line.startsWith(sign)).join('\n'));
  return marks('+') > marks('-');
}
