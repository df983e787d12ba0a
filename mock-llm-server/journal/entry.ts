import type { Protocol, ServiceName } from '../conversation/conversation.ts';
import type { Outline } from '../conversation/outline.ts';
import type { PromptDrift } from '../scenario/lock/prompt-lock.ts';

/** The parts of a request that explain its answer, each cut to its start. */
export interface RequestExcerpt {
  readonly messages: number;
  /** Start of the first system text. */
  readonly system: string;
  /** The last texts of the user: those after the last answer, or else those before it. */
  readonly user: readonly string[];
  /** The last tool results after the last answer. */
  readonly results: readonly string[];
  /** Start of a body that could not be read. */
  readonly body?: string;
}

/** An expectation of a step that its request did not meet. */
export interface FailedExpectation {
  /** `model`, `system`, `tools`, `header NAME`, `tool_result` or `messages`. */
  readonly field: string;
  readonly wanted: string;
  /** Start of the tested part of the request. */
  readonly found: string;
  /** Present if the step does not state it, but calls the tools of `wanted`, which the request does not offer. */
  readonly implied?: true;
}

export interface AnsweredCall {
  /** Undefined if a fault removed it. */
  readonly id: string | undefined;
  readonly name: string;
  /** Start of the arguments. */
  readonly arguments: string;
}

/** A request and its answer, as the journal keeps them. It holds no key. */
export interface JournalRecord {
  /** Value of the header `x-test-id`. */
  readonly testId: string | undefined;
  readonly protocol: Protocol;
  readonly method: string;
  /** Without the query, which may hold a key. */
  readonly path: string;
  /** The service whose rules and answers the request got; undefined for a model that no service owns. */
  readonly service?: ServiceName | undefined;
  /** Undefined if the request could not be read. */
  readonly model: string | undefined;
  readonly stream: boolean;
  readonly request: RequestExcerpt;
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  readonly status: number;
  /** Name of the scenario that answered; undefined for the default response and for errors that no step defines. */
  readonly scenario: string | undefined;
  /** Counted from 0. */
  readonly step: number | undefined;
  /** Kind of an auxiliary request. */
  readonly auxiliary: string | undefined;
  /** Tool calls of the answer; undefined if it has none. */
  readonly calls?: readonly AnsweredCall[] | undefined;
  /** The expectations of the step that the request did not meet; undefined if there are none. */
  readonly unmet?: readonly FailedExpectation[] | undefined;
  readonly error: string | undefined;
  /** Code of an error of the server itself, such as `no_scenario_matched`. */
  readonly code?: string | undefined;
  /** The rule of a service for which the request was refused, with its source and the date of the source. */
  readonly rule?: { readonly id: string; readonly source: string; readonly date: string } | undefined;
  /** Name of the scenario that had no step left for the request. */
  readonly pastEnd?: string | undefined;
  /** Messages of the linter. */
  readonly lint: readonly string[];
  /** Those about answers that the client sends back in another form; undefined if there are none. */
  readonly history?: readonly string[] | undefined;
  /** Changes that the request made to the answer of its step, such as a cut at a limit; undefined if there are none. */
  readonly notes?: readonly string[] | undefined;
  /** The injected fault and its origin: a step or chaos. */
  readonly fault?: string | undefined;
  /** The parts of the prompt that differ from the lock of the scenario; undefined if there are none. */
  readonly drift?: readonly PromptDrift[] | undefined;
  /** Body of the answer: its full length, and its start. */
  readonly served: { readonly bytes: number; readonly text: string };
}

/** Facts of a request that only `verify` needs. */
export interface RequestTrace {
  /** Time of its arrival, in milliseconds by the clock of the server. */
  readonly at: number;
  /** Digest of its conversation, equal for equal conversations. */
  readonly digest: string;
  readonly outline: Outline;
  /** The wait that its answer asked for before a retry, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** True if a fault broke its answer off. */
  readonly isBroken: boolean;
}

/** A record in the journal. `number` counts all records of the server, from 1. */
export interface JournalEntry extends JournalRecord {
  readonly number: number;
}
