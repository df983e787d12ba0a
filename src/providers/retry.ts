import { ModelError } from '../agent/errors.ts';
import type { Clock } from '../agent/ports/clock.ts';
import type {
  FinishReason,
  LanguageModel,
  ModelErrorCode,
  ModelEvent,
  ModelRequest,
} from '../agent/ports/language-model.ts';

/** Number and timing of the retries of a failed request. */
export interface RetrySettings {
  /** The maximum number of retries after the first failure; 0 turns retries off. */
  readonly attempts: number;
  /** The first wait; each further wait is twice as long, up to 30 s. */
  readonly backoffBaseMs: number;
}

const MAX_BACKOFF_MS = 30_000;

/** The maximum wait; if the provider asks for a longer one, the request is not repeated. */
const MAX_RETRY_AFTER_MS = 120_000;

/** The fraction of a wait that is random, so that several agents do not retry at the same moment. */
const JITTER = 0.25;

/**
 * A model that repeats requests which failed for a temporary reason: `rate_limit`, `overloaded`, `network`, `cut_off`,
 * `incomplete_answer`, and `unreachable` except for the first request of a run, which shall fail at once. It yields a `retry` event before each wait, which withdraws the events before it. A wait that the provider asked for
 * replaces the backoff; one that is longer than two minutes ends the retries with an error that names it. A finished
 * answer is never requested again. `random` returns numbers from 0 to below 1.
 */
export function withRetry(
  model: LanguageModel,
  clock: Clock,
  settings: RetrySettings,
  random: () => number = () => 0.5,
): LanguageModel {
  return { ...model, stream: (request, signal) => attempts(model, clock, settings, random, request, signal) };
}

async function* attempts(
  model: LanguageModel,
  clock: Clock,
  settings: RetrySettings,
  random: () => number,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, void> {
  for (let attempt = 1; ; attempt += 1) {
    let finished = false;
    try {
      for await (const event of model.stream(request, signal)) {
        finished ||= event.type === 'finish';
        yield event;
      }
      return;
    } catch (error) {
      const mayReturn = attempt > 1 || isInRun(request);
      const temporary = error instanceof ModelError && isTemporary(error.code, mayReturn);
      if (!temporary || finished || signal.aborted) throw error;
      if ((error.retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS) throw waitTooLong(error);
      if (attempt > settings.attempts) throw error;
      const retry = retryEvent(error, attempt, settings.backoffBaseMs, random());
      yield retry;
      await clock.sleep(retry.delayMs, signal);
    }
  }
}

function retryEvent(
  { code, message, retryAfterMs }: ModelError,
  attempt: number,
  backoffBaseMs: number,
  random: number,
) {
  const backoff = backoffBaseMs * 2 ** (attempt - 1) * (1 + JITTER * (2 * random - 1));
  const delayMs = retryAfterMs ?? Math.min(Math.round(backoff), MAX_BACKOFF_MS);
  return { type: 'retry', attempt, code, delayMs, message } as const;
}

/** The error for a wait that is too long. An earlier request would be refused, too, and may prolong the wait. */
function waitTooLong({ code, message, retryAfterMs = 0 }: ModelError): ModelError {
  const minutes = Math.ceil(retryAfterMs / 60_000);
  const wait = minutes > 600 ? `${Math.ceil(minutes / 60)} h` : `${minutes} min`;
  const note = `It asks to wait ${wait}, and ybs waits at most ${MAX_RETRY_AFTER_MS / 60_000} min. Try again after that time.`;
  return new ModelError(code, `${message} ${note}`, { retryAfterMs });
}

/** True for a request behind the results of calls: the server was there a moment ago. */
function isInRun({ messages }: ModelRequest): boolean {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(last + 1).some(({ role }) => role === 'tool');
}

/** `mayReturn`: the server was there during this run, so it may be starting again. */
function isTemporary(code: ModelErrorCode, mayReturn: boolean): boolean {
  switch (code) {
    case 'rate_limit':
    case 'overloaded':
    case 'network':
    case 'cut_off':
    case 'incomplete_answer':
      return true;
    case 'unreachable':
      return mayReturn;
    case 'auth':
    case 'bad_request':
    case 'unknown_model':
    case 'context_overflow':
    case 'budget_spent':
      return false;
  }
}

/**
 * A model that throws `incomplete_answer` for an answer without a text and without a call. Models send one now and then,
 * so that another try is worth it.
 */
export function withoutEmptyAnswers(model: LanguageModel): LanguageModel {
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
    let content = NO_CONTENT;
    for await (const event of model.stream(request, signal)) {
      content = addContent(content, event);
      if (event.type === 'finish' && WHOLE.has(event.reason) && !content.hasAnswer) throw emptyAnswer(content);
      yield event;
    }
  }
  return { ...model, stream };
}

/** The parts of an answer that have come. */
interface Content {
  readonly hasAnswer: boolean;
  readonly hasReasoning: boolean;
}

const NO_CONTENT: Content = { hasAnswer: false, hasReasoning: false };

/** The reasons of answers that the model has finished. */
const WHOLE: ReadonlySet<FinishReason> = new Set(['stop', 'tool_calls']);

function addContent(content: Content, event: ModelEvent): Content {
  switch (event.type) {
    case 'retry':
      return NO_CONTENT;
    case 'tool_call_delta':
      return { ...content, hasAnswer: true };
    case 'text_delta':
      return content.hasAnswer || event.text.trim() === '' ? content : { ...content, hasAnswer: true };
    case 'reasoning_delta':
      return content.hasReasoning ? content : { ...content, hasReasoning: true };
    default:
      return content;
  }
}

function emptyAnswer({ hasReasoning }: Content): ModelError {
  const what = hasReasoning ? 'only its reasoning, and no answer' : 'an empty answer';
  return new ModelError('incomplete_answer', `The model sent ${what}. Try again.`);
}
