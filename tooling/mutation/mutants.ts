import { parseAst } from 'rolldown/parseAst';

/** One small change of a source: the text from `start` to `end` becomes `replacement`. */
export interface Mutant {
  /** A row is an entry of a table; an operator is any other part of an expression or statement. */
  readonly kind: 'row' | 'operator';
  /** Describes the change without line numbers, so that it stays the same when other lines move. Unique in the file. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Context of a node: the declaration around it. `inTable`: the node is part of a constant of the module. */
interface Place {
  readonly owner: string;
  readonly inTable: boolean;
}

const BINARY: Readonly<Record<string, string>> = {
  ...{ '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' },
  ...{ '&&': '||', '||': '&&', '??': '&&', '+=': '-=', '-=': '+=' },
};
const METHODS: Readonly<Record<string, string>> = {
  ...{ some: 'every', every: 'some', startsWith: 'endsWith', endsWith: 'startsWith', min: 'max', max: 'min' },
  ...{ toLowerCase: 'toString', trim: 'toString', trimEnd: 'toString', at: 'indexOf' },
};
const MAX_TEXT = 70;

/** The source with the change. */
export function mutate(source: string, { start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

/** All mutants of a TypeScript source, in the order of their positions. */
export function mutantsOf(source: string): readonly Mutant[] {
  const found: Mutant[] = [];
  const names = new Map<string, number>();

  const add = (kind: Mutant['kind'], { owner }: Place, node: Node, change: Omit<Mutant, 'kind' | 'name'>): void => {
    const { start, end, replacement } = change;
    const after = source.slice(node.start, start) + replacement + source.slice(end, node.end);
    const text =
      kind === 'row' ? `delete ${shorten(source.slice(node.start, node.end))}` : `${textOf(node)} → ${shorten(after)}`;
    const name = `${owner}: ${text}`;
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    found.push({ ...change, kind, name: count === 1 ? name : `${name} (${count})` });
  };
  const textOf = (node: Node): string => shorten(source.slice(node.start, node.end));
  const replace = (node: Node, place: Place, part: Node, replacement: string): void =>
    add('operator', place, node, { start: part.start, end: part.end, replacement });

  /** Deletes each of several neighbours together with the separator before or after it. */
  const addRows = (rows: readonly Node[], place: Place): void => {
    for (const [index, row] of rows.entries()) {
      const next = rows[index + 1];
      const previous = rows[index - 1];
      const start = next === undefined && previous !== undefined ? previous.end : row.start;
      add('row', place, row, { start, end: next?.start ?? row.end, replacement: '' });
    }
  };

  const addOperators = (node: Node, place: Place): void => {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression': {
        const [left, right] = [node['left'], node['right']];
        const operator = String(node['operator']);
        const other = BINARY[operator];
        if (other === undefined || !isNode(left) || !isNode(right)) return;
        const start = source.indexOf(operator, left.end);
        add('operator', place, node, { start, end: start + operator.length, replacement: other });
        return;
      }
      case 'UnaryExpression':
        if (node['operator'] === '!' && isNode(node['argument'])) {
          add('operator', place, node, { start: node.start, end: node['argument'].start, replacement: '' });
        }
        return;
      case 'IfStatement':
      case 'ConditionalExpression':
        if (!isNode(node['test'])) return;
        for (const value of ['true', 'false']) replace(node['test'], place, node['test'], value);
        return;
      case 'WhileStatement':
        if (isNode(node['test'])) replace(node['test'], place, node['test'], 'false');
        return;
      case 'ExpressionStatement':
        replace(node, place, node, ';');
        return;
      case 'Literal':
        addLiteral(node, place);
        return;
      case 'MemberExpression': {
        const property = node['property'];
        if (!isNode(property) || node['computed'] === true) return;
        const other = METHODS[source.slice(property.start, property.end)];
        if (other !== undefined) replace(node, place, property, other);
        return;
      }
    }
  };

  const addLiteral = (node: Node, place: Place): void => {
    const value = node['value'];
    if (typeof value === 'boolean') replace(node, place, node, String(!value));
    if (typeof value === 'number') replace(node, place, node, String(value + 1));
    if (typeof value === 'string') replace(node, place, node, value === '' ? "'mutated'" : "''");
    if (node['regex'] !== undefined) addAlternatives(node, place);
  };

  /** Deletes each alternative of the groups of a regular expression that contain no other group. */
  const addAlternatives = (node: Node, place: Place): void => {
    const pattern = source.slice(node.start, node.end);
    for (const group of pattern.matchAll(/\((?:\?:)?([^()[\]]*\|[^()[\]]*)\)/g)) {
      let start = node.start + group.index + group[0].lastIndexOf(group[1] ?? '');
      const rows: Node[] = [];
      for (const alternative of (group[1] ?? '').split('|')) {
        rows.push({ type: 'Alternative', start, end: start + alternative.length });
        start += alternative.length + 1;
      }
      addRows(rows, place);
    }
  };

  const visit = (node: Node, place: Place): void => {
    if (isType(node)) return;
    const inside = placeWithin(node, place);
    const rows = node['elements'] ?? node['properties'];
    const isList = node.type === 'ArrayExpression' || node.type === 'ObjectExpression';
    if (isList && Array.isArray(rows) && (inside.inTable || isWordList(rows))) addRows(rows.filter(isNode), inside);
    addOperators(node, inside);
    for (const [key, child] of Object.entries(node)) {
      if (isSkipped(node, key)) continue;
      for (const part of Array.isArray(child) ? child : [child]) if (isNode(part)) visit(part, inside);
    }
  };
  const program: unknown = parseAst(source, { lang: 'ts' });
  if (isNode(program)) visit(program, { owner: 'module', inTable: true });
  return found.sort((left, right) => left.start - right.start);
}

/** The name of the declaration that a node begins, and whether its parts still belong to a constant of the module. */
function placeWithin(node: Node, place: Place): Place {
  const isFunction = /Function|MethodDefinition|Class/.test(node.type);
  const inTable = place.inTable && !isFunction;
  const id = node['id'] ?? (node.type === 'MethodDefinition' ? node['key'] : undefined);
  const name = isNode(id) && typeof id['name'] === 'string' ? id['name'] : undefined;
  const isDeclaration = isFunction || (node.type === 'VariableDeclarator' && place.inTable);
  return { owner: isDeclaration && name !== undefined ? name : place.owner, inTable };
}

/** True for a list of words in a function, such as `['sh', 'bash'].includes(name)`. */
function isWordList(rows: readonly unknown[]): boolean {
  return rows.length > 1 && rows.every((row) => isNode(row) && row.type === 'Literal');
}

/** Types, which have no effect when the program runs. Expressions with a type are not types. */
function isType({ type }: Node): boolean {
  return type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(type);
}

/** Names of modules and of properties. */
function isSkipped(node: Node, key: string): boolean {
  if (/^(Import|Export(All|Named)Declaration$)/.test(node.type) && key === 'source') return true;
  if (node.type === 'ImportDeclaration') return true;
  return (node.type === 'Property' || node.type === 'MethodDefinition') && key === 'key';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
}
