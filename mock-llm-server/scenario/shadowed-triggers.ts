import { indexContainedTexts } from './contained-texts.ts';
import { requiredText } from './required-text.ts';
import type { Trigger } from './trigger.ts';

/**
 * Finds, for the trigger at a place, the place of the first one before it that holds wherever it does. Nothing where
 * there is none, or where that cannot be known. Takes many thousands: only those are compared that have a text in
 * common.
 */
export function createShadowFinder(triggers: readonly Trigger[]): (place: number) => number | undefined {
  const needed = triggers.map(neededTexts);
  const counts = countTexts(needed.flat());
  const index = indexContainedTexts(
    needed.map((texts, place) => rarestOf(texts, counts) ?? triggers[place]?.text.toLowerCase() ?? ''),
  );
  // Those of which nothing can be said before they are tried.
  const unknown = [...needed.entries()].flatMap(([place, texts]) => (texts.length === 0 ? [place] : []));
  return (place) => {
    const trigger = triggers[place];
    if (trigger === undefined) return undefined;
    const found = textsOf(trigger).flatMap((text) => index.in(text));
    const others = [...found, ...(trigger.literal === undefined ? [] : [unknown])];
    let first: number | undefined;
    for (const places of others) {
      for (const other of places) {
        if (other >= (first ?? place)) break;
        const candidate = triggers[other];
        if (candidate !== undefined && shadows(candidate, trigger)) first = other;
      }
    }
    return first;
  };
}

/** What a trigger looks for, of which each that shadows it needs a part. Lower-case. */
function textsOf({ needsText, text, literal, conditions, toolResult }: Trigger): string[] {
  const wanted = [
    ...conditions.map((condition) => condition.wanted),
    ...(toolResult === undefined ? [] : [toolResult.wanted]),
  ];
  return [...(needsText ? [literal ?? text] : []), ...wanted].map((one) => one.toLowerCase());
}

/**
 * What a trigger has in common with each that it shadows: each of these is in one of the other's `textsOf`. Lower-case.
 */
function neededTexts(trigger: Trigger): string[] {
  if (!trigger.needsText || trigger.literal !== undefined) return textsOf(trigger);
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(trigger.text) ?? [];
  const required = requiredText(source, flags);
  return [...(required === undefined ? [] : [required.toLowerCase()]), ...textsOf(trigger).slice(1)];
}

function countTexts(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** The first of those that the fewest need. */
function rarestOf(texts: readonly string[], counts: ReadonlyMap<string, number>): string | undefined {
  const [first, ...others] = texts;
  return others.reduce(
    (rarest, text) => ((counts.get(text) ?? 0) < (counts.get(rarest ?? '') ?? 0) ? text : rarest),
    first,
  );
}

/** Whether `first` holds wherever `second` does. Says no where that cannot be known. */
export function shadows(first: Trigger, second: Trigger): boolean {
  const narrower = first.conditions.filter(
    ({ field, wanted }) => !second.conditions.some((other) => other.field === field && isPart(wanted, other.wanted)),
  );
  if (narrower.length > 0) return false;
  // Without the condition it starts at a text, with it at a result, and the later of the two wins.
  if (first.toolResult?.wanted !== second.toolResult?.wanted) return false;
  if (!first.needsText) return !second.needsText;
  if (!second.needsText) return false;
  if (first.text === second.text) return true;
  return second.literal !== undefined && first.find(second.text, second.literal) !== undefined;
}

/** Whether a value with `whole` in it always has `part` in it. Expressions are compared as they stand. */
function isPart(part: string, whole: string): boolean {
  return part === whole || (!part.startsWith('/') && whole.toLowerCase().includes(part.toLowerCase()));
}
