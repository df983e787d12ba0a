/** Options of one meaning: letters, and whole names. */
export interface OptionNames {
  readonly short?: string | undefined;
  readonly long?: string | undefined;
}

/** True for a word with one of the letters, also joined to others, or with a name, also shortened. */
export function hasOption(text: string, { short = '', long = '' }: OptionNames): boolean {
  if (text.startsWith('--')) {
    const [name = ''] = text.slice(2).split('=');
    return name !== '' && long.split(' ').some((each) => each.startsWith(name));
  }
  return /^-[a-zA-Z0-9]/.test(text) && [...text.slice(1)].some((letter) => short.includes(letter));
}

/** True if these words are the first ones, apart from options, each with at most one value. */
export function follows(wanted: readonly string[], texts: readonly string[]): boolean {
  let reached: ReadonlySet<number> = new Set([0]);
  for (const word of wanted) {
    const next = new Set<number>();
    for (const start of reached) {
      for (const index of beyondOptions(texts, start)) {
        if (texts[index] === word) next.add(index + 1);
      }
    }
    reached = next;
  }
  return reached.size > 0;
}

/** The places where the first operand may be: an option may have a value in the next word. */
function beyondOptions(texts: readonly string[], start: number): ReadonlySet<number> {
  const found = new Set<number>([start]);
  for (const index of found) {
    if (texts[index]?.startsWith('-') !== true) continue;
    found.add(index + 1);
    if (texts[index]?.includes('=') !== true) found.add(index + 2);
  }
  return found;
}
