/** A token. `normal` ones are in the byte-level encoding; others are never part of a text, and `unused` ones hidden. */
export interface Token {
  readonly text: string;
  readonly type: 'normal' | 'control' | 'unused';
}

/** Tokens by their index and by their texts, which are unique. */
export class Vocabulary {
  readonly #tokens: Token[] = [];
  readonly #indexes = new Map<string, number>();

  /** The token with this text, which is added if there is none. */
  add(text: string, type: Token['type']): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    const index = this.#tokens.push({ text, type }) - 1;
    this.#indexes.set(text, index);
    return index;
  }

  /** The index of a text, if it is a token. */
  find(text: string): number | undefined {
    return this.#indexes.get(text);
  }

  get tokens(): readonly Token[] {
    return this.#tokens;
  }
}
