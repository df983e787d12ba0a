import type { Config } from '../config/schema.ts';
import type { ComputeDigest, Digest } from '../ports/digest.ts';
import type { ModelIdentity, ModelRequest } from '../ports/language-model.ts';

/** Stands for the directory of a run, which differs from run to run, in everything that is stored or compared. */
export const WORKSPACE = '<workspace>';

/** Durations in the output of programs: `12.5 ms`, `(3s)`, `duration_ms 0.41`. */
const DURATION = /\b\d+(?:\.\d+)?\s?(?:ns|µs|ms|s|sec|seconds|milliseconds)\b|(?<=duration_ms )[\d.]+/g;

/** A text without what differs between equal runs: the directory of the run, and the time that commands took. */
export function withoutVolatile(text: string, workspace: string): string {
  return replaceWorkspace(text, workspace, WORKSPACE).replaceAll(DURATION, '<time>');
}

/** The text with another directory, also where it is part of a JSON string. */
export function replaceWorkspace(text: string, from: string, to: string): string {
  const inJson = (path: string) => JSON.stringify(path).slice(1, -1);
  return text.replaceAll(inJson(from), inJson(to)).replaceAll(from, to);
}

/** Facts of a run that decide its answers besides the request. */
export interface AnswerFacts {
  readonly identity: ModelIdentity;
  readonly llm: Config['llm'];
  /** The scenario file of a model that ybs plays itself. */
  readonly source: unknown;
  /** Counted from 1. */
  readonly run: number;
  /** The directory of the run. */
  readonly workspace: string;
}

/** The name under which an answer is stored: equal requests of the same run to the same model have the same one. */
export function answerKey(
  request: ModelRequest,
  { identity, llm, source, run, workspace }: AnswerFacts,
  digest: ComputeDigest,
): Digest {
  const { temperature, max_tokens, reasoning_effort, tool_protocol, endpoint, api_kind } = llm;
  const parameters = { temperature, max_tokens, reasoning_effort, tool_protocol, endpoint, api_kind };
  const { system, messages, tools } = request;
  const content = withoutVolatile(JSON.stringify({ system, messages, tools }), workspace);
  return digest(new TextEncoder().encode(JSON.stringify(['answer', 1, identity, parameters, source, run, content])));
}
