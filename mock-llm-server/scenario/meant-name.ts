import { editDistance } from './edit-distance.ts';

/** How many letters of a name may be wrong, as a part of its length. */
const WRONG_PART = 0.34;
const MIN_PREFIX = 3;

/** What others call a field of a scenario, or what comes to mind first. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  args: ['arguments'],
  input: ['arguments'],
  parameters: ['arguments'],
  text: ['content'],
  message: ['content'],
  thinking: ['reasoning'],
  tools: ['tool_calls'],
  tool: ['name'],
  match: ['trigger'],
  prompt: ['trigger', 'prompts'],
  error: ['fault'],
  delay: ['timing', 'time_to_first_token_ms'],
};

/**
 * The one of `names` that `given` is meant to be: a slip of the pen away, or the longer form of it; nothing where none
 * is near. Pure.
 */
export function meantName(given: string, names: readonly string[]): string | undefined {
  const wanted = plain(given);
  const other = (Object.hasOwn(OTHER_NAMES, wanted) ? OTHER_NAMES[wanted] : undefined)?.find((name) =>
    names.includes(name),
  );
  if (other !== undefined) return other;
  let nearest: string | undefined;
  let best = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const known = plain(name);
    const isShort = wanted.length >= MIN_PREFIX && known.startsWith(wanted);
    const slips = isShort ? 1 : editDistance([...wanted], [...known]);
    if (slips < best && slips <= Math.max(1, Math.floor(known.length * WRONG_PART))) {
      best = slips;
      nearest = name;
    }
  }
  return nearest;
}

/** Names in another style are the same. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '');
}
