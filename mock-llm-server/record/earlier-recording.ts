import { isJsonObject } from '../conversation/json.ts';
import { compareRuns } from '../drift/lock.ts';
import type { ObservedPart, ObservedPrompt, VolatileText } from '../scenario/lock/prompt-lock.ts';
import { objectsIn, textIn } from './decode/decoded-answer.ts';

/** The prompts of the steps in the text of a `recording.jsonl`. Lines that are not of this form are left out. */
export function readObserved(recording: string): readonly ObservedPrompt[] {
  const texts = new Map<string, string>();
  return recording.split('\n').flatMap((line): readonly ObservedPrompt[] => {
    const request = parsed(line);
    if (!isJsonObject(request)) return [];
    const parts = objectsIn(request['parts']).flatMap((part): readonly ObservedPart[] => {
      const [name, digest, text] = [textIn(part['name']), textIn(part['digest']), part['text']];
      if (name === undefined || digest === undefined) return [];
      if (typeof text === 'string') texts.set(digest, text);
      // A cut text would differ from the whole one of another run.
      return part['note'] === undefined ? [{ kind: kindOf(name), name, text: texts.get(digest) ?? '' }] : [];
    });
    const { scenario, step } = request;
    return typeof scenario === 'string' && typeof step === 'number' ? [{ scenario, step, parts }] : [];
  });
}

const KINDS = ['system', 'sampling', 'user', 'assistant'] as const;

function kindOf(name: string): ObservedPart['kind'] {
  if (name.startsWith('tool result ')) return 'tool_result';
  return KINDS.find((kind) => name === kind || name.startsWith(`${kind} `)) ?? 'tool';
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Lines for the user about the texts that differ between two recordings of the same run: entries for `volatile`. */
export function describeVolatile(
  first: readonly ObservedPrompt[],
  second: readonly ObservedPrompt[],
  known: readonly VolatileText[],
): readonly string[] {
  const { entries, unexplained } = compareRuns(first, second, known);
  return [
    ...(entries.length === 0
      ? []
      : ['the prompts differ from the last recording; add to "volatile" in prompt.lock.json:']),
    ...entries.map((entry) => `  ${JSON.stringify(entry)}`),
    ...unexplained.map((place) => `the prompts differ from the last recording: ${place}`),
  ];
}
