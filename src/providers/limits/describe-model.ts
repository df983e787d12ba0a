import { formatSize, withSeparators } from '../../text/quantities.ts';
import { priceOf } from '../target/price.ts';
import type { OfferedModel } from '../wire-options.ts';
import type { Limit, LimitSource, Limits } from './find-limits.ts';
import { knownModel, type Price, tableText } from './known-model.ts';

/** A model with what its provider states, or else the table of known models. */
export interface DescribedModel extends OfferedModel {
  readonly price?: Price;
  readonly abilities?: readonly string[];
  readonly source?: LimitSource;
}

/** A model of a list, with what the table of known models adds to the words of its server. */
export function describeModel(provider: string, model: OfferedModel): DescribedModel {
  const known = knownModel(model.name);
  const price = priceOf({ provider, model: model.name }, {});
  const { contextWindow = known?.window, maxAnswer = known?.answer } = model;
  const table = known?.isGuess === true ? 'family' : 'table';
  const source = model.contextWindow !== undefined ? 'server' : known !== undefined ? table : undefined;
  return {
    ...model,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxAnswer === undefined ? {} : { maxAnswer }),
    ...(price === undefined ? {} : { price }),
    ...(known === undefined ? {} : { abilities: known.abilities }),
    ...(source === undefined ? {} : { source }),
  };
}

/** The names of models in one column, and what is known about them in another one. */
export function modelRows(models: readonly DescribedModel[]): readonly string[] {
  const width = Math.max(...models.map(({ name }) => name.length));
  return models.map((model) => `${model.name.padEnd(width)}  ${factsOf(model).join(', ')}`.trimEnd());
}

function factsOf(model: DescribedModel): readonly string[] {
  const { contextWindow: window, maxAnswer: answer, price, source } = model;
  return [
    ...(model.loaded === true ? ['loaded'] : []),
    ...(window === undefined
      ? []
      : [`${withSeparators(window)} tokens${source === undefined || source === 'server' ? '' : ` (${source})`}`]),
    ...(model.bytes === undefined ? [] : [formatSize(model.bytes)]),
    ...(answer === undefined ? [] : [`answers of ${withSeparators(answer)}`]),
    ...(price === undefined
      ? []
      : [`$${price.input} in, $${price.cached ?? price.input} cached, $${price.output} out`]),
    ...(model.lacksTools === true ? ['no tools'] : (model.abilities ?? [])),
  ];
}

/** The window and the longest answer of a model, each with its origin, for people. */
export function describeLimits(
  { window, answer }: Limits,
  now: number,
): { readonly window: string; readonly answer: string } {
  return {
    window: describeLimit(window, 'context.max_tokens', now),
    answer: describeLimit(answer, 'llm.max_tokens', now),
  };
}

function describeLimit({ tokens, source }: Limit, key: string, now: number): string {
  return `${withSeparators(tokens)} tokens (${describeSource(source, key, now)})`;
}

function describeSource(source: Limit['source'], key: string, now: number): string {
  switch (source) {
    case 'setting':
      return key;
    case 'server':
      return 'stated by the server';
    case 'table':
      return tableText(now);
    case 'family':
      return `those of its family in the ${tableText(now)}; set ${key} if they are wrong`;
    case 'assumed':
      return `assumed, because nothing states it; set ${key}`;
  }
}
