import type { Protocol } from '../../conversation/conversation.ts';
import { mergeEmbeddings } from '../../scenario/embeddings.ts';
import type { RecordedEmbeddings } from '../../scenario/format.ts';
import { localPathOf, wireOf } from '../answer-path.ts';
import { createContinuations, type Exchange, readEmbeddings, readExchange } from '../exchange.ts';
import { createRedaction } from '../redaction.ts';
import { buildScenarios } from '../scenarios/build-scenarios.ts';
import { groupRuns, promptsOf } from '../scenarios/group-runs.ts';
import type { Converted } from './converted.ts';
import { type ForeignEntry, type ForeignExchange, readForeign } from './foreign-entry.ts';

/**
 * Converts recorded HTTP exchanges: entries of HAR, of cassettes of vcrpy, VCR, go-vcr and nock, and lines of proxy logs.
 * Pure.
 */
export function convertExchanges(entries: readonly ForeignEntry[]): Converted {
  const notes: string[] = [];
  const others: string[] = [];
  const exchanges: Exchange[] = [];
  const embeddings: RecordedEmbeddings[] = [];
  const continuations = createContinuations();
  const redaction = createRedaction();
  for (const [index, { entry, label }] of entries.entries()) {
    const result = readEntry(entry, index, continuations, redaction);
    if (typeof result !== 'string') {
      if ('response' in result) embeddings.push(result);
      else exchanges.push(result);
    } else if (result.endsWith(NO_MODEL)) others.push(`${label}: ${result}.`);
    else notes.push(`${label}: ${result}.`);
  }
  const built = buildScenarios(exchanges);
  const more = others.length - MAX_OTHERS;
  const listed =
    more > 1 ? [...others.slice(0, MAX_OTHERS), `${more} further entries: not requests for an answer.`] : others;
  const protocols = new Map(exchanges.map(({ number, protocol }) => [number, protocol]));
  const scenarios = built.scenarios.map((scenario) => {
    const [number = 0] = [...built.places].find(([, place]) => place.scenario === scenario.name) ?? [];
    const protocol = protocols.get(number);
    return scenario.trigger === ANY_PROMPT && protocol !== undefined
      ? { ...scenario, trigger: { protocol } }
      : scenario;
  });
  const prompts = promptsOf(groupRuns(exchanges.filter(({ number }) => built.places.has(number))));
  return {
    scenarios,
    prompts: prompts.filter((prompt) => prompt !== ANY_PROMPT),
    embeddings: mergeEmbeddings([], embeddings),
    notes: [...listed, ...notes, ...built.notes],
  };
}

const NO_MODEL = 'is not a request for an answer of a model';

/** Largest number of entries for something else that are listed: a page in a browser loads hundreds of files. */
const MAX_OTHERS = 3;

/** The prompt of a request that a format leaves out, because each request of its path gets the same answer. */
const ANY_PROMPT = 'any prompt';

const MESSAGES = [{ role: 'user', content: ANY_PROMPT }];

/** The bodies of such requests. */
const ANY_BODY: Readonly<Record<Protocol, object>> = {
  'openai-chat': { model: 'any', messages: MESSAGES },
  'openai-responses': { model: 'any', input: ANY_PROMPT },
  'anthropic-messages': { model: 'any', max_tokens: 4096, messages: MESSAGES },
  'bedrock-converse': { messages: [{ role: 'user', content: [{ text: ANY_PROMPT }] }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: ANY_PROMPT }] }] },
  'gemini-interactions': { model: 'any', input: ANY_PROMPT },
  ollama: { model: 'any', messages: MESSAGES },
};

/** The exchange of an entry, or its embeddings, or the reason why it is left out. */
function readEntry(
  entry: unknown,
  index: number,
  continuations: ReturnType<typeof createContinuations>,
  redaction: ReturnType<typeof createRedaction>,
): Exchange | RecordedEmbeddings | string {
  const foreign = readForeign(entry);
  if (typeof foreign === 'string') return foreign;
  const { method, url } = foreign;
  // Cassettes may have `<AWS_REGION>` in the host.
  const address = url.replace(/^https?:\/\/[^/]*/i, '');
  if (!URL.canParse(address, 'http://unknown')) return `${url} is no address`;
  const { pathname, searchParams } = new URL(address, 'http://unknown');
  const path = wireOf({ method, path: pathname }) === undefined ? localPathOf(pathname) : pathname;
  const wire = path === undefined ? undefined : wireOf({ method, path });
  const embeddings = readEmbeddings(receivedOf(foreign, pathname, {}), redaction);
  if (embeddings !== undefined) return embeddings;
  if (wire === undefined || path === undefined) return `${method} ${pathname} ${NO_MODEL}`;
  const query = Object.fromEntries(searchParams);
  redaction.learn(foreign.requestHeaders, query);
  const asked =
    foreign.requestBody === '' ? { ...foreign, requestBody: JSON.stringify(ANY_BODY[wire.protocol]) } : foreign;
  const received = { number: index + 1, wire, ...receivedOf(asked, path, query), end: 'complete' } as const;
  const { exchange, unread, answer } = readExchange(received, continuations, redaction);
  if (exchange === undefined) return `its request cannot be read: ${(unread ?? 'it has no body').replace(/\.$/, '')}`;
  const isEmpty = answer?.content === undefined && answer?.toolCalls.length === 0 && answer?.finish === undefined;
  return foreign.status < 300 && isEmpty ? 'its response has no answer that can be read' : exchange;
}

function receivedOf(foreign: ForeignExchange, path: string, query: Readonly<Record<string, string>>) {
  const { method, requestHeaders: headers, requestBody, status, responseHeaders, responseBody } = foreign;
  return {
    request: { method, path, query, headers, body: requestBody },
    head: { status, headers: { get: (name: string) => responseHeaders[name] ?? null }, ms: 0 },
    body: responseBody,
  };
}
