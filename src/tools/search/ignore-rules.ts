import ignore from 'ignore';

/**
 * What `.gitignore` files say of the paths beneath one directory, the base. Paths are relative to the base, with `/`;
 * '' is the base itself. Immutable: `extend` returns the rules that hold one directory further down.
 */
export class IgnoreRules {
  readonly #rules: ignore.Ignore | undefined;
  readonly #ignoreCase: boolean;

  private constructor(rules: ignore.Ignore | undefined, ignoreCase: boolean) {
    this.#rules = rules;
    this.#ignoreCase = ignoreCase;
  }

  /** Rules that ignore nothing. */
  static none(options: { readonly ignoreCase: boolean }): IgnoreRules {
    return new IgnoreRules(undefined, options.ignoreCase);
  }

  /** True when a rule ignores this path, or a directory it lies in. */
  isIgnored(path: string, kind: 'directory' | 'other'): boolean {
    return this.#rules?.ignores(kind === 'directory' ? `${path}/` : path) ?? false;
  }

  /** Adds the text of the `.gitignore` of a directory; its rules win over those there were before. */
  extend(directory: string, text: string): IgnoreRules {
    const rules = ignore({ ignorecase: this.#ignoreCase, allowRelativePaths: true });
    if (this.#rules !== undefined) rules.add(this.#rules);
    for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) rules.add(moveRule(line, directory));
    return new IgnoreRules(rules, this.#ignoreCase);
  }
}

/** The same rule as the base directory's `.gitignore` would have to say it. */
function moveRule(line: string, directory: string): string {
  if (directory === '' || line.startsWith('#')) return line;
  const rule = line.replace(/(?<!\\)\s+$/, '');
  const [sign, pattern] = rule.startsWith('!') ? ['!', rule.slice(1)] : ['', rule];
  if (pattern === '') return '';
  const anchored = pattern.slice(0, -1).includes('/');
  const prefix = `${sign}/${directory.replaceAll(/[\\*?[\]!# ]/g, '\\$&')}`;
  return anchored ? `${prefix}/${pattern.replace(/^\//, '')}` : `${prefix}/**/${pattern}`;
}
