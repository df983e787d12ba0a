/** The words that are scripts of `sed` and `awk`: the values of `-e`, or the first operand. */
export function scriptsIn(texts: readonly string[]): readonly string[] {
  const given = texts.flatMap((text, index) => {
    const long = /^--expression=(.*)$/s.exec(text)?.[1];
    if (long !== undefined) return [long];
    return /^(?:-[a-zA-Z]*e|--expression)$/.test(text) ? texts.slice(index + 1, index + 2) : [];
  });
  const first = texts.find(
    (text, index) => !text.startsWith('-') && texts[index - 1] !== '-v' && texts[index - 1] !== '-F',
  );
  return given.length > 0 || first === undefined ? given : [first];
}

/** The operands, without the values of options of one letter. */
export function operandsOf(texts: readonly string[], values: RegExp): readonly string[] {
  return texts.filter((text, index) => /^(?!-.)/.test(text) && !values.test(texts[index - 1] ?? ''));
}
