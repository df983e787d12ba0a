import { isJsonObject, tryJson } from '../conversation/json.ts';
import { compareRuns, createLock, formatLock } from '../drift/lock.ts';
import { mergeEmbeddings } from '../scenario/embeddings.ts';
import type { ScenarioFile, ScenarioSpecification, Story } from '../scenario/format.ts';
import type { ObservedPart, ObservedPrompt, PromptLock, VolatileText } from '../scenario/lock/prompt-lock.ts';
import { startOfText } from '../text.ts';
import { objectsIn, textIn } from './decode/decoded-answer.ts';
import { isAnswered, type RecordedRequest } from './exchange.ts';
import type { Redaction } from './redaction.ts';
import { type BuiltScenarios, buildScenarios, mergeScenarios } from './scenarios/build-scenarios.ts';
import { buildFromReplay, type ReplayedStory } from './scenarios/keep-replayed.ts';

/** The files of a recording by their names, with notes for the user. */
export interface RecordingFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly scenarios: readonly ScenarioSpecification[];
  /** The prompts that steps answered. */
  readonly observed: readonly ObservedPrompt[];
  /** Sentences about parts that the scenarios do not reproduce. */
  readonly notes: readonly string[];
}

/** A file of a recording still holds a secret. Nothing was written. */
class SecretError extends Error {
  override readonly name = 'SecretError';

  constructor(secret: string, place: string) {
    super(
      `The recording is not written, because it still holds ${secret} (${place}). Remove it from the conversation, or ` +
        'record without it.',
    );
  }
}

/** Files of a story before a recording. */
export interface EarlierFiles {
  /** The scenario file that the recording extends. */
  readonly scenario?: ScenarioFile | undefined;
  /** The lines of its recording, each with its end. */
  readonly recording?: string;
  /** All scenarios that are loaded, those of the file included. */
  readonly loaded?: ScenarioFile['scenarios'];
  /** The accepted prompts of the story. Those of steps that stay are kept, and so are the volatile texts. */
  readonly lock?: PromptLock | undefined;
  /** The agent whose prompts these are; any by default. */
  readonly agent?: string;
  /** The user's side of the recorded run, which the scenario file then has. */
  readonly story?: Story;
}

/**
 * Makes the files of a recording. With `replayed`, it replaces the scenarios of that story. Throws `SecretError` if one of
 * the files, or of the files that are written beside them, holds a secret after redaction. Pure.
 */
export function makeRecordingFiles(
  requests: readonly RecordedRequest[],
  redaction: Redaction,
  earlier: EarlierFiles & { readonly replayed?: ReplayedStory | undefined } = {},
  beside: ReadonlyMap<string, Uint8Array> = new Map(),
): RecordingFiles {
  const {
    scenario,
    recording = '',
    loaded = scenario?.scenarios ?? [],
    lock,
    agent = 'any',
    replayed,
    story,
  } = earlier;
  const exchanges = requests.flatMap(({ exchange }) => exchange ?? []);
  const kept = replayed === undefined ? scenario : undefined;
  const own = kept?.scenarios ?? [];
  const built =
    replayed === undefined ? buildScenarios(exchanges, { all: loaded, own }) : buildFromReplay(exchanges, replayed);
  const files = new Map<string, string>();
  const scenarios = mergeScenarios(own, built.scenarios);
  const recorded = requests.flatMap((request) => request.embeddings ?? []);
  const embeddings = mergeEmbeddings(scenario?.embeddings ?? [], recorded);
  if (scenarios.length > 0 || embeddings.length > 0) {
    const more = { ...(embeddings.length > 0 && { embeddings }), ...(story && { story }) };
    files.set('scenario.json', `${formatJson({ ...scenario, scenarios, ...more })}\n`);
  }
  const known = new Set<string>();
  const lines = requests.map((request) => `${JSON.stringify(lineOf(request, built, known))}\n`);
  files.set('recording.jsonl', recording + lines.join(''));
  const observed = observedPrompts(requests, built);
  if (observed.length > 0) {
    const fresh = createLock(observed, { agent, volatile: lock?.volatile ?? [] });
    const steps = kept === undefined ? fresh.steps : [...(lock?.steps ?? []), ...fresh.steps];
    files.set('prompt.lock.json', formatLock({ ...fresh, steps }));
  }
  for (const [name, text] of files) refuseSecret(name, text, redaction);
  for (const [name, bytes] of beside) {
    const secret = redaction.find(Buffer.from(bytes).toString('latin1'));
    if (secret !== undefined) throw new SecretError(secret, name);
  }
  return { files, scenarios: built.scenarios, observed, notes: built.notes };
}

/** The prompts of the steps of each scenario in their order. */
function observedPrompts(
  requests: readonly RecordedRequest[],
  { scenarios, places }: BuiltScenarios,
): ObservedPrompt[] {
  const placed = requests.flatMap(({ number, parts }) => {
    const place = places.get(number);
    return place === undefined ? [] : [{ ...place, parts }];
  });
  return scenarios.flatMap(({ name }) =>
    placed.filter(({ scenario }) => scenario === name).sort((one, other) => one.step - other.step),
  );
}

/** Longest text of a part of a prompt that is kept; the digest is that of the whole. */
const MAX_PART = 64 * 1024;
const MAX_RESULT = 16 * 1024;

