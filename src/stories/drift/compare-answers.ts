import type { AssistantMessage } from '../../agent/ports/messages.ts';
import { escapeForTerminal, escapeLine } from '../../text/escape.ts';

/** An answer of a model with its title in a comparison. */
export interface TitledAnswer {
  readonly title: string;
  readonly message: Pick<AssistantMessage, 'content' | 'toolCalls'>;
}

/** Width of one of the two columns. */
const COLUMN = 57;

/** Two answers side by side, line by line; a `|` between the columns marks lines that differ. Ends with a line break. */
export function compareAnswers(left: TitledAnswer, right: TitledAnswer): string {
  const [one, other] = [rowsOf(left), rowsOf(right)];
  const rows = Array.from({ length: Math.max(one.length, other.length) }, (_, index) => {
    const [before = '', after = ''] = [one[index], other[index]];
    const mark = before === after ? ' ' : '|';
    return `${before.padEnd(COLUMN)} ${mark} ${after}`.trimEnd();
  });
  const head = `${cut(left.title).padEnd(COLUMN)}   ${cut(right.title)}`;
  return `${[head, `${'─'.repeat(COLUMN)}   ${'─'.repeat(COLUMN)}`, ...rows].join('\n')}\n`;
}

function rowsOf({ message: { content, toolCalls } }: TitledAnswer): readonly string[] {
  const calls = toolCalls.map((call) => `→ ${call.name} ${call.arguments}`);
  return escapeForTerminal([content, ...calls].filter((text) => text !== '').join('\n'))
    .split('\n')
    .flatMap(wrap);
}

/** The pieces of a line that fit into a column, split between words if possible. */
function wrap(line: string): readonly string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > COLUMN) {
    const space = rest.lastIndexOf(' ', COLUMN);
    const end = space > 0 ? space : COLUMN;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...pieces, rest];
}

function cut(title: string): string {
  return escapeLine(title).slice(0, COLUMN);
}
