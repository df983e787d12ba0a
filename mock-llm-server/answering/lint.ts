import type { Conversation } from '../conversation/conversation.ts';
import { parseCallId } from '../conversation/ids.ts';
import { jsonErrorOf } from '../conversation/json.ts';
import { pairResults } from '../matching/pair-results.ts';
import { readTurns } from '../matching/turns.ts';
import type { ScenarioSet } from '../scenario/prepare.ts';
import type { ReadRequest, RecalledCall, Wire, WireError } from '../wire/wire.ts';

/** What is wrong with a request. `error` is how the provider would refuse it; without, it is only worth a note. */
export interface LintFinding {
  readonly message: string;
  readonly error?: WireError;
}

/**
 * What is wrong with a request that can be read, in the order in which it would be refused. Tool calls and results that
 * the provider would not take are looked at where `unpaired` says so; the matcher finds them too. Pure.
 */
export function lintRequest(
  read: ReadRequest,
  wire: Wire,
  set: ScenarioSet,
  { unpaired = true }: { readonly unpaired?: boolean } = {},
): readonly LintFinding[] {
  const { conversation } = read;
  const isLenient = wire.pairing === 'none';
  const results = unpaired || isLenient ? unpairedResults(conversation, wire) : [];
  const refusals = [...(read.lint?.((id) => recallCall(id, set)) ?? []), ...(isLenient ? [] : results)];
  return [
    ...refusals.map((error) => ({ message: error.message, error })),
    ...(isLenient ? results.map(({ message }) => ({ message })) : []),
    ...brokenArguments(conversation),
  ];
}

function recallCall(id: string, set: ScenarioSet): RecalledCall | undefined {
  const places = set.explicitIds.get(id);
  if (places !== undefined)
    return { explicit: true, reasoned: places.every(({ step }) => step.reasoning !== undefined) };
  const generated = parseCallId(id);
  const step = generated === undefined ? undefined : set.byTag.get(generated.scenarioTag)?.steps[generated.step];
  return step === undefined ? undefined : { explicit: false, reasoned: step.reasoning !== undefined };
}

/** The results of a request that goes on from another answer belong to calls that it does not repeat. */
function unpairedResults(conversation: Conversation, wire: Wire): WireError[] {
  if (conversation.continues !== undefined) return [];
  const judged = pairResults(readTurns(conversation), wire.pairing === 'none' ? 'by_call_id' : wire.pairing);
  return judged.type === 'paired' ? [] : [wire.unpaired(judged)];
}

/** Calls of the last answer that the client returns with arguments that are not JSON. */
function brokenArguments({ messages }: Conversation): LintFinding[] {
  const last = messages.findLast(({ role }) => role === 'assistant');
  return (last?.parts ?? []).flatMap((part) => {
    if (part.type !== 'tool_call' || part.input === 'text') return [];
    const reason = jsonErrorOf(part.arguments);
    if (reason === undefined) return [];
    return [{ message: `The arguments of the call ${part.id} to ${part.name} are not JSON: ${reason}` }];
  });
}
