import { type ParsedScript, parse, type SyntaxNode } from 'unbash';

/**
 * The text of the command whose exit code is that of a whole command line: the last one, unless something changes its
 * code. After `&&`, the failure of an earlier command counts as one of the last. Empty if there is none, as in `a || b`,
 * in `a &` and for `a` in `a | b`; with `pipefail`, all commands of the pipeline.
 */
export function findDecidingCommands(
  source: string,
  parser: (source: string) => ParsedScript = parse,
): readonly string[] {
  try {
    const script = parser(source);
    const found = script.errors === undefined ? findIn(script, PIPEFAIL.test(source)) : [];
    return found.map(({ pos, end }) => source.slice(pos, end));
  } catch {
    // The parser is a library and may throw anything.
    return [];
  }
}

/** A script that begins with it fails if any part of a pipeline fails. */
const PIPEFAIL = /^\s*set\s+-\w*o\s+pipefail\b/;

function findIn(node: SyntaxNode, pipefail: boolean): readonly SyntaxNode[] {
  const findInLast = (nodes: readonly SyntaxNode[]): readonly SyntaxNode[] =>
    nodes.slice(-1).flatMap((last) => findIn(last, pipefail));
  switch (node.type) {
    case 'Command':
      return [node];
    case 'Script':
    case 'CompoundList':
      return findInLast(node.commands);
    case 'Statement':
      return node.background === true ? [] : findIn(node.command, pipefail);
    case 'Redirected':
      return findIn(node.command, pipefail);
    case 'Subshell':
    case 'BraceGroup':
      return findIn(node.body, pipefail);
    case 'AndOr':
      return node.operators.includes('||') ? [] : findInLast(node.commands);
    case 'Pipeline':
      if (node.prefixes.some(({ type }) => type === 'Negation')) return [];
      return pipefail ? node.commands.flatMap((each) => findIn(each, pipefail)) : findInLast(node.commands);
    default:
      return [];
  }
}
