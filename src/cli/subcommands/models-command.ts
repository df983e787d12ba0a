import { untilStopped } from '../../app/driver/until-stopped.ts';
import { EXIT_CODES } from '../../app/exit.ts';
import { escapeLine } from '../../terminal/output.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import { report, type SubcommandRequest, type Uses } from './subcommand.ts';

/**
 * `ybs models`: prints the models that the provider offers, one per line with the context window if it is known, or as
 * one line of JSON. Returns the exit code.
 */
export function modelsCommand(
  request: Pick<SubcommandRequest, 'options'>,
  ports: Uses<{ wiring: 'listModels'; user: 'write' | 'onStop' }>,
): Promise<number> {
  const print = async ({ signal }: AbortController): Promise<number> => {
    const { provider, models } = await ports.wiring.listModels(request.options, signal);
    const width = Math.max(...models.map(({ name }) => name.length));
    const rows = models
      .toSorted((left, right) => compareCodePoints(left.name, right.name))
      .map(({ name, contextWindow }) =>
        contextWindow === undefined ? name : `${name.padEnd(width)}  ${contextWindow.toLocaleString('en')} tokens`,
      );
    const lines = rows.length === 0 ? [`${provider} offers no models.`] : rows;
    return report(request, ports, {
      json: () => ({ provider, models }),
      text: () => lines.map(escapeLine).join('\n'),
    });
  };
  return untilStopped(ports.user.onStop, print, EXIT_CODES.aborted);
}
