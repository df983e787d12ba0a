import type { Conversation } from '../conversation/conversation.ts';
import type { FailedExpectation } from '../journal/entry.ts';
import { type RequestFields, redactFirst } from '../journal/redact.ts';
import type { Expectation } from '../scenario/expectations.ts';
import { cutText } from '../text.ts';
import { factsOf } from './match.ts';
import { readTurns, toolResultsOf } from './turns.ts';

const MAX_FOUND = 200;

/** The expectations that a request does not meet, in order. The values found are redacted and cut. Pure. */
export function checkExpectations(
  expectations: readonly Expectation[],
  conversation: Conversation,
  { headers = {}, secrets = [] }: RequestFields,
): readonly FailedExpectation[] {
  const turns = readTurns(conversation);
  const results = toolResultsOf(turns.slice(turns.findLastIndex(({ type }) => type === 'assistant') + 1));
  const request = { ...factsOf(conversation, headers), messages: conversation.messages.length, results };
  return expectations.flatMap((expectation) => {
    if (expectation.holds(request)) return [];
    const { field, wanted } = expectation;
    const found = redactFirst(expectation.found(request), MAX_FOUND, secrets);
    return [{ field, wanted, found: cutText(found, MAX_FOUND) }];
  });
}

/** An expectation that was not met, as a sentence: `tool_result: expected contains "ok", found "no"`. */
export function describeUnmet({ field, wanted, found }: FailedExpectation): string {
  return `${field}: expected ${wanted}, found ${found === '' ? 'nothing' : JSON.stringify(found)}`;
}
