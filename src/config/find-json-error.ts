/** Where a text stops being JSON, and why; never repeats more of the text than one character. */
export interface JsonError {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly reason: string;
}

type Expected = 'value' | 'value or ]' | 'name or }' | 'name' | ':' | ', or }' | ', or ]' | 'the end';

/** Finds the first place where `text` is no JSON. `undefined` when it is JSON; agrees with `JSON.parse` about that. */
export function findJsonError(text: string): JsonError | undefined {
  const space = /[ \t\n\r]*/y;
  const string = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
  const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
  const open: ('{' | '[')[] = [];
  let at = 0;
  let expected: Expected = 'value';

  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const length = pattern.exec(text)?.[0].length;
    at += length ?? 0;
    return length !== undefined;
  };
  const afterValue = (): Expected => {
    const inside = open.at(-1);
    return inside === undefined ? 'the end' : inside === '{' ? ', or }' : ', or ]';
  };
  const close = (): Expected => {
    open.pop();
    at += 1;
    return afterValue();
  };
  const enter = (bracket: '{' | '['): Expected => {
    open.push(bracket);
    at += 1;
    return bracket === '{' ? 'name or }' : 'value or ]';
  };
  const step = (): Expected | undefined => {
    const next = text[at];
    switch (expected) {
      case 'value or ]':
      case 'value':
        if (expected === 'value or ]' && next === ']') return close();
        if (next === '{' || next === '[') return enter(next);
        return take(string) || take(scalar) ? afterValue() : undefined;
      case 'name or }':
      case 'name':
        if (expected === 'name or }' && next === '}') return close();
        return take(string) ? ':' : undefined;
      case ':':
        if (next !== ':') return undefined;
        at += 1;
        return 'value';
      case ', or }':
      case ', or ]':
        if (next === expected.at(-1)) return close();
        if (next !== ',') return undefined;
        at += 1;
        return expected === ', or }' ? 'name' : 'value';
      case 'the end':
        return undefined;
    }
  };

  for (;;) {
    take(space);
    if (expected === 'the end' && at === text.length) return undefined;
    const next = step();
    if (next === undefined) return describe(text, at, expected);
    expected = next;
  }
}

function describe(text: string, at: number, expected: Expected): JsonError {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: at - before.lastIndexOf('\n'), reason: reasonOf(text, at, expected) };
}

function reasonOf(text: string, at: number, expected: Expected): string {
  const next = text[at];
  if (next === undefined) return `it ends where ${wanted(expected)} is expected`;
  if (next === '/' || next === '#') return 'JSON has no comments';
  if (next === "'") return 'texts stand in double quotes';
  if (next === '"' && (expected === ', or }' || expected === ', or ]')) return 'a comma is missing';
  if (next === '"' && expected !== ':' && expected !== 'the end') {
    return 'this text does not end, or holds an escape that JSON does not have';
  }
  if ((next === '}' && expected === 'name') || (next === ']' && expected === 'value'))
    return 'there is a comma too many';
  return `expected ${wanted(expected)}, found ${JSON.stringify(next)}`;
}

function wanted(expected: Expected): string {
  switch (expected) {
    case 'value':
      return 'a value';
    case 'value or ]':
      return 'a value or ]';
    case 'name':
      return 'a name in double quotes';
    case 'name or }':
      return 'a name in double quotes or }';
    case 'the end':
      return 'the end of the file';
    case ':':
    case ', or }':
    case ', or ]':
      return expected;
  }
}
