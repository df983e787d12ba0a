import { type Function as FunctionNode, forEachChild, type SyntaxNode } from 'unbash';

/** True for a function that calls itself at least twice, side by side: in a pipeline or in the background. */
export function isForkBomb(definition: FunctionNode): boolean {
  const name = definition.name.value;
  let calls = 0;
  let sideBySide = false;
  const pending: SyntaxNode[] = [definition.body];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'Command' && node.name?.value === name) calls++;
    if (node.type === 'Pipeline' && node.commands.length > 1) sideBySide = true;
    if (node.type === 'Statement' && node.background === true) sideBySide = true;
    forEachChild(node, (child) => pending.push(child));
  }
  return calls > 1 && sideBySide;
}
