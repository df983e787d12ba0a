import type { JsonObject } from '../conversation/conversation.ts';
import { isJsonObject } from '../conversation/json.ts';
import { decodePercent } from '../text.ts';
import type { RecordedEmbeddings } from './format.ts';

/** The ends of the paths that ask for embeddings. What precedes them differs between services. */
const PATHS =
  /\/(?:embeddings|api\/embed|models\/[^/]+:(?:embedContent|batchEmbedContents|predict)|model\/[^/]*embed[^/]*\/invoke)$/;

/** The end of a path that asks for embeddings, which has the model of some protocols; undefined for any other path. */
export function embeddingPath(path: string): string | undefined {
  return PATHS.exec(path)?.[0];
}

/** The recorded answers by the requests that they belong to. */
export type EmbeddingIndex = ReadonlyMap<string, JsonObject>;

export function indexEmbeddings(recorded: readonly RecordedEmbeddings[]): EmbeddingIndex {
  return new Map(recorded.map(({ path, request, response }) => [keyOf(path, request), response]));
}

/** The recorded answer to an equal request, whatever the order of its fields. */
export function recordedEmbeddings(index: EmbeddingIndex, path: string, request: unknown): JsonObject | undefined {
  const end = embeddingPath(path);
  return end === undefined ? undefined : index.get(keyOf(end, request));
}

/** The answers of two recordings: a later one replaces the one to an equal request. */
export function mergeEmbeddings(
  earlier: readonly RecordedEmbeddings[],
  later: readonly RecordedEmbeddings[],
): readonly RecordedEmbeddings[] {
  return [...new Map([...earlier, ...later].map((each) => [keyOf(each.path, each.request), each])).values()];
}

function keyOf(path: string, request: unknown): string {
  const sorted = (_name: string, value: unknown) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value;
  return `${decodePercent(path)} ${JSON.stringify(request, sorted)}`;
}
