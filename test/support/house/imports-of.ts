import { parseSync } from 'rolldown/utils';

const importingNodes = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

/** Text in every source that imports in an expression, in a type or in another language, or that exports no name. */
const NEEDS_TREE = /\bimport\s*[^\s\w{*'"$]|\bexport\s*(?:type\s*)?\{\s*\}|^import [\w, ]+$/m;

/** The statements that import at the top level. The formatter puts each at the beginning of a line, with its semicolon. */
const STATEMENTS = /^(?:import\b|export\s+(?:type\s+)?[*{])[^;]*(?:;|$)/gm;

/** Imports by source, because several rules read the same files. */
const parsed = new Map<string, readonly (string | undefined)[]>();

/**
 * The modules that a TypeScript source imports: static, type-only, re-exported and dynamic. A computed name is
 * `undefined`.
 */
export function importsOf(source: string): readonly (string | undefined)[] {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  // Parsing whole files would take most of the time of these rules.
  const needsTree = NEEDS_TREE.test(source);
  const text = needsTree ? source : (source.match(STATEMENTS)?.join('\n') ?? '');
  const result = parseSync('source.ts', text, { lang: 'ts' });
  if (result.errors.length > 0) throw new Error(result.errors.map(({ message }) => message).join('\n'));
  const found: (string | undefined)[] = [];
  if (needsTree) visit(result.program);
  else found.push(...staticImports(result.module));
  parsed.set(source, found);
  return found;

  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    if (isImporting(node)) found.push(literalOf(node.source));
    for (const child of Object.values(node)) visit(child);
  }
}

function staticImports(module: ReturnType<typeof parseSync>['module']): readonly string[] {
  const imported = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  const exported = module.staticExports.map(({ entries: [entry] }) => entry?.moduleRequest?.value);
  return [...new Set([...imported, ...exported.filter((name) => name !== undefined)])];
}

function isImporting(node: object): node is { readonly source: object } {
  return (
    'type' in node &&
    typeof node.type === 'string' &&
    importingNodes.has(node.type) &&
    'source' in node &&
    typeof node.source === 'object' &&
    node.source !== null
  );
}

function literalOf(node: object): string | undefined {
  return 'value' in node && typeof node.value === 'string' ? node.value : undefined;
}
