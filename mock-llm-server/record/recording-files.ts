import { createLock, formatLock } from '../drift/lock.ts';
import type { ScenarioFile, ScenarioSpecification } from '../scenario/format.ts';
import type { ObservedPrompt, PromptLock } from '../scenario/lock/prompt-lock.ts';
import { startOfText } from '../text.ts';
import { isAnswered } from './exchange.ts';
import type { RecordedRequest } from './recorder.ts';
import type { Redaction } from './redaction.ts';
import { type BuiltScenarios, buildScenarios, mergeScenarios } from './scenarios/build-scenarios.ts';
import { buildFromReplay, type ReplayedStory } from './scenarios/keep-replayed.ts';

/** The files of a recording by their names, and what a user should know of them. */
export interface RecordingFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly scenarios: readonly ScenarioSpecification[];
  /** The prompts of the user if they belong to one conversation, in order. */
  readonly prompts: readonly string[];
  /** The prompts that steps answered. */
  readonly observed: readonly ObservedPrompt[];
  /** Sentences on what the scenarios do not reproduce. */
  readonly notes: readonly string[];
}

/** A file of a recording still holds a secret. Nothing was written. */
export class SecretError extends Error {
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
  readonly scenario?: ScenarioFile;
  /** The lines of its recording, each with its end. */
  readonly recording?: string;
  /** All scenarios that are loaded, those of the file included. */
  readonly loaded?: ScenarioFile['scenarios'];
  /** The prompts of the story as they were accepted; those of steps that stay are kept, and so is what is volatile. */
  readonly lock?: PromptLock;
  /** The agent whose prompts these are; any by default. */
  readonly agent?: string;
  /** The scenarios of the file that answered the first requests of the recording, which replaces them. */
  readonly replayed?: ReplayedStory;
}

/**
 * Makes the files of a recording. Throws `SecretError` if one of them holds a secret after redaction. `change` completes
 * the content of the scenario file. Pure.
 */
export function makeRecordingFiles(
  requests: readonly RecordedRequest[],
  redaction: Redaction,
  { scenario, recording = '', loaded = scenario?.scenarios ?? [], lock, agent = 'any', replayed }: EarlierFiles = {},
  change: (content: ScenarioFile, built: BuiltScenarios) => ScenarioFile = (content) => content,
): RecordingFiles {
  const exchanges = requests.flatMap(({ exchange }) => exchange ?? []);
  const built =
    replayed === undefined
      ? buildScenarios(exchanges, { all: loaded, own: scenario?.scenarios ?? [] })
      : buildFromReplay(exchanges, replayed);
  const files = new Map<string, string>();
  const kept = replayed === undefined ? scenario : undefined;
  const scenarios = mergeScenarios(kept?.scenarios ?? [], built.scenarios);
  if (scenarios.length > 0) {
    const content = change({ ...scenario, scenarios }, built);
    files.set('scenario.json', `${formatJson(content)}\n`);
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
  for (const [name, text] of files) {
    const place = placeOfSecret(name, text, redaction);
    if (place !== undefined) throw new SecretError(place.secret, place.place);
  }
  return { files, scenarios: built.scenarios, prompts: built.prompts, observed, notes: built.notes };
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
  return {
    request: number,
    ...(protocol !== undefined && { protocol }),
    method,
    path,
    ...(exchange !== undefined && { model: exchange.conversation.model, stream }),
    ...(exchange?.headers['x-test-id'] !== undefined && { test_id: exchange.headers['x-test-id'] }),
    ...place,
    ...(auxiliary !== undefined && { auxiliary }),
    outcome: outcomeOf(request),
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
    ...(error !== undefined && { error }),
    ...(request.unread !== undefined && { unread: request.unread }),
    ...(notes.length > 0 && { notes }),
    started_ms: round(startedMs),
    ...(headersMs !== undefined && { headers_ms: round(headersMs) }),
    ...(answer?.usage !== undefined && { usage: answer.usage }),
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
  if (exchange.answer?.error !== undefined) return 'error';
  return end === 'complete' ? 'cut' : end;
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** A secret in a file, and its place: a line of the recording, or the scenario. */
function placeOfSecret(name: string, text: string, redaction: Redaction) {
  if (redaction.find(text) === undefined) return undefined;
  const lines = text.split('\n');
  const line = lines.findIndex((each) => redaction.find(each) !== undefined);
  const secret = redaction.find(lines[line] ?? text) ?? redaction.find(text) ?? 'a secret';
  return { secret, place: line === -1 ? name : `${name}, line ${line + 1}` };
}

const WIDTH = 120;

/** JSON as a person writes it: an object or a list that fits on a line is on one line. */
function formatJson(value: unknown, indent = '', used = 0): string {
  const line = inOneLine(value);
  if (indent.length + used + line.length <= WIDTH && indent !== '') return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
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
