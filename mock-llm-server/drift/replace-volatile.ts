import vm from 'node:vm';
import type { VolatileText } from '../scenario/lock/prompt-lock.ts';
import type { NormalizePart } from './prompt-parts.ts';

/** A pattern of a lock took too long. The message names its entry. */
export class SlowPatternError extends Error {
  override readonly name = 'SlowPatternError';
  readonly entry: VolatileText;

  constructor(entry: VolatileText, part: string, seconds: number) {
    super(
      `The volatile pattern "${entry.name}", ${entry.pattern}, took more than ${seconds} s in ${part}. Write one ` +
        'without nested repetitions, or a "text", into prompt.lock.json.',
    );
    this.entry = entry;
  }
}

/** Time that the patterns of a lock may take in one part. Patterns without catastrophic backtracking take microseconds. */
const LIMIT_MS = 2000;

/**
 * A function that replaces the volatile texts of a part by their names, in the order of the entries. It throws a
 * `SlowPatternError` if the patterns take more than `limitMs`, and again for every later text, without trying.
 */
export function replaceVolatile(entries: readonly VolatileText[], limitMs = LIMIT_MS): NormalizePart {
  const compiled = entries.map((entry) => {
    const { text, pattern } = entry;
    return { entry, searched: text ?? new RegExp(pattern ?? '(?!)', 'gmu'), name: `<${entry.name}>` };
  });
  let slow: SlowPatternError | undefined;
  return (text, part) => {
    if (slow !== undefined) throw slow;
    const concerned = compiled.filter(({ entry }) => concerns(entry, part));
    const [first] = concerned;
    if (first === undefined) return text;
    let current = first;
    const replaceAll = (): string => {
      let replaced = text;
      for (current of concerned) {
        const { searched, name } = current;
        // A function, because `$` has a meaning in a replacement.
        replaced = replaced.replaceAll(searched, () => name);
      }
      return replaced;
    };
    if (concerned.every(({ searched }) => typeof searched === 'string')) return replaceAll();
    try {
      return runLimited(replaceAll, limitMs);
    } catch {
      // Nothing else can fail.
      slow = new SlowPatternError(current.entry, part, limitMs / 1000);
      throw slow;
    }
  };
}

/** True if a part has this name or is of the kind that this name stands for: `tool result 2` is a `tool result`. */
function concerns(entry: VolatileText, part: string): boolean {
  return entry.part === undefined || part === entry.part || part.startsWith(`${entry.part} `);
}

/** Calls of functions with a time limit, which ends regular expressions, too; created with the first one. */
let limited: { readonly context: vm.Context; readonly script: vm.Script } | undefined;

function runLimited(act: () => string, timeout: number): string {
  limited ??= { context: vm.createContext({}), script: new vm.Script('act()') };
  const { context, script } = limited;
  context['act'] = act;
  return String(script.runInContext(context, { timeout }));
}
