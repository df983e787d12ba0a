import { BLOCK_PIECES } from './blocks.ts';
import { ANSWER, PIECE, PIECES, type Request, type RequestKind, type Workload } from './workloads.ts';

/** An answer of the bare server: its content type, and the texts that it writes one by one. */
interface CapturedAnswer {
  readonly type: string;
  readonly writes: readonly string[];
}

/** The answers of the bare server, by the path and query of the request. */
export type CapturedAnswers = Record<string, Partial<Record<'plain' | 'stream', CapturedAnswer>>>;

/** Captures one answer of each kind from the server at `port`, so that the bare server answers with the same bytes. */
export async function captureAnswers(port: number, workloads: readonly Workload[]): Promise<CapturedAnswers> {
  const answers: CapturedAnswers = {};
  for (const { requests } of workloads) {
    for (const kind of ['plain', 'stream'] as const) {
      const { type, text } = await fetchAnswer(port, requests[kind]);
      const writes = kind === 'stream' ? frames(type, text) : [text];
      answers[requests[kind].path] = { ...answers[requests[kind].path], [kind]: { type, writes } };
    }
  }
  return answers;
}

/** Throws an error unless the server at `port` answers each request of a workload with the text of the bench. */
export async function checkAnswers(port: number, { protocol, requests }: Workload): Promise<void> {
  for (const kind of ['plain', 'agent', 'stream'] as const) {
    const { text } = await fetchAnswer(port, requests[kind]);
    if (!isExpected(kind, text)) throw new Error(`${protocol}, ${kind}: port ${port} answered ${text.slice(0, 500)}`);
  }
}

/** Throws an error unless the server at `port` answers with all words of a block. */
export async function checkBlock(port: number, kind: string, request: Request): Promise<void> {
  const { text } = await fetchAnswer(port, request);
  const words = text.split(PIECE.trim()).length - 1;
  if (words < BLOCK_PIECES) throw new Error(`${kind}: ${words} words: ${text.slice(0, 500)}`);
}

async function fetchAnswer(port: number, { path, body }: Request): Promise<{ type: string; text: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: body.join('10000000 capture'),
  });
  return { type: response.headers.get('content-type') ?? '', text: await response.text() };
}

function isExpected(kind: RequestKind, text: string): boolean {
  return kind === 'stream' ? text.split(PIECE).length > PIECES : text.includes(ANSWER);
}

/** The frames of a stream, each with the line breaks that end it. */
function frames(type: string, text: string): readonly string[] {
  return text.match(type.startsWith('text/event-stream') ? /[\s\S]*?\r?\n\r?\n/g : /.*\n/g) ?? [];
}
