import {
  type ClientCapabilities,
  type ClientContext,
  client,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { Machine, SessionOptions } from '../../../src/app/settings.ts';
import { createWiring } from '../../../src/app/wiring.ts';
import { messageStream } from '../../../src/hosts/acp/message-stream.ts';
import { serveAcp } from '../../../src/hosts/acp/serve.ts';
import { readMachine } from '../../../src/node/machine.ts';
import { temporaryDirectory } from '../processes/temporary-directory.ts';
import type { TestTerminals } from './acp-terminals.ts';

/** A client that answers questions from a list, and serves the files that its user has changed but not saved. */
export interface TestClient {
  readonly options: SessionOptions;
  readonly home?: string;
  readonly capabilities?: ClientCapabilities;
  /** The ids of the answers to questions, in order; after the last one a question is an error. */
  readonly answers?: readonly string[];
  /** Called with each question, before it is answered. */
  readonly onQuestion?: () => void;
  /** Unsaved text by path. Writes of the agent go here, too. */
  readonly buffers?: Map<string, string>;
  /** The terminals of this client; without them, a request for one is an error. */
  readonly terminals?: TestTerminals;
  /** Changes the machine on which ybs runs. */
  readonly changeMachine?: (machine: Machine) => Machine;
  /** Called by the agent after each turn. */
  readonly afterTurn?: () => Promise<void>;
}

/** Everything that the client has received. */
export interface Received {
  readonly updates: readonly SessionUpdate[];
  readonly questions: readonly RequestPermissionRequest[];
}

/** Lets the official client talk to `ybs acp` in this process, initialized. */
export async function withAcpClient<Result>(
  {
    options,
    home = temporaryDirectory(),
    capabilities = {},
    answers = [],
    onQuestion = () => {},
    buffers = new Map(),
    terminals,
    changeMachine = (machine) => machine,
    afterTurn = async () => {},
  }: TestClient,
  work: (agent: ClientContext, received: Received) => Promise<Result>,
): Promise<Result> {
  const machine = changeMachine({
    ...(await readMachine({ startMockModel: () => Promise.reject(new Error('no mock')), warn: async () => {} })),
    home,
    environment: { PATH: process.env['PATH'], HOME: home },
  });
  const updates: SessionUpdate[] = [];
  const questions: RequestPermissionRequest[] = [];
  const remaining = [...answers];
  const app = client({ name: 'test' })
    .onRequest('session/request_permission', ({ params }) => {
      questions.push(params);
      onQuestion();
      const optionId = remaining.shift();
      if (optionId === undefined) throw new Error(`unexpected question: ${params.toolCall.title}`);
      if (optionId === 'cancelled') return { outcome: { outcome: 'cancelled' } };
      return { outcome: { outcome: 'selected', optionId } };
    })
    .onRequest('fs/read_text_file', ({ params }) => {
      const content = buffers.get(params.path);
      if (content === undefined) throw new Error(`unexpected read: ${params.path}`);
      return { content };
    })
    .onRequest('fs/write_text_file', ({ params }) => {
      buffers.set(params.path, params.content);
      return {};
    })
    .onRequest('terminal/create', ({ params }) => ({ terminalId: terminalsOf(terminals).create(params) }))
    .onRequest('terminal/output', ({ params }) => terminalsOf(terminals).output(params.terminalId))
    .onRequest('terminal/wait_for_exit', ({ params }) => terminalsOf(terminals).waitForExit(params.terminalId))
    .onRequest('terminal/kill', ({ params }) => terminalsOf(terminals).kill(params.terminalId))
    .onRequest('terminal/release', ({ params }) => terminalsOf(terminals).release(params.terminalId))
    .onNotification('session/update', ({ params }) => void updates.push(params.update));

  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const toClient = new TransformStream<Uint8Array, Uint8Array>();
  const writer = toClient.writable.getWriter();
  const encoder = new TextEncoder();
  const stop = new AbortController();
  const write = async (text: string): Promise<boolean> => {
    await writer.write(encoder.encode(text));
    return true;
  };
  const stream = messageStream(toAgent.readable, write, () => stop.abort());
  const ports = { wiring: createWiring(machine), machine, options, version: '1.2.3', afterTurn };
  const serving = serveAcp(stream, ports, stop.signal);
  try {
    return await app.connectWith(ndJsonStream(toAgent.writable, toClient.readable), async (context) => {
      await context.request('initialize', { protocolVersion: PROTOCOL_VERSION, clientCapabilities: capabilities });
      return work(context, { updates, questions });
    });
  } finally {
    stop.abort();
    await serving;
  }
}

function terminalsOf(terminals: TestTerminals | undefined): TestTerminals {
  if (terminals === undefined) throw new Error('unexpected request for a terminal');
  return terminals;
}
