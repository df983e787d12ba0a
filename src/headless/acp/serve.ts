import {
  type AgentContext,
  agent,
  type ClientCapabilities,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
} from '@agentclientprotocol/sdk';
import type { OpenSession, SessionOptions } from '../../app/settings.ts';
import type { Wiring } from '../../app/wiring.ts';
import type { Approver } from '../../ports/approver.ts';
import type { AgentEvent } from '../../ports/events.ts';
import { invalidParams, modesOf, requestError, stopReasonOf } from './answers.ts';
import type { MessageStream } from './message-stream.ts';
import { decisionOf, permissionQuestion } from './permission.ts';
import { promptText } from './prompt.ts';
import { createUpdateEncoder } from './updates.ts';

/** What the server needs from the command line. */
export interface ServerPorts {
  readonly wiring: Pick<Wiring, 'loadSettings' | 'chooseSession' | 'openSession'>;
  readonly options: SessionOptions;
  readonly version: string;
}

/** A session of a client. `stop` ends the running prompt; absent if none is running. */
interface ServedSession extends OpenSession {
  stop?: AbortController | undefined;
}

/** Serves the Agent Client Protocol until the client closes the connection or `signal` aborts. Several sessions at once. */
export async function serveAcp(stream: MessageStream, ports: ServerPorts, signal: AbortSignal): Promise<void> {
  const { wiring, options, version } = ports;
  const sessions = new Map<string, ServedSession>();
  let client: ClientCapabilities = {};

  const sessionOf = (id: string): ServedSession => {
    const session = sessions.get(id);
    if (session !== undefined) return session;
    throw invalidParams(`There is no session ${id} here. Open it with session/load, or begin one with session/new.`);
  };

  const open = async (cwd: string, context: AgentContext, resume?: string): Promise<ServedSession> => {
    if (!/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(cwd))
      throw invalidParams(`The directory of a session must be an absolute path: ${cwd}`);
    const chosen = { ...options, cwd, ...(resume !== undefined && { resume }) };
    const settings = await wiring.loadSettings(chosen);
    let id = '';
    const approver: Approver = {
      async decide(request, aborted) {
        const question = permissionQuestion(request, settings.config.safety.persist_approvals);
        const asked: RequestPermissionRequest = { sessionId: id, ...question };
        const stopWaiting = { cancellationSignal: aborted, stopWaitingOnCancel: true };
        const { outcome } = await context.request('session/request_permission', asked, stopWaiting);
        return decisionOf(outcome, request);
      },
    };
    const session = await wiring.openSession(settings, approver, await wiring.chooseSession(chosen, settings));
    id = session.agent.record.id;
    sessions.set(id, session);
    return session;
  };

  const run = async (id: string, text: string, context: AgentContext) => {
    const session = sessionOf(id);
    if (session.stop !== undefined)
      throw invalidParams('A prompt of this session is running. Wait for it or cancel it.');
    const stop = new AbortController();
    session.stop = stop;
    const encode = createUpdateEncoder({ notices: client.session?.notices != null });
    let end: Extract<AgentEvent, { type: 'run_end' }> | undefined;
    try {
      for await (const event of session.agent.run(text, stop.signal)) {
        if (event.type === 'run_end') end = event;
        for (const update of encode(event)) await context.notify('session/update', { sessionId: id, update });
      }
    } finally {
      session.stop = undefined;
    }
    if (end === undefined) throw new Error('the run had no end');
    return stopReasonOf(end);
  };

  const served = agent({ name: 'ybs' })
    .onRequest('initialize', ({ params }) => {
      client = params.clientCapabilities ?? {};
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: 'ybs', title: 'ybs', version },
        agentCapabilities: { loadSession: false, promptCapabilities: { embeddedContext: true } },
        authMethods: [AUTH_METHOD],
      };
    })
    .onRequest('authenticate', () => answer(async () => void (await wiring.loadSettings(options))))
    .onRequest('session/new', ({ params, client: context }) =>
      answer(async () => {
        const { agent } = await open(params.cwd, context);
        return { sessionId: agent.record.id, modes: modesOf(agent.permissionMode) };
      }),
    )
    .onRequest('session/prompt', ({ params, client: context }) =>
      answer(async () => ({ stopReason: await run(params.sessionId, promptText(params.prompt), context) })),
    )
    .onNotification('session/cancel', ({ params }) => sessions.get(params.sessionId)?.stop?.abort());

  const connection = served.connect(stream);
  signal.addEventListener('abort', () => connection.close(), { once: true });
  await connection.closed;
  for (const { stop } of sessions.values()) stop?.abort();
  await Promise.all([...sessions.values()].map(({ close }) => close()));
}

const AUTH_METHOD = {
  id: 'configuration',
  name: 'Choose a provider and its key',
  description:
    'Set llm.provider in ~/.config/ybs/config.json and the key in the environment of the editor, then check it with: ybs doctor',
};

/** The answer to a request; what it throws becomes an error of the protocol. */
async function answer<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw requestError(error);
  }
}
