import { EXIT_CODES } from '../../app/exit.ts';
import type { Wiring } from '../../app/wiring.ts';
import { escapeLine, type UserConsole } from '../../terminal/output.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import type { SubcommandRequest } from './subcommand.ts';

/** Ports of `ybs models`. */
interface ModelsPorts {
  readonly wiring: Pick<Wiring, 'listModels'>;
  readonly user: Pick<UserConsole, 'write' | 'onStop'>;
}

/**
 * `ybs models`: prints the models that the provider offers, one per line with the context window if it is known, or as
 * one line of JSON. Returns the exit code.
 */
export async function modelsCommand(
  { options }: Pick<SubcommandRequest, 'options'>,
  { wiring, user: { write, onStop } }: ModelsPorts,
): Promise<number> {
  const stop = new AbortController();
  const unsubscribe = onStop(() => stop.abort());
  try {
    const { provider, models } = await wiring.listModels(options, stop.signal);
    if (options.outputFormat === 'json') {
      await write(`${JSON.stringify({ provider, models })}\n`);
    } else if (models.length === 0) {
      await write(`${escapeLine(provider)} offers no models.\n`);
    } else {
      const width = Math.max(...models.map(({ name }) => name.length));
      const lines = models
        .toSorted((left, right) => compareCodePoints(left.name, right.name))
        .map(({ name, contextWindow }) =>
          contextWindow === undefined ? name : `${name.padEnd(width)}  ${contextWindow.toLocaleString('en')} tokens`,
        );
      await write(`${lines.map(escapeLine).join('\n')}\n`);
    }
    return EXIT_CODES.done;
  } catch (error) {
    if (stop.signal.aborted) return EXIT_CODES.aborted;
    throw error;
  } finally {
    unsubscribe();
  }
}
