import { agent, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { PERMISSION_MODES } from '../../agent/ports/approver.ts';
import type { Wiring } from '../../app/wiring.ts';
import { invalidParams, modesOf, requestError } from './answers.ts';
import type { MessageStream } from './message-stream.ts';
import { type AcpPorts, Sessions } from './sessions.ts';

/** The parts that the server gets from the command line. */
export interface ServerPorts extends AcpPorts {
  readonly wiring: AcpPorts['wiring'] & Pick<Wiring, 'openStore'>;
  readonly version: string;
}

/** Serves the Agent Client Protocol until the client closes the connection or `signal` aborts. Several sessions at once. */
export async function serveAcp(stream: MessageStream, ports: ServerPorts, signal: AbortSignal): Promise<void> {
  const { wiring, options, version } = ports;
  const sessions = new Sessions(ports);
  const served = agent({ name: 'ybs' })
    .onRequest('initialize', ({ params }) => {
      sessions.client = params.clientCapabilities ?? {};
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: 'ybs', title: 'ybs', version },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, embeddedContext: true },
          sessionCapabilities: { list: {}, resume: {}, close: {}, additionalDirectories: {} },
        },
        authMethods: [AUTH_METHOD],
      };
    })
    .onRequest('authenticate', () => answer(async () => void (await wiring.loadSettings(options))))
    .onRequest('session/new', ({ params, client }) =>
      answer(async () => {
        const { record, permissionMode } = await sessions.open(params, client);
        return { sessionId: record.id, modes: modesOf(permissionMode) };
      }),
    )
    .onRequest('session/load', ({ params, client }) =>
      answer(async () => {
        const { record, permissionMode } = await sessions.open(params, client);
        await sessions.replay(record.id, client);
        return { modes: modesOf(permissionMode) };
      }),
    )
    .onRequest('session/resume', ({ params, client }) =>
      answer(async () => {
        const { permissionMode } = await sessions.open(params, client);
        return { modes: modesOf(permissionMode) };
      }),
    )
    .onRequest('session/list', ({ params }) => answer(() => listSessions(params.cwd ?? undefined, ports)))
    .onRequest('session/close', ({ params }) => answer(() => sessions.close(params.sessionId)))
    .onRequest('session/set_mode', ({ params: { sessionId, modeId } }) =>
      answer(async () => {
        const mode = PERMISSION_MODES.find((name) => name === modeId);
        if (mode === undefined) {
          throw invalidParams(
            `There is no mode ${JSON.stringify(modeId)}. Choose one of ${PERMISSION_MODES.join(', ')}.`,
          );
        }
        await sessions.setMode(sessionId, mode);
        return {};
      }),
    )
    .onRequest('session/prompt', ({ params, client }) =>
      answer(async () => ({
        stopReason: await sessions.prompt(params.sessionId, params.prompt, client, params._meta?.['ybs.delivery']),
      })),
    )
    .onNotification('session/cancel', ({ params }) => sessions.cancel(params.sessionId));

  const connection = served.connect(stream);
  signal.addEventListener('abort', () => connection.close(), { once: true });
  await connection.closed;
  await sessions.closeAll();
}

const AUTH_METHOD = {
  id: 'configuration',
  name: 'Choose a provider and its key',
  description:
    'Set llm.provider in ~/.config/ybs/config.json and the key in the environment of the editor, then check it with: ybs doctor',
};

/** The stored sessions of a directory, or all of them, the one used last first. */
async function listSessions(cwd: string | undefined, { wiring, options }: ServerPorts) {
  const settings = await wiring.loadSettings({ ...options, ...(cwd !== undefined && { cwd }) });
  const heads = await (await wiring.openStore(settings)).heads();
  const sessions = heads.flatMap(({ id, workspace, modifiedMs, firstPrompt }) =>
    id === undefined || workspace === undefined || (cwd !== undefined && workspace !== settings.workspace)
      ? []
      : [
          {
            sessionId: id,
            cwd: workspace,
            updatedAt: new Date(modifiedMs).toISOString(),
            ...(firstPrompt !== undefined && { title: firstPrompt.trim().split('\n', 1)[0] }),
          },
        ],
  );
  return { sessions };
}

/** The answer to a request; what it throws becomes an error of the protocol. */
async function answer<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw requestError(error);
  }
}
