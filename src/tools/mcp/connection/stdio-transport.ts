import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { jsonObjectIn } from '../../../text/json/json.ts';
import type { ServerProcess, ServerProgram, StartServer } from '../settings.ts';
import { failedAnswer, idIn, Pending, readMessages, TOO_LARGE } from './read-messages.ts';
import type { Heard } from './server-log.ts';

/** The most characters that are told of a line. */
const MAX_LINE = 1_000;

/** The transport of the library over the process of a server. What is no message of the protocol is told to `heard`. */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  // By these the library knows that silence means an older server here, and not an outage.
  readonly stderr = null;
  readonly pid = null;
  readonly #start: StartServer;
  readonly #program: ServerProgram;
  readonly #heard: Heard;
  readonly #pending = new Pending();
  #process: ServerProcess | undefined;
  #isClosed = false;

  constructor(start: StartServer, program: ServerProgram, heard: Heard) {
    this.#start = start;
    this.#program = program;
    this.#heard = heard;
    this.#pending.discovered = (result) => heard.discovered(result);
  }

  async start(): Promise<void> {
    this.#process = await this.#start(this.#program, {
      line: (text) => this.#receive(text, readMessages(text, this.#pending)),
      tooLong: (head, tail) => {
        const id = idIn(head, this.#pending) ?? idIn(tail, this.#pending);
        this.#receive(head, id === undefined ? undefined : [failedAnswer(id, TOO_LARGE, this.#pending)]);
      },
      stderr: (text) => this.#heard.log.addStderr(text),
      ended: (reason) => {
        this.#heard.log.ended = reason;
        this.#closed();
      },
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('the server has ended');
    if ('method' in message && 'id' in message && message.id !== undefined) {
      this.#pending.set(message.id, message.method);
      this.#pending.isLate = message.method !== 'server/discover';
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      // Its answer may come all the same, and is then for nobody.
      const { requestId } = jsonObjectIn(JSON.stringify(message.params));
      if (typeof requestId === 'string' || typeof requestId === 'number') this.#pending.delete(requestId);
    }
    this.#process?.write(JSON.stringify(message));
  }

  async close(): Promise<void> {
    await this.#process?.end();
    this.#closed();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  #receive(text: string, messages: readonly JSONRPCMessage[] | undefined): void {
    if (messages === undefined) this.#heard.log.addStray(text.slice(0, MAX_LINE));
    for (const message of messages ?? []) this.onmessage?.(message);
  }
}