function lineOf(request: RecordedRequest, { places }: BuiltScenarios, known: Set<string>): object {
  const { number, method, path, protocol, startedMs, status, headersMs, frames, stream, exchange, notes } = request;
  const place = places.get(number);
  const { auxiliary, retryAfter, answer, error } = exchange ?? {};
  // A field that is undefined is not written.
  return {
    request: number,
    protocol,
    method,
    path,
    ...(exchange !== undefined && { model: exchange.conversation.model, stream }),
    test_id: exchange?.headers['x-test-id'],
    ...place,
    auxiliary,
    outcome: outcomeOf(request),
    status,
    retry_after: retryAfter,
    error,
    unread: request.unread,
    ...(notes.length > 0 && { notes }),
    started_ms: round(startedMs),
    headers_ms: headersMs && round(headersMs),
    usage: answer?.usage,
    ...(request.parts.length > 0 && { parts: request.parts.map((part) => partOf(part, known)) }),
    frames: frames.map(({ afterMs, text }) => ({ after_ms: round(afterMs), text })),
  };
}

/** The text of a part is in the first line that has the part; later ones have its digest. */
function partOf({ kind, name, text, digest }: RecordedRequest['parts'][number], known: Set<string>): object {
  if (known.has(digest)) return { name, digest };
  known.add(digest);
  const limit = kind === 'tool_result' ? MAX_RESULT : MAX_PART;
  const start = startOfText(text, limit);
  const omitted = text.length - start.length;
  return { name, digest, text: start, ...(omitted > 0 && { note: `${omitted} more characters are left out` }) };
}

/** The end of a request in one word. */
export function outcomeOf({ end, status, exchange }: RecordedRequest): string {
  if (end === 'unreachable' || (end === 'reset' && status === undefined)) return end;
  if (status !== undefined && status >= 400) return 'error';
  if (exchange === undefined) return end === 'complete' ? 'passed_through' : end;
  if (isAnswered(exchange)) return 'answered';
  if ((exchange.answer?.error ?? exchange.body) !== undefined) return 'error';
  return end === 'complete' ? 'cut' : end;
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Throws `SecretError` if a file holds a secret. The error names the line of a text with several. */
function refuseSecret(name: string, text: string, redaction: Redaction): void {
  const secret = redaction.find(text);
  if (secret === undefined) return;
  const lines = text.split('\n');
  const line = lines.findIndex((each) => redaction.find(each) !== undefined);
  const inLine = redaction.find(lines[line] ?? '');
  throw new SecretError(inLine ?? secret, inLine === undefined ? name : `${name}, line ${line + 1}`);
}

const WIDTH = 120;

/** JSON as a person writes it: an object or a list that fits on a line is on one line. */
function formatJson(value: unknown, indent = '', used = 0): string {
  const line = inOneLine(value);
  if (indent.length + used + line.length <= WIDTH && indent !== '') return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    // The numbers of a vector.
    if (value.every((item) => typeof item === 'number')) return line;
    return `[\n${value.map((item) => inner + formatJson(item, inner, 1)).join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return line;
  const fields = Object.entries(value).filter(([, item]) => item !== undefined);
  if (fields.length === 0) return '{}';
  const lines = fields.map(([key, item]) => {
    const head = `${inner}${JSON.stringify(key)}: `;
    return head + formatJson(item, inner, head.length - inner.length + 1);
  });
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, item]) => item !== undefined);
  if (fields.length === 0) return '{}';
  return `{ ${fields.map(([key, item]) => `${JSON.stringify(key)}: ${inOneLine(item)}`).join(', ')} }`;
}

/** The prompts of the steps in the text of a `recording.jsonl`. Lines that are not of this form are left out. */
export function readObserved(recording: string): readonly ObservedPrompt[] {
  const texts = new Map<string, string>();
  return recording.split('\n').flatMap((line): readonly ObservedPrompt[] => {
    const request = tryJson(line);
    if (!isJsonObject(request)) return [];
    const parts = objectsIn(request['parts']).flatMap((part): readonly ObservedPart[] => {
      const [name, digest, text] = [textIn(part['name']), textIn(part['digest']), part['text']];
      if (name === undefined || digest === undefined) return [];
      if (typeof text === 'string') texts.set(digest, text);
      // A cut text would differ from the whole one of another run.
      return part['note'] === undefined ? [{ kind: kindOf(name), name, text: texts.get(digest) ?? '' }] : [];
    });
    const { scenario, step } = request;
    return typeof scenario === 'string' && typeof step === 'number' ? [{ scenario, step, parts }] : [];
  });
}

const KINDS = ['system', 'sampling', 'user', 'assistant'] as const;

function kindOf(name: string): ObservedPart['kind'] {
  if (name.startsWith('tool result ')) return 'tool_result';
  return KINDS.find((kind) => name === kind || name.startsWith(`${kind} `)) ?? 'tool';
}

/** Lines for the user about the texts that differ between two recordings of the same run: entries for `volatile`. */
export function describeVolatile(
  first: readonly ObservedPrompt[],
  second: readonly ObservedPrompt[],
  known: readonly VolatileText[],
): readonly string[] {
  const { entries, unexplained } = compareRuns(first, second, known);
  return [
    ...(entries.length === 0
      ? []
      : ['the prompts differ from the last recording; add to "volatile" in prompt.lock.json:']),
    ...entries.map((entry) => `  ${JSON.stringify(entry)}`),
    ...unexplained.map((place) => `the prompts differ from the last recording: ${place}`),
  ];
}
