import { isJsonObject } from '../conversation/json.ts';

/** Settings of a request that change how a model samples its answer, by names that are the same in all protocols. */
export type SamplingSettings = Readonly<Record<string, unknown>>;

/** The name of each setting, and its names in the protocols that call it otherwise. */
const SETTINGS: readonly (readonly [name: string, ...others: string[]])[] = [
  ['frequency_penalty', 'frequencyPenalty'],
  ['logit_bias'],
  ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens', 'num_predict'],
  ['min_p'],
  ['num_ctx'],
  ['parallel_tool_calls'],
  ['presence_penalty', 'presencePenalty'],
  ['reasoning'],
  ['reasoning_effort'],
  ['repeat_penalty'],
  ['response_format', 'format', 'responseMimeType'],
  ['samples', 'n', 'candidateCount'],
  ['seed'],
  ['stop', 'stop_sequences', 'stopSequences'],
  ['temperature'],
  ['thinking', 'think', 'thinkingConfig'],
  ['tool_choice', 'toolConfig'],
  ['top_k', 'topK'],
  ['top_p', 'topP'],
  ['verbosity'],
];

/** Objects of a body that hold settings, besides the body itself: Gemini, Ollama, Responses. */
const HOLDERS = ['generationConfig', 'options', 'text'] as const;

/** Finds the sampling settings of the parsed body of a request, sorted by name. Null counts as absent. Pure. */
export function readSampling(body: unknown): SamplingSettings {
  if (!isJsonObject(body)) return {};
  const holders = [body, ...HOLDERS.flatMap((name) => (isJsonObject(body[name]) ? [body[name]] : []))];
  const settings: Record<string, unknown> = {};
  for (const [name, ...others] of SETTINGS) {
    for (const holder of holders) {
      for (const field of [name, ...others]) settings[name] ??= holder[field] ?? undefined;
    }
    // A schema of the answer is a part of the conversation.
    if (settings[name] === undefined || (name === 'response_format' && isSchema(settings[name]))) delete settings[name];
  }
  return settings;
}

function isSchema(format: unknown): boolean {
  return isJsonObject(format) && format['type'] !== 'json_object' && format['type'] !== 'text';
}

/** A JSON value with the keys of its objects in alphabetical order. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sortKeys(value[key])]),
  );
}
