import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject, jsonObjectIn } from '../../../text/json/json.ts';
import type { ServerProcess, ServerProgram, StartServer } from '../settings.ts';
import { failedAnswer, type Id, idIn, type Pending, readMessages, TOO_LARGE } from './read-messages.ts';

/** The most characters that are told of a line. */
const MAX_LINE = 1_000;

/** The maximum number of characters of a message that is written over several lines. */
const MAX_OPEN = 10 * 1024 * 1024;

/** Listener of what a server says besides the protocol. */
export interface Heard {
  stray(text: string): void;
  stderr(text: string): void;
  /** Its process has ended; `reason` is for people. */
  ended(reason: string): void;
  /** The server has answered the question for its revisions, perhaps after the library has ceased to wait. */
  discovered(result: JsonObject): void;
  /** Aborts when the session ends. */
  readonly over: AbortSignal;
}

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
  readonly #pending: Pending = new Map();
  #question: Id | undefined;
  /** The library no longer waits for the answer to the question. */
  #isLate = false;
  #process: ServerProcess | undefined;
  /** The lines so far of a message that its server writes over several of them. */
  #open = '';
  #isClosed = false;

  constructor(start: StartServer, program: ServerProgram, heard: Heard) {
    this.#start = start;
    this.#program = program;
    this.#heard = heard;
  }

  async start(): Promise<void> {
    this.#process = await this.#start(this.#program, {
      line: (text) => {
        const whole = this.#wholeOf(text);
        if (whole !== undefined) this.#receive(whole, readMessages(whole, this.#pending));
      },
      tooLong: (head, tail) => {
        const id = idIn(head, this.#pending) ?? idIn(tail, this.#pending);
        this.#receive(head, id === undefined ? undefined : [failedAnswer(id, TOO_LARGE, this.#pending)]);
      },
      stderr: (text) => this.#heard.stderr(text),
      ended: (reason) => {
        this.#heard.ended(reason);
        this.#closed();
      },
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('the server has ended');
    if ('method' in message && 'id' in message && message.id !== undefined) {
      this.#pending.set(message.id, message.method);
      if (message.method === 'server/discover') this.#question = message.id;
      this.#isLate = message.method !== 'server/discover';
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

  /** The message that a line contains or completes; `undefined` while it is incomplete. */
  #wholeOf(line: string): string | undefined {
    const isStart = line.trimEnd() === '{';
    const isPart = isStart || (this.#open !== '' && !line.startsWith('{"'));
    const whole = isPart && !isStart ? `${this.#open}\n${line}` : line;
    const isOpen = isPart && line.trimEnd() !== '}' && whole.length < MAX_OPEN;
    this.#open = isOpen ? whole : '';
    return isOpen ? undefined : whole;
  }

  #receive(text: string, messages: readonly JSONRPCMessage[] | undefined): void {
    if (messages === undefined) this.#heard.stray(text.slice(0, MAX_LINE));
    for (const message of messages ?? []) {
      const isQuestion = 'id' in message && !('method' in message) && message.id === this.#question;
      if (isQuestion && 'result' in message && isJsonObject(message.result)) this.#heard.discovered(message.result);
      if (!isQuestion || !this.#isLate) this.onmessage?.(message);
    }
  }
}
