import type { RecordedEmbeddings, ScenarioSpecification } from '../../scenario/format.ts';

/** The scenarios of a foreign file, and a sentence for each part that could not be converted. */
export interface Converted {
  readonly scenarios: readonly ScenarioSpecification[];
  /** The prompts of the user that were recorded, in order. */
  readonly prompts?: readonly string[];
  readonly embeddings?: readonly RecordedEmbeddings[];
  readonly notes: readonly string[];
}
