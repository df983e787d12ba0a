import { ModelError } from '../agent/errors.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../agent/ports/language-model.ts';
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
    const names = offered.map(({ name }) => name);
    if (names.length === 0) throw error;
    throw new ModelError(error.code, `${error.message} ${offerOf(model.identity.model, names)}`);
  }
}

/** A sentence with the names of the models that a provider offers, the most similar ones to `wanted` first. */
export function offerOf(wanted: string, names: readonly string[]): string {
  const sorted = [...new Set([...suggest(wanted, names), ...names])];
  const more = sorted.length > MAX_NAMES ? ` and ${sorted.length - MAX_NAMES} more; ybs models lists them` : '';
  return `It offers: ${sorted.slice(0, MAX_NAMES).join(', ')}${more}.`;
}
