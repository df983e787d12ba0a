import { untilStopped } from '../../../app/driver/until-stopped.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import { messageStream } from '../../../hosts/acp/message-stream.ts';
import { serveAcp } from '../../../hosts/acp/serve.ts';
import type { SubcommandPorts, SubcommandRequest } from '../subcommand.ts';

/**
 * `ybs acp`: serves the Agent Client Protocol on standard input and output until the client closes them. Returns the
 * exit code.
 */
export async function acpCommand(
  { options }: Pick<SubcommandRequest, 'options'>,
  ports: Pick<SubcommandPorts, 'wiring' | 'machine' | 'user' | 'openInput' | 'version' | 'keepMemorySmall'>,
): Promise<number> {
  const { user, openInput, keepMemorySmall: afterTurn } = ports;
  if (user.typesInput)
    await user.warn('An editor starts ybs acp and talks to it here; see docs/editors.md. Ctrl-C ends it.');
  return untilStopped(user.onStop, async (stop) => {
    const stream = messageStream(await openInput(), user.write, () => stop.abort());
    await serveAcp(stream, { ...ports, options, afterTurn }, stop.signal);
    return EXIT_CODES.done;
  });
}
