import { ModelError } from '../../../agent/errors.ts';
import type { DescribedModel } from '../../../providers/limits/describe-model.ts';
import { offerOf } from '../../../providers/offered-models.ts';
import type { ChosenModel } from '../../../providers/target/chosen-model.ts';
import { didYouMean } from '../../../text/suggest.ts';
import type { Agent } from '../../session.ts';
import type { SessionOptions } from '../../settings.ts';
import type { Wiring } from '../../wiring.ts';

/** The model to switch to. Without `model` it is the configured one or the default of the provider. */
export type WantedModel =
  | { readonly provider: string; readonly model?: string | undefined }
  | { readonly profile: string };

/** Opens other models for a session. */
export interface ModelSwitch {
  /** The options of a session that would begin with the current model. */
  readonly options: SessionOptions;
  /**
   * Makes the agent use another model from its next run on; the conversation stays. Endpoint, key and headers come from
   * the configuration as for a new session with this provider. Resolves to a note for the user, if there is one. Throws
   * `UsageError` when the model cannot be used, or the reason of `signal`; then nothing changes.
   */
  use(agent: Agent, wanted: WantedModel, signal: AbortSignal): Promise<string | undefined>;
  /**
   * The models that a provider lists. Throws `ModelError` or `UsageError` when it lists none, or the reason of
   * `signal`.
   */
  list(provider: string, signal: AbortSignal): Promise<readonly DescribedModel[]>;
  /** Ends the use of the models that were opened. */
  close(): Promise<void>;
}

/**
 * Creates the switch of a session that began with `options` and the provider `startedWith`. An endpoint and a tool
 * protocol of the command line belong to that provider and are not used for another one.
 */
export function createModelSwitch(
  wiring: Pick<Wiring, 'loadSettings' | 'listModels'>,
  options: SessionOptions,
  startedWith: string,
): ModelSwitch {
  let current: ChosenModel | undefined;
  let used = options;
  return {
    get options() {
      return used;
    },
    async use(agent, wanted, signal) {
      const changed = optionsFor(wanted, options, startedWith);
      const { model: chosen } = await wiring.loadSettings(changed);
      const note = await checkModel(wanted, changed, wiring, signal);
      const [model, smallModel] = await Promise.all([chosen.open(agent.effort), chosen.openSmall()]).catch(
        async (error: unknown) => {
          await chosen.close();
          throw error;
        },
      );
      agent.useModel(model, chosen.name, { smallModel, openModel: (effort) => chosen.open(effort) });
      const before = current;
      current = chosen;
      used = changed;
      await before?.close();
      return note;
    },
    async list(provider, signal) {
      return (await wiring.listModels(optionsFor({ provider }, options, startedWith), signal)).models;
    },
    async close() {
      await current?.close();
    },
  };
}

function optionsFor(wanted: WantedModel, options: SessionOptions, startedWith: string): SessionOptions {
  const { endpoint: _endpoint, model: _model, toolProtocol: _toolProtocol, ...others } = options;
  if ('profile' in wanted) {
    const { provider: _provider, ...rest } = others;
    return { ...rest, profile: wanted.profile };
  }
  const { provider, model } = wanted;
  const same = provider === startedWith ? options : others;
  return { ...same, provider, ...(model !== undefined && { model }) };
}

/**
 * Returns a note if the provider does not list the model, lists none or does not answer, because using a model does not
 * require a list: a server may know a model by other names, or load it when it is asked for.
 */
async function checkModel(
  wanted: WantedModel,
  options: SessionOptions,
  wiring: Pick<Wiring, 'listModels'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if ('profile' in wanted) return undefined;
  const { provider, model } = wanted;
  try {
    const { models } = await wiring.listModels(options, signal);
    // The default model is checked by its first request: here, the user only learns that the server does not answer.
    if (model === undefined) return undefined;
    const names = models.map(({ name }) => name);
    if (names.length === 0) return `${provider} lists no models, so the name was not checked.`;
    if (names.some((name) => isSameModel(model, name))) return undefined;
    const hint = didYouMean(model, names, ` ${offerOf(model, names)}`);
    return `${provider} does not list ${model}; the next request shows whether it has it.${hint}`;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const problem = `The models of ${provider} cannot be listed: ${error.message}`;
    return model === undefined ? problem : `The name was not checked. ${problem}`;
  }
}

/** Providers know models by more names than they list: without a date or a tag, with a variant, or as the latest one. */
function isSameModel(wanted: string, listed: string): boolean {
  const more = listed.startsWith(wanted) ? listed.slice(wanted.length) : undefined;
  const isShort = more !== undefined && /^(?:$|:|[-@]\d)/.test(more);
  return wanted.endsWith('-latest') || isShort || wanted.startsWith(`${listed}:`);
}
