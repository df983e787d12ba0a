import type { Conversation, ServiceName } from '../conversation/conversation.ts';
import { parseCallId } from '../conversation/ids.ts';
import { jsonErrorOf } from '../conversation/json.ts';
import { checkHistory } from '../matching/history/check-history.ts';
import { type PairingRule, pairResults } from '../matching/pair-results.ts';
import { readTurns } from '../matching/turns.ts';
import type { Scenario, ScenarioSet } from '../scenario/prepare.ts';
import type { ServiceRefusal } from '../services/check-request.ts';
import type { RuleBasis } from '../services/service.ts';
import { serviceNamed } from '../services/services.ts';
import type { ReadRequest, RecallCall, Wire, WireError } from '../wire/wire.ts';

/** A problem of a request. `error` is that of the provider; a problem without one is only recorded. */
export interface LintFinding {
  readonly message: string;
  readonly error?: WireError;
  /** The rule of a service that the request breaks. */
  readonly rule?: RuleBasis;
  /** The client sends an answer back in another form than the server sent it. */
  readonly isHistory?: true;
}

/**
 * Finds the problems of a request, in the order in which the provider would report them: `refusals` are those of the
 * rules of its service. `unpaired` includes tool calls and results that do not match; without it the matcher checks
 * them. Pure.
 */
export function lintRequest(
  read: ReadRequest,
  wire: Wire,
  set: ScenarioSet,
  {
    unpaired = true,
    pairing = wire.pairing,
    refusals = [],
    allowed = [],
    started,
    named,
    thinks = true,
  }: {
    readonly unpaired?: boolean;
    /** The rule of the service: with `none` it does not look at the history, so that faults there are only recorded. */
    readonly pairing?: PairingRule;
    readonly refusals?: readonly ServiceRefusal[];
    readonly allowed?: readonly string[];
    readonly started?: Scenario | undefined;
    /** The service that the request, its reply or the server names. */
    readonly named?: ServiceName | undefined;
    /** The request asks for reasoning. */
    readonly thinks?: boolean;
  } = {},
): readonly LintFinding[] {
  const { conversation } = read;
  const isLenient = pairing === 'none';
  const results = unpaired || isLenient ? unpairedResults(conversation, wire, pairing) : [];
  const errors = read.lint?.((id) => recallCall(id, set), named && serviceNamed(named)) ?? [];
  return [
    ...refusals.map(({ error, rule }) => ({ message: `${error.message} (rule ${rule.id})`, error, rule })),
    ...errors.map((error) => ({ message: error.message, error })),
    // A service that answers without the results hides a mistake.
    ...results.map((error) => ({ message: error.message, ...(isLenient ? { isHistory: true as const } : { error }) })),
    ...brokenArguments(conversation),
    ...checkHistory(conversation, set, {
      json: read.json,
      started,
      thinks,
      choosesCalls: read.toolChoice !== undefined || read.limits?.stop !== undefined,
      maxTokens: read.limits?.maxTokens?.value,
    })
      .filter(({ rule }) => !allowed.includes(rule))
      .map(({ message }) => ({ message, isHistory: true }) as const),
  ];
}

/** The rule of a service for calls and results. */
export function pairingOf(service: ServiceName | undefined, wire: Wire): PairingRule {
  return service !== undefined && serviceNamed(service).ignores ? 'none' : wire.pairing;
}

/** Finds a call of this server by its id. */
export function recallCall(id: string, set: ScenarioSet): ReturnType<RecallCall> {
  const calls = set.explicitIds.get(id);
  if (calls !== undefined) return { reasoned: calls.every(({ step }) => step.reasoning !== undefined) };
  const generated = parseCallId(id);
  const step = generated === undefined ? undefined : set.byTag.get(generated.scenarioTag)?.steps[generated.step];
  return step === undefined ? undefined : { reasoned: step.reasoning !== undefined };
}

/** A request that continues an earlier answer does not repeat the calls that its results belong to. */
function unpairedResults(conversation: Conversation, wire: Wire, rule: PairingRule): WireError[] {
  if (conversation.continues !== undefined) return [];
  const pairing = pairResults(readTurns(conversation), rule === 'none' ? 'by_call_id' : rule);
  return pairing.type === 'paired' ? [] : [wire.unpaired(pairing)];
}

/** The calls of the last answer whose arguments are not JSON as the client sent them back. */
function brokenArguments({ messages }: Conversation): LintFinding[] {
  const last = messages.findLast(({ role }) => role === 'assistant');
  return (last?.parts ?? []).flatMap((part) => {
    if (part.type !== 'tool_call' || part.input === 'text') return [];
    const reason = jsonErrorOf(part.arguments);
    if (reason === undefined) return [];
    return [{ message: `The arguments of the call ${part.id} to ${part.name} are not JSON: ${reason}` }];
  });
}
