/** A part of a regular expression, as far as a text is made of it. */
type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'sequence'; readonly parts: readonly Part[] }
  | { readonly type: 'repeat'; readonly part: Part; readonly least: number; readonly most: number };

/** Longer patterns and longer texts are not worth the work. */
const MAX_PATTERN = 1000;
const MAX_LENGTH = 10_000;
/** Tried for a class of characters: pleasant ones first, then all of ASCII that can be printed. */
const CHARACTERS = `aA01-_ .${Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')}é漢`;
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', '0': '\0' };

/**
 * A short text that matches the pattern of a JSON Schema, at least `least` characters long if the pattern allows it.
 * The pattern is read, never run, so that no pattern can take long. Nothing for one that is none, that looks ahead, or
 * that refers back. Pure and total.
 */
export function instanceOfPattern(pattern: string, least = 0): string | undefined {
  if (pattern.length > MAX_PATTERN || compile(pattern) === undefined) return undefined;
  const reader = new PatternReader(pattern);
  const part = reader.readChoice();
  if (reader.isBeyond || lengthOf(part) > MAX_LENGTH) return undefined;
  const missing = Math.min(least, MAX_LENGTH) - lengthOf(part);
  const text = render(part, { missing });
  // What follows an open end may be anything.
  return pattern.endsWith('$') ? text : text.padEnd(Math.min(least, MAX_LENGTH), '.');
}

class PatternReader {
  /** Whether something was met that cannot be made. */
  isBeyond = false;
  readonly #pattern: string;
  #position = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** The first of the alternatives. */
  readChoice(): Part {
    const first = this.#readSequence();
    while (this.#skip('|')) this.#readSequence();
    return first;
  }

  #readSequence(): Part {
    const parts: Part[] = [];
    while (this.#position < this.#pattern.length && !'|)'.includes(this.#peek())) {
      parts.push(this.#readQuantified());
    }
    return { type: 'sequence', parts };
  }

  #readQuantified(): Part {
    const part = this.#readAtom();
    const [all = '', sign, least, comma, most] = this.#match(/([*+?])\??|\{(\d{1,9})(,?)(\d{0,9})\}\??/y) ?? [];
    this.#position += all.length;
    if (all === '') return part;
    if (sign !== undefined) {
      return { type: 'repeat', part, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : MAX_LENGTH };
    }
    const fewest = Number(least);
    return { type: 'repeat', part, least: fewest, most: comma === '' ? fewest : Number(most || MAX_LENGTH) };
  }

  #readAtom(): Part {
    const character = this.#take();
    switch (character) {
      case '^':
      case '$':
        return text('');
      case '.':
        return text('a');
      case '(':
        return this.#readGroup();
      case '[':
        return this.#readClass();
      case '\\':
        return this.#readEscape();
      default:
        return text(character);
    }
  }

  #readGroup(): Part {
    const [opening = ''] = this.#match(/\?(?:[ims]*(?:-[ims]*)?:|<?[=!]|<[^>]*>)/y) ?? [];
    this.#position += opening.length;
    const part = this.readChoice();
    this.#skip(')');
    if (opening.endsWith('=')) this.isBeyond = true;
    return opening.endsWith('!') ? text('') : part;
  }

  #readClass(): Part {
    const start = this.#position - 1;
    while (this.#take() !== ']') if (this.#pattern[this.#position - 1] === '\\') this.#take();
    return this.#oneOf(this.#pattern.slice(start, this.#position));
  }

  #readEscape(): Part {
    const [code] = this.#match(/u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}/iy) ?? [];
    if (code !== undefined) {
      this.#position += code.length;
      return text(String.fromCodePoint(Number.parseInt(code.replace(/^.\{?/, ''), 16)));
    }
    const character = this.#take();
    if (/[1-9kc]/.test(character)) this.isBeyond = true;
    if (/[bB]/.test(character)) return text('');
    if (!/[dDwWsSpP]/.test(character)) return text(CONTROLS[character] ?? character);
    const [property = ''] = (/[pP]/.test(character) && this.#match(/\{[^}]*\}/y)) || [];
    this.#position += property.length;
    return this.#oneOf(`\\${character}${property}`);
  }

  /** A character that a class of one has; its own signs are candidates, too. */
  #oneOf(source: string): Part {
    const expression = compile(`^${source}$`);
    const found = [...CHARACTERS, ...source].find((character) => expression?.test(character));
    if (found === undefined) this.isBeyond = true;
    return text(found ?? '');
  }

  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#position;
    return expression.exec(this.#pattern);
  }

  #peek(): string {
    return this.#pattern.charAt(this.#position);
  }

  /** One character, whatever its length. */
  #take(): string {
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#position) ?? 0);
    this.#position += character.length;
    return character;
  }

  #skip(character: string): boolean {
    const isThere = this.#peek() === character;
    if (isThere) this.#position++;
    return isThere;
  }
}

function text(value: string): Part {
  return { type: 'text', text: value };
}

function compile(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // Older patterns are sound without the flag only.
    }
  }
  return undefined;
}

/** Of the shortest text; one more than the most that is made where it is longer. */
function lengthOf(part: Part): number {
  switch (part.type) {
    case 'text':
      return part.text.length;
    case 'sequence':
      return part.parts.reduce((sum, each) => sum + lengthOf(each), 0);
    case 'repeat':
      return Math.min(part.least * lengthOf(part.part), MAX_LENGTH + 1);
    default:
      return part satisfies never;
  }
}

/** Whatever may be repeated is, until nothing is `missing`. */
function render(part: Part, spare: { missing: number }): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'sequence':
      return part.parts.map((each) => render(each, spare)).join('');
    case 'repeat': {
      const length = lengthOf(part.part);
      const wanted = length === 0 || length > MAX_LENGTH ? 0 : Math.ceil(Math.max(spare.missing, 0) / length);
      const more = Math.max(Math.min(wanted, part.most - part.least), 0);
      spare.missing -= more * length;
      const times = part.least + more;
      return times === 0 ? '' : render(part.part, { missing: 0 }).repeat(times);
    }
    default:
      return part satisfies never;
  }
}
