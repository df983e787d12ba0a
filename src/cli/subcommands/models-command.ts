import { ModelError } from '../../agent/errors.ts';
import { untilStopped } from '../../app/driver/until-stopped.ts';
import { EXIT_CODES } from '../../app/exit.ts';
import { needsModel } from '../../config/agent-settings.ts';
import { type DescribedModel, modelRows } from '../../providers/limits/describe-model.ts';
import { isSame, type Limits } from '../../providers/limits/find-limits.ts';
import { tableText } from '../../providers/limits/known-model.ts';
import { escapeLine } from '../../terminal/output.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import { report, type SubcommandRequest, type Uses } from './subcommand.ts';

type FindPorts = Uses<{ wiring: 'loadSettings' | 'findServers'; user: 'onStop' }>;

/**
 * `ybs models`: prints the models that the provider offers, one per line with what is known about them, or as one line
 * of JSON. Returns the exit code. Without a configured model, and if the default server does not answer, it throws a
 * `UsageError` with the models of other servers on this machine.
 */
export function modelsCommand(
  request: Pick<SubcommandRequest, 'options'>,
  ports: FindPorts & Uses<{ wiring: 'listModels'; machine: 'clock'; user: 'write' }>,
): Promise<number> {
  const print = async ({ signal }: AbortController): Promise<number> => {
    const {
      provider,
      models: offered,
      chosen,
    } = await ports.wiring.listModels(request.options, signal).catch(async (error: unknown) => {
      if (error instanceof ModelError) await findOthers(request, ports);
      throw error;
    });
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

async function findOthers({ options }: Pick<SubcommandRequest, 'options'>, { wiring, user }: FindPorts): Promise<void> {
  const settings = await wiring.loadSettings(options);
  if (!needsModel(settings)) return;
  const { withLocalModel } = await import('../choose-local-model.ts');
  await withLocalModel(options, settings, wiring, user.onStop);
}

/** The configured model with the limits that a run has. */
function withLimitsOfRun(model: DescribedModel, { window, answer }: Limits): DescribedModel {
  return { ...model, contextWindow: window.tokens, maxAnswer: answer.tokens, source: window.source };
}
