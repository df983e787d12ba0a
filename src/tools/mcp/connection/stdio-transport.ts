import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { ServerProcess, ServerProgram, StartServer } from '../settings.ts';
import { failedAnswer, idIn, Pending, readMessages, TOO_LARGE } from './read-messages.ts';
import type { Heard } from './server-log.ts';

/** Maximum number of characters of a line that are reported. */
const MAX_LINE = 1_000;

/** The library's transport over the process of a server. `heard` gets the lines that are no messages of the protocol. */
export function stdioTransport(startServer: StartServer, program: ServerProgram, heard: Heard): Transport {
  const unasked = (answer: object): void => heard.log.addStray(JSON.stringify(answer).slice(0, MAX_LINE));
  const pending = Object.assign(new Pending(), { discovered: heard.discovered, unasked });
  let server: ServerProcess | undefined;
  let isClosed = false;
  const closed = (): void => {
    if (isClosed) return;
    isClosed = true;
    transport.onclose?.();
  };
  const receive = (text: string, messages: readonly JSONRPCMessage[] | undefined): void => {
    if (messages === undefined) heard.log.addStray(text.slice(0, MAX_LINE));
    for (const message of messages ?? []) transport.onmessage?.(message);
  };
  const transport: Transport & { readonly stderr: null; readonly pid: null } = {
    // By these the library knows that silence means an older server here, and not an outage.
    ...{ stderr: null, pid: null },
    async start() {
      server = await startServer(program, {
        line: (text) => receive(text, readMessages(text, pending)),
        tooLong: (head, tail) => {
          const id = idIn(head, pending) ?? idIn(tail, pending);
          receive(head, id === undefined ? undefined : [failedAnswer(id, TOO_LARGE, pending)]);
        },
        stderr: (text) => heard.log.addStderr(text),
        ended: (reason) => {
          heard.log.ended = reason;
          closed();
        },
      });
    },
    async send(message) {
      if (isClosed) throw new Error('the server has ended');
      pending.note(message);
      server?.write(JSON.stringify(message));
    },
    async close() {
      await server?.end();
      closed();
    },
  };
  return transport;
}
