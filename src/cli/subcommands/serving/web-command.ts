import { UsageError } from '../../../agent/errors.ts';
import { completerOf } from '../../../app/commands/completer.ts';
import { createModelSwitch } from '../../../app/commands/model/model-switch.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import type { Wiring } from '../../../app/wiring.ts';
import { projectNotice, runNotice } from '../../../config/trust/describe-trust.ts';
import { keptApprovals } from '../../../policy/policy-limits.ts';
import { findCompletion } from '../../../terminal/editor/find-completion.ts';
import { type ServeOptions, serveWeb, type WebServer } from '../../../web/serve-web.ts';
import { SessionHub } from '../../../web/session/session-hub.ts';
import { openWindow, windowPrograms } from '../../../web/window-programs.ts';
import type { SubcommandPorts, SubcommandRequest } from '../subcommand.ts';

export interface WebPorts {
  readonly wiring: Pick<Wiring, 'loadSettings' | 'listModels' | 'chooseSession' | 'openSession'>;
  readonly machine: Pick<SubcommandPorts['machine'], 'newId' | 'clock'>;
  readonly user: Pick<SubcommandPorts['user'], 'write' | 'warn' | 'onStop'>;
}

export interface AppPorts extends WebPorts {
  readonly machine: WebPorts['machine'] & Pick<SubcommandPorts['machine'], 'platform' | 'environment'>;
  /** See `runVisible` and `withProfile` of the adapters. */
  readonly runVisible: (program: string, args: readonly string[], signal: AbortSignal) => Promise<number | undefined>;
  readonly withProfile: <Result>(work: (directory: string) => Promise<Result>) => Promise<Result>;
}

type WebRequest = Pick<SubcommandRequest, 'options' | 'ownOptions'>;

const PORT = 8765;

/** `ybs web`: serves the page until a signal stops it. Returns the exit code. */
export async function webCommand(request: WebRequest, ports: WebPorts): Promise<number> {
  const port = readPort(request.ownOptions.get('port')?.at(-1));
  return serve({ ...request, port }, ports, async ({ address }, stopped) => {
    await ports.user.write(`Open ${address}\nCtrl-C ends the server.\n`);
    await stopped;
  });
}

/** `ybs app`: serves the page and opens it in a window; ends when it is closed. Returns the exit code. */
export async function appCommand(request: WebRequest, ports: AppPorts): Promise<number> {
  const { machine, user, runVisible, withProfile } = ports;
  const { platform, environment } = machine;
  // A free port by default, so that several windows can be open.
  const port = readPort(request.ownOptions.get('port')?.at(-1) ?? '0');
  return serve({ ...request, port }, ports, async ({ address, launchAddress, isLaunched }, stopped, signal) => {
    // A browser would open the window in a process that already uses its profile, which would not end with the window.
    const end = await withProfile((profile) =>
      openWindow(windowPrograms({ platform, environment, profile }), {
        run: (program, args) => runVisible(program, args, signal),
        address: launchAddress,
        isEntered: isLaunched,
        onTab: async () => void (await user.write(`Open ${address}\nCtrl-C ends the server.\n`)),
      }),
    );
    if (signal.aborted) return;
    if (end === 'unavailable') await user.warn('No browser could be opened.');
    if (end !== 'closed') await stopped;
  });
}

/** Serves the page while `work` runs. `stopped` resolves, and the signal aborts, when a signal stops the process. */
async function serve(
  { options, ownOptions, port }: WebRequest & { readonly port: number },
  { wiring, machine, user }: WebPorts,
  work: (server: WebServer, stopped: Promise<void>, signal: AbortSignal) => Promise<void>,
): Promise<number> {
  const needsToken = readToken(ownOptions.get('token')?.at(-1));
  const settings = await wiring.loadSettings(options);
  const notice = runNotice(settings.trust);
  if (notice !== undefined) await user.warn(notice);
  const models = createModelSwitch(wiring, options, settings.config.llm.provider);
  const now = (): number => machine.clock.now();
  const hub = new SessionHub({
    openSession: async (approver, warn, signal) =>
      wiring.openSession(settings, approver, await wiring.chooseSession(options, settings), warn, signal),
    models,
    newId: machine.newId,
    now,
    keepsApprovals: keptApprovals(settings.config.safety.persist_approvals, settings.policy),
    enter: settings.config.ui.enter_during_run,
    notice: projectNotice(settings.trust),
  });
  const stop = new AbortController();
  const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
  const unsubscribe = user.onStop(() => stop.abort());
  try {
    const completer = completerOf(() => hub.agent());
    const complete: ServeOptions['complete'] = (line, signal) => findCompletion(completer, line, machine.clock, signal);
    const server = await serveWeb({ hub, complete, port, needsToken, now });
    try {
      if (!needsToken) await user.warn('Without a token, every program on this machine can use the page.');
      // A stored session is opened at once, because it may be in use or damaged.
      await Promise.all([hub.agent(), work(server, stopped, stop.signal)]);
    } finally {
      stop.abort();
      await server.close();
    }
    return EXIT_CODES.done;
  } finally {
    unsubscribe();
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
