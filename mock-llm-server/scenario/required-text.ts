const PLAIN = /[A-Za-z0-9 _,:'"!@#%&=;~`<>/-]/;

/**
 * The longest plain text that everything contains, in upper or lower case, in which a regular expression finds
 * something; it stands in the expression as it is. Nothing where there is none, or where telling would take a parser.
 * Pure.
 */
export function requiredText(source: string, flags: string): string | undefined {
  // Other letters than those of ASCII can stand for one with these.
  if (/[uv]/.test(flags)) return undefined;
  const runs: string[] = [];
  let run = '';
  let depth = 0;
  let inClass = false;
  const end = (): void => {
    runs.push(run);
    run = '';
  };
  for (let place = 0; place < source.length; place++) {
    const character = source.charAt(place);
    if (depth === 0 && !inClass && PLAIN.test(character)) {
      run += character;
      continue;
    }
    // What may be missing is not required.
    if ('*?{'.includes(character)) run = run.slice(0, -1);
    end();
    if (character === '\\') place = skipEscape(source, place);
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '{') place += (/^\{\d+,?\d*\}/.exec(source.slice(place, place + 80))?.[0].length ?? 1) - 1;
    else if (!inClass && character === '(') depth += 1;
    else if (!inClass && character === ')') depth -= 1;
    else if (!inClass && character === '|' && depth === 0) return undefined;
  }
  end();
  const longest = runs.reduce((best, one) => (one.length > best.length ? one : best), '');
  return longest === '' ? undefined : longest;
}

/** The place of the last character of an escape, with the digits or the name that belong to it. */
function skipEscape(source: string, place: number): number {
  const whole = /^\\(?:c[A-Za-z]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|k<[^>]*>|\d+|[\s\S])/.exec(
    source.slice(place, place + 80),
  );
  return place + (whole?.[0].length ?? 1) - 1;
}
