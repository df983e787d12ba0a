import type { ComputeDigest, Digest } from '../../agent/ports/digest.ts';
import type { ModelIdentity, ModelRequest } from '../../agent/ports/language-model.ts';
import type { Config } from '../../config/schema.ts';

/** Directories that differ from run to run, and the names that replace them in all that is stored or compared. */
export type RunPlaces = readonly { readonly path: string; readonly name: string }[];

/** Durations in the output of programs: `12.5 ms`, `(3s)`, `duration_ms 0.41`. */
const DURATION = /\b\d+(?:\.\d+)?\s?(?:ns|µs|ms|s|sec|seconds|milliseconds)\b|(?<=duration_ms )[\d.]+/g;

/**
 * A text without the parts that differ between equal runs: the directories of the run, and the durations of commands.
 */
export function withoutVolatile(text: string, places: RunPlaces): string {
  return hidePlaces(text, places).replaceAll(DURATION, '<time>');
}

/** The text with the names of directories in place of their paths. */
export function hidePlaces(text: string, places: RunPlaces): string {
  return places.reduce((current, { path, name }) => replacePath(current, path, name), text);
}

/** The text with the paths of directories in place of their names. */
export function showPlaces(text: string, places: RunPlaces): string {
  return places.reduce((current, { path, name }) => replacePath(current, name, path), text);
}

/** Replaces a path, also where it is part of a JSON string. */
function replacePath(text: string, from: string, to: string): string {
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
  readonly places: RunPlaces;
}

/** The name under which an answer is stored: equal requests of the same run to the same model have the same one. */
export function answerKey(
  request: ModelRequest,
  { identity, llm, source, run, places }: AnswerFacts,
  digest: ComputeDigest,
): Digest {
  const { temperature, max_tokens, reasoning_effort, tool_protocol, endpoint, api_kind } = llm;
  const parameters = { temperature, max_tokens, reasoning_effort, tool_protocol, endpoint, api_kind };
  const { system, messages, tools } = request;
  const content = withoutVolatile(JSON.stringify({ system, messages, tools }), places);
  return digest(new TextEncoder().encode(JSON.stringify(['answer', 1, identity, parameters, source, run, content])));
}
