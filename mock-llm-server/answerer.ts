import type { Context } from 'hono';
import { createAnswerMemory } from './answer-memory.ts';
import type { Chaos } from './chaos.ts';
import { type ChosenFault, createFaultChooser, describeFault } from './choose-fault.ts';
import { clientSignal } from './client-signal.ts';
import type { Clock } from './clock.ts';
import { decideAnswer, type ReplyDecision } from './decide-answer.ts';
import { describeReply } from './describe-answer.ts';
import { readHttp } from './http-request.ts';
import { type Journal, prepareEntry } from './journal.ts';
import type { LintMode } from './lint-mode.ts';
import { logLine, type PreparedAnswer, prepareError, recordOf, remarksOn } from './prepare-answer.ts';
import { connectionReset } from './reset-connection.ts';
import { NO_RETRY, type ResponseHeaders } from './respond.ts';
import type { ScenarioSet } from './scenario-set.ts';
import { sendReply } from './send-reply.ts';
import { statusFaultOf } from './status-fault.ts';
import type { Wire, WireError, WireRequest } from './wire/wire.ts';

/** What answers the requests of one server, and notes each in its log and its journal. */
export interface Answerer {
  /** Answers a request for an answer. Rejects when the client goes before all of the request is there. */
  answer(wire: Wire, context: Context): Promise<Response>;
  /** Says no in the form of a protocol. `said` is what the log says after the path. */
  refuse(error: WireError, wire: Wire, request: WireRequest, said: string, headers?: ResponseHeaders): Response;
}

/** What an answerer works with. */
export interface AnswererParts {
  /** Gives the scenarios that count now. */
  readonly current: () => ScenarioSet;
  /** Takes one line for each request, without a line end. */
  readonly log: (line: string) => void;
  readonly lint: LintMode;
  readonly journal: Journal;
  readonly chaos: Chaos | undefined;
  readonly clock: Clock;
}

/** Remembers nothing but answers to repeat, and how often faults with `times` have been. */
export function createAnswerer({ current, log, lint, journal, chaos, clock }: AnswererParts): Answerer {
  const chooseFault = createFaultChooser(chaos);
  // Chaos breaks answers one by one.
  const memory = chaos === undefined ? createAnswerMemory() : undefined;

  const send = ({ status, headers, body, line, entry }: PreparedAnswer): Response => {
    log(line);
    journal.add(entry);
    return new Response(body, { status, headers });
  };

  const refuse: Answerer['refuse'] = (error, wire, request, said, headers = {}) =>
    send(prepareError(error, { wire, request }, said, { ...NO_RETRY, ...headers }));

  /** Sends what a step or chaos wants to be late or broken. */
  const sendFaulty = (
    { outcome: decided, step }: ReplyDecision,
    chosen: ChosenFault | undefined,
    context: Context,
  ): Response | Promise<Response> => {
    const outcome = { ...decided, fault: chosen && describeFault(chosen) };
    const { wire, request, read, reply, identity } = outcome;
    const failure = chosen && statusFaultOf(chosen.fault, read.conversation);
    const said = describeReply(outcome, failure?.error.status) + remarksOn(outcome);
    if (failure !== undefined) return send(prepareError(failure.error, outcome, said, failure.headers));
    log(logLine(request, said));
    const { response, served } = sendReply(
      { wire, read, reply, headers: identity.headers, fault: chosen?.fault, timing: step.timing },
      { clock, reset: connectionReset(context.env), signal: clientSignal(context.env, context.req.raw) },
    );
    journal.add(prepareEntry(recordOf(outcome, served)));
    return response;
  };

  const answer: Answerer['answer'] = async (wire, context) => {
    const { request, fault } = await readHttp(context);
    if (fault !== undefined) return refuse(fault, wire, request, `${fault.status} ${fault.message}`, LEFT_UNREAD);
    const set = current();
    const known = memory?.find(request, wire, set);
    if (known !== undefined) return send(known);
    const decision = decideAnswer(request, wire, set, lint);
    const keep = (ready: PreparedAnswer) => {
      memory?.keep(request, wire, set, ready);
      return send(ready);
    };
    if (decision.type === 'refusal') return keep(decision.ready);
    const key = { digest: decision.outcome.identity.digest, testId: request.headers['x-test-id'] };
    const chosen = chooseFault(decision.step.fault, key);
    if (chosen !== undefined || decision.ready === undefined) return sendFaulty(decision, chosen, context);
    return keep(decision.ready);
  };

  return { answer, refuse };
}

/** What was not read to its end would stand before the next request. */
const LEFT_UNREAD = { connection: 'close' };
