import type { Wiring } from '../../app/wiring.ts';
import { createModelSwitch } from '../../commands/model-switch.ts';
import { runNotice } from '../../config/trust/describe-trust.ts';
import { UsageError } from '../../core/errors.ts';
import { serveWeb } from '../../web/serve-web.ts';
import { SessionHub } from '../../web/session/session-hub.ts';
import { EXIT_CODES } from '../exit.ts';
import type { SubcommandPorts, SubcommandRequest } from './subcommand.ts';

/** Ports of `ybs web`. */
export interface WebPorts {
  readonly wiring: Pick<Wiring, 'loadSettings' | 'listModels' | 'chooseSession' | 'openSession'>;
  readonly machine: Pick<SubcommandPorts['machine'], 'newId' | 'clock'>;
  readonly user: Pick<SubcommandPorts['user'], 'write' | 'warn' | 'onStop'>;
}

/** The port of the page. */
const PORT = 8765;

/** `ybs web`: serves the page until a signal stops it. Returns the exit code. */
export async function webCommand(
  { options, ownOptions }: Pick<SubcommandRequest, 'options' | 'ownOptions'>,
  { wiring, machine, user }: WebPorts,
): Promise<number> {
  const port = readPort(ownOptions.get('port')?.at(-1));
  const needsToken = readToken(ownOptions.get('token')?.at(-1));
  const settings = await wiring.loadSettings(options);
  const notice = runNotice(settings.trust);
  if (notice !== undefined) await user.warn(notice);
  const models = createModelSwitch(wiring, options, settings.config.llm.provider);
  const hub = new SessionHub({
    openSession: async (approver, warn, signal) =>
      wiring.openSession(settings, approver, await wiring.chooseSession(options, settings), warn, signal),
    models,
    newId: machine.newId,
    now: () => machine.clock.now(),
    keepsApprovals: settings.config.safety.persist_approvals,
  });
  const stopped = new Promise<void>((resolve) => user.onStop(resolve));
  try {
    const server = await serveWeb({ hub, port, needsToken });
    try {
      if (!needsToken) await user.warn('Without a token, every program on this machine can use the page.');
      await user.write(`Open ${server.address}\nCtrl-C ends the server.\n`);
      // A stored session is opened at once, because it may be in use or damaged.
      await Promise.all([hub.agent(), stopped]);
    } finally {
      await server.close();
    }
    return EXIT_CODES.done;
  } finally {
    await hub.close();
    await models.close();
  }
}

function readPort(text: string | undefined): number {
  if (text === undefined) return PORT;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port cannot be ${JSON.stringify(text)}. Give a number up to 65535, or 0 for a free port.`);
}

function readToken(text: string | undefined): boolean {
  if (text === undefined || text === 'none') return text === undefined;
  throw new UsageError('--token can only be none: ybs chooses the token, so that nobody can guess it.');
}
