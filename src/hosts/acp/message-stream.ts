import { type AnyMessage, ndJsonStream } from '@agentclientprotocol/sdk';
import type { WriteText } from '../../app/terminal.ts';

/** The messages of a client, in both directions. */
export interface MessageStream {
  readonly readable: ReadableStream<AnyMessage>;
  readonly writable: WritableStream<AnyMessage>;
}

/** Maximum size of a message in bytes: a prompt with some pictures. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Messages as lines of JSON. A line that is not a message is answered with an error. `onClosed` is called when the client
 * has disconnected.
 */
export function messageStream(
  input: ReadableStream<Uint8Array>,
  write: WriteText,
  onClosed: () => void,
): MessageStream {
  const writeText = async (text: string): Promise<void> => {
    if (!(await write(text))) onClosed();
  };
  const decoder = new TextDecoder();
  // The library writes nothing here but the errors about lines that it cannot read.
  const problems = new WritableStream<Uint8Array>({ write: (bytes) => writeText(decoder.decode(bytes)) });
  const { readable } = ndJsonStream(problems, input, { maxMessageBytes: MAX_MESSAGE_BYTES });
  const writable = new WritableStream<AnyMessage>({ write: (message) => writeText(messageLine(message)) });
  return { readable, writable };
}

/** A message as a line. Half a surrogate pair, which strict readers of JSON refuse, becomes U+FFFD. */
export function messageLine(message: AnyMessage): string {
  const line = JSON.stringify(message, (_key, value: unknown) =>
    typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value,
  );
  return `${line}\n`;
}
