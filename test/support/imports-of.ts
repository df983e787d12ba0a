import { parseAst } from 'rolldown/parseAst';

const importingNodes = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

/** Imports by source, because several rules read the same files. */
const parsed = new Map<string, readonly (string | undefined)[]>();

/**
 * The modules that a TypeScript source imports: static, type-only, re-exported and dynamic. A computed name is
 * `undefined`.
 */
export function importsOf(source: string): readonly (string | undefined)[] {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  const found: (string | undefined)[] = [];
  visit(parseAst(source, { lang: 'ts' }));
  parsed.set(source, found);
  return found;

  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    if (isImporting(node)) found.push(literalOf(node.source));
    for (const child of Object.values(node)) visit(child);
  }
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
