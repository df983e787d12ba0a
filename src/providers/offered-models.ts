import { ModelError } from '../core/errors.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../ports/language-model.ts';
import { suggest } from '../text/suggest.ts';
import type { OfferedModel } from './wire-options.ts';

/** The maximum number of models that an error names. */
const MAX_NAMES = 10;

/**
 * A model whose error for an unknown model lists the models that exist, the most similar ones first. If they cannot be
 * listed, the error stays as it is.
 */
export function withOfferedModels(
  model: LanguageModel,
  listModels: (signal: AbortSignal) => Promise<readonly OfferedModel[]>,
): LanguageModel {
  return { ...model, stream: (request, signal) => stream(model, listModels, request, signal) };
}

async function* stream(
  model: LanguageModel,
  listModels: (signal: AbortSignal) => Promise<readonly OfferedModel[]>,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, void> {
  try {
    yield* model.stream(request, signal);
  } catch (error) {
    if (!(error instanceof ModelError) || error.code !== 'unknown_model') throw error;
    const offered = await listModels(signal).catch(() => []);
    const names = nearestFirst(
      model.identity.model,
      offered.map(({ name }) => name),
    );
    if (names.length === 0) throw error;
    const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more; ybs models lists them` : '';
    throw new ModelError(error.code, `${error.message} It offers: ${names.slice(0, MAX_NAMES).join(', ')}${more}.`);
  }
}

function nearestFirst(wanted: string, names: readonly string[]): readonly string[] {
  return [...new Set([...suggest(wanted, names), ...names])];
}
