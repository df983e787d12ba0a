import type { TestPage } from './web-page.ts';

/** A frame of an event stream. */
export interface StreamFrame {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Sends a request with the token of the page; a body makes it a POST. */
export function askPage(page: TestPage, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`${page.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${page.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
}

/** The frames of an event stream as they arrive. Leaving the loop ends the connection. */
export async function* framesOf(answer: Response): AsyncGenerator<StreamFrame, void, void> {
  if (!answer.ok || answer.body === null) throw new Error(`${answer.status}: ${await answer.text()}`);
  let rest = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield frameOf(part);
  }
}

/** Reads a stream until a frame for which `matches` is true, and returns all frames up to it. */
export async function readUntil(
  frames: AsyncIterable<StreamFrame>,
  matches: (frame: StreamFrame) => boolean,
): Promise<readonly StreamFrame[]> {
  const read: StreamFrame[] = [];
  for await (const frame of frames) {
    read.push(frame);
    if (matches(frame)) return read;
  }
  throw new Error(`the stream ended after ${JSON.stringify(read.at(-1))}`);
}

/** Reads a stream to its end. */
export async function readAll(frames: AsyncIterable<StreamFrame>): Promise<readonly StreamFrame[]> {
  const read: StreamFrame[] = [];
  for await (const frame of frames) read.push(frame);
  return read;
}

/** Sends a message and returns the frames of its answer. */
export async function chatOf(page: TestPage, message: string): Promise<readonly StreamFrame[]> {
  return readAll(framesOf(await askPage(page, '/chat', { message })));
}

function frameOf(text: string): StreamFrame {
  const fields = new Map(
    text.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const data: Readonly<Record<string, unknown>> = JSON.parse(fields.get('data') ?? '{}');
  return { event: fields.get('event') ?? 'message', id: fields.get('id'), data };
}
