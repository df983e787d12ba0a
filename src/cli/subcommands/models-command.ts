import { untilStopped } from '../../app/driver/until-stopped.ts';
import { EXIT_CODES } from '../../app/exit.ts';
import type { SessionOptions, Settings } from '../../app/settings.ts';
import { needsModel } from '../../config/agent-settings.ts';
import { type DescribedModel, modelRows } from '../../providers/limits/describe-model.ts';
import { isSame, type Limits } from '../../providers/limits/find-limits.ts';
import { tableText } from '../../providers/limits/known-model.ts';
import { escapeLine } from '../../terminal/output.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import { commandFor, withoutModels } from '../choose-local-model.ts';
import { report, type SubcommandRequest, type Uses } from './subcommand.ts';

/**
 * `ybs models`: prints the models that the provider offers, one per line with what is known about them, or as one line
 * of JSON; without a configured model, those of each model server on this machine, if one besides Ollama has models.
 * Returns the exit code.
 */
export function modelsCommand(
  request: Pick<SubcommandRequest, 'options'>,
  ports: Uses<{ wiring: 'listModels' | 'findServers'; machine: 'clock'; user: 'write' | 'onStop' }> & {
    readonly wiring: {
      readConfig(options: SessionOptions): Promise<Pick<Settings, 'config' | 'origins'>>;
    };
  },
): Promise<number> {
  const print = async ({ signal }: AbortController): Promise<number> => {
    const loaded = await ports.wiring.readConfig(request.options);
    signal.throwIfAborted();
    const isOpen = needsModel(loaded) && loaded.config.llm.endpoint === undefined;
    const servers = isOpen ? await ports.wiring.findServers(loaded, signal) : [];
    const found = servers.filter(({ models, isLoading }) => models.length > 0 || isLoading);
    if (found.some(({ provider }) => provider !== 'ollama')) {
      const rows = found.flatMap((server) => [
        server.isLoading
          ? withoutModels(server)
          : `${server.label} at ${server.address}: ${commandFor(server, 'NAME')}`,
        ...modelRows(server.models).map((row) => `  ${row}`),
      ]);
      return report(request, ports, { json: () => ({ servers: found }), text: () => rows.map(escapeLine).join('\n') });
    }
    const { provider, models: offered, chosen } = await ports.wiring.listModels(request.options, signal);
    const models = offered.map((model) =>
      chosen !== undefined && isSame(model.name, chosen.model) ? withLimitsOfRun(model, chosen.limits) : model,
    );
    const rows = models.toSorted((left, right) => compareCodePoints(left.name, right.name));
    const lines = modelRows(rows);
    const from = tableText(ports.machine.clock.now());
    const origins = { table: `table: the ${from}.`, family: `family: those of its family in the ${from}.` };
    const note = (['table', 'family'] as const)
      .filter((origin) => models.some(({ source }) => source === origin))
      .map((origin) => origins[origin]);
    const shown = rows.length === 0 ? [`${provider} offers no models.`] : [...lines, ...note];
    return report(request, ports, {
      json: () => ({ provider, models, ...(chosen === undefined ? {} : { chosen }) }),
      text: () => shown.map(escapeLine).join('\n'),
    });
  };
  return untilStopped(ports.user.onStop, print, EXIT_CODES.aborted);
}

function withLimitsOfRun(model: DescribedModel, { window, answer }: Limits): DescribedModel {
  return { ...model, contextWindow: window.tokens, maxAnswer: answer.tokens, source: window.source };
}
