/** How many letters of a name may be wrong, as a part of its length. */
const WRONG_PART = 0.34;
const MIN_PREFIX = 3;

/** What others call a field, or what comes to mind first. */
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

/** The one of `names` that `given` is most likely meant to be: a slip of the pen away, or the longer form of it. Pure. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
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
    const slips = isShort ? 1 : slipsBetween(wanted, known);
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

/** Letters that are missing, too many, wrong or swapped with their neighbours. */
function slipsBetween(left: string, right: string): number {
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1];
      const isSwapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      next[j] = Math.min(
        at(row, j) + 1,
        at(next, j - 1) + 1,
        at(row, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = row;
    row = next;
  }
  return at(row, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
