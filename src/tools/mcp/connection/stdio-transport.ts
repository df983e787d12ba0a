import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject, jsonOr } from '../../../text/json/json.ts';
import type { ServerProcess, ServerProgram, StartServer } from '../settings.ts';

/** An id of a request. */
type Id = string | number;

/** Listener of what a server says besides the protocol. */
export interface Heard {
  stray(text: string): void;
  stderr(text: string): void;
  /** Its process has ended; `reason` is for people. */
  ended(reason: string): void;
  /** The server has answered the question for its revisions, perhaps after the library has ceased to wait. */
  discovered(result: JsonObject): void;
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
  readonly #pending = new Set<Id>();
  #question: Id | undefined;
  #process: ServerProcess | undefined;
  #isClosed = false;

  constructor(start: StartServer, program: ServerProgram, heard: Heard) {
    this.#start = start;
    this.#program = program;
    this.#heard = heard;
  }

  async start(): Promise<void> {
    this.#process = await this.#start(this.#program, {
      line: (text) => this.#receive(text),
      tooLong: (head, tail) => this.#refuse(head, tail),
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
      this.#pending.add(message.id);
      if (message.method === 'server/discover') this.#question = message.id;
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

  #receive(line: string): void {
    const value = jsonOr(undefined, line);
    const messages = Array.isArray(value) ? value : [value];
    for (const message of messages) {
      if (!isMessage(message)) {
        this.#heard.stray(line.slice(0, 1_000));
        continue;
      }
      if ('method' in message || message.id === undefined) {
        this.onmessage?.(message);
        continue;
      }
      const { id } = message;
      this.#pending.delete(id);
      if ('error' in message) this.onmessage?.(message);
      else if (!isJsonObject(message.result)) this.#fail(id, 'its result cannot be read');
      else {
        if (id === this.#question) this.#heard.discovered(message.result);
        this.onmessage?.(message);
      }
    }
  }

  /** Answers the request whose result was too long to be read. */
  #refuse(head: string, tail: string): void {
    const [only, ...others] = this.#pending;
    const id = others.length === 0 ? only : [...this.#pending].find((each) => isIdIn(each, head) || isIdIn(each, tail));
    if (id === undefined) {
      this.#heard.stray(head.slice(0, 1_000));
      return;
    }
    this.#pending.delete(id);
    this.#fail(id, 'its result is too large (the limit is 10 MB). Ask it for less');
  }

  #fail(id: Id, message: string): void {
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32_000, message } });
  }
}

function isIdIn(id: Id, text: string): boolean {
  return text.replaceAll(/\s+/g, '').includes(`"id":${JSON.stringify(id)}`);
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return (
    isJsonObject(value) && value['jsonrpc'] === '2.0' && ('method' in value || 'result' in value || 'error' in value)
  );
}
