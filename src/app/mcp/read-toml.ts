/** A table of a TOML file. */
type Table = Record<string, unknown>;

const TOKENS = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|\n|[\w+:-]+|[[\]{},=.]/g;

/**
 * Reads the part of TOML that configurations of other agents use: tables, keys with dots, strings, lists, inline tables,
 * numbers and booleans. Of a list of tables, only the last one is kept; dates are texts. Throws `Error` for anything else.
 */
export function readToml(text: string): Table {
  const tokens = (text.match(TOKENS) ?? []).filter((token) => !token.startsWith('#'));
  let at = 0;
  const isNext = (token: string): boolean => tokens[at] === token;
  const skipLines = (): void => {
    while (isNext('\n')) at += 1;
  };
  const expectToken = (token: string): void => {
    if (!isNext(token)) throw new Error(`expected ${token} before ${tokens[at] ?? 'the end'}`);
    at += 1;
  };
  const readKey = (): readonly string[] => {
    const parts = [unquoted(tokens[at++] ?? '')];
    while (isNext('.')) {
      at += 1;
      parts.push(unquoted(tokens[at++] ?? ''));
    }
    return parts;
  };
  const setIn = (table: Table, key: readonly string[], value: unknown): void => {
    const last = key.at(-1) ?? '';
    tableAt(table, key.slice(0, -1))[last] = value;
  };
  const readPair = (table: Table): void => {
    const key = readKey();
    expectToken('=');
    setIn(table, key, readValue());
  };
  const readValue = (): unknown => {
    const token = tokens[at++] ?? '';
    if (token === '[' || token === '{') {
      const end = token === '[' ? ']' : '}';
      const [list, table]: [unknown[], Table] = [[], emptyTable()];
      for (skipLines(); !isNext(end); skipLines()) {
        if (token === '[') list.push(readValue());
        else readPair(table);
        skipLines();
        if (isNext(',')) at += 1;
        else if (!isNext(end)) expectToken(end);
      }
      at += 1;
      return token === '[' ? list : table;
    }
    if (/^["']/.test(token)) return unquoted(token);
    let word = token;
    while (at < tokens.length && /^(?:\.|[\w+:-]+)$/.test(tokens[at] ?? '')) word += tokens[at++];
    if (word === 'true' || word === 'false') return word === 'true';
    const number = Number(word.replaceAll('_', ''));
    return Number.isNaN(number) ? word : number;
  };
  const root = emptyTable();
  let current = root;
  for (skipLines(); at < tokens.length; skipLines()) {
    if (isNext('[')) {
      const depth = tokens[at + 1] === '[' ? 2 : 1;
      at += depth;
      const key = readKey();
      for (let level = 0; level < depth; level += 1) expectToken(']');
      if (depth === 2) setIn(root, key, emptyTable());
      current = tableAt(root, key);
    } else readPair(current);
    if (at < tokens.length) expectToken('\n');
  }
  return root;
}

// Without a prototype, which no key of a file can then change.
const emptyTable = (): Table => Object.create(null);

function tableAt(root: Table, path: readonly string[]): Table {
  return path.reduce<Table>((table, key) => {
    const inner = table[key];
    if (isTable(inner)) return inner;
    const created = emptyTable();
    table[key] = created;
    return created;
  }, root);
}

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function unquoted(token: string): string {
  if (/^("""|''')/.test(token)) return escapes(token.slice(3, -3).replace(/^\r?\n/, ''), token.startsWith('"'));
  return /^["']/.test(token) ? escapes(token.slice(1, -1), token.startsWith('"')) : token;
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' };

function escapes(text: string, isBasic: boolean): string {
  if (!isBasic) return text;
  return text.replaceAll(/\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|(.))/g, (_all, short, long, other) => {
    const code = short ?? long;
    return code === undefined ? (ESCAPES[other] ?? other) : String.fromCodePoint(Number.parseInt(code, 16));
  });
}
