import { ModelError } from '../core/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { LanguageModel, ModelErrorCode, ModelEvent, ModelRequest } from '../ports/language-model.ts';

/** How often and how patiently a failed request is repeated. */
export interface RetrySettings {
  /** How many times a request is repeated after its first failure; 0 turns retries off. */
  readonly attempts: number;
  /** The first wait; each further one is twice as long, 30 s at most. */
  readonly backoffBaseMs: number;
}

const LONGEST_BACKOFF_MS = 30_000;

/** A provider that asks for a longer wait is asked again after this one. */
const LONGEST_ASKED_WAIT_MS = 120_000;

/** How much of a wait is left to chance, so that several agents do not come back at the same moment. */
const JITTER = 0.25;

/**
 * A model that repeats requests which failed for a passing reason: `rate_limit`, `overloaded`, `network`, `cut_off`.
 * Before each wait comes a `retry` event, which withdraws what came before it. A wait the provider asked for wins over
 * the backoff. An answer that has finished is never asked for again. `random` gives numbers from 0 to below 1.
 */
export function withRetry(
  model: LanguageModel,
  clock: Clock,
  settings: RetrySettings,
  random: () => number = () => 0.5,
): LanguageModel {
  return { stream: (request, signal) => attempts(model, clock, settings, random, request, signal) };
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
      const passing = error instanceof ModelError && isPassing(error.code);
      if (!passing || finished || attempt > settings.attempts || signal.aborted) throw error;
      const retry = retryEvent(error, attempt, settings.backoffBaseMs, random());
      yield retry;
      await clock.sleep(retry.delayMs, signal);
    }
  }
}

function retryEvent(error: ModelError, attempt: number, backoffBaseMs: number, chance: number) {
  const { code, message, retryAfterMs: asked } = error;
  const common = { type: 'retry', attempt, code } as const;
  if (asked === undefined) {
    const backoff = backoffBaseMs * 2 ** (attempt - 1) * (1 + JITTER * (2 * chance - 1));
    return { ...common, delayMs: Math.min(Math.round(backoff), LONGEST_BACKOFF_MS), message };
  }
  if (asked <= LONGEST_ASKED_WAIT_MS) return { ...common, delayMs: asked, message };
  const note = `The provider asks to wait ${Math.ceil(asked / 1000)} s; trying again after ${LONGEST_ASKED_WAIT_MS / 1000} s.`;
  return { ...common, delayMs: LONGEST_ASKED_WAIT_MS, message: `${message} ${note}` };
}

function isPassing(code: ModelErrorCode): boolean {
  switch (code) {
    case 'rate_limit':
    case 'overloaded':
    case 'network':
    case 'cut_off':
      return true;
    case 'auth':
    case 'bad_request':
    case 'context_overflow':
      return false;
  }
}
