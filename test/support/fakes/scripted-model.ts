import type { ModelError } from '../../../src/agent/errors.ts';
import type {
  FinishReason,
  LanguageModel,
  ModelEvent,
  ModelIdentity,
  ModelRequest,
  TokenUsage,
} from '../../../src/agent/ports/language-model.ts';
import type { ToolCall } from '../../../src/agent/ports/messages.ts';

/** The names of a model in tests. */
export const SCRIPTED: ModelIdentity = { provider: 'test', wire: 'scripted', model: 'scripted-model' };

/** One answer of the model. Its parts are sent in the order of these properties. */
export interface ScriptedAnswer {
  readonly reasoning?: string;
  /** The pieces of a list are sent one by one. */
  readonly text?: string | readonly string[];
  readonly calls?: readonly ToolCall[];
  /** Events sent unchanged, for answers that the parts above cannot express. */
  readonly events?: readonly ModelEvent[];
  readonly usage?: TokenUsage;
  /** `stall` hangs until the abort; an error is thrown; `none` ends without a finish. */
  readonly end?: FinishReason | 'stall' | 'none' | ModelError;
}

/** A model that answers from a script. */
export interface ScriptedModel extends LanguageModel {
  /** Copies of the requests in the order of arrival, including the unexpected ones. */
  readonly requests: readonly ModelRequest[];
  enqueue(...answers: readonly ScriptedAnswer[]): void;
  /** Throws when an answer was not requested, or when there was a request after the last answer. */
  assertExhausted(): void;
}

/** A model with these answers, one per request. A request after the last answer fails with an error that shows the request. */
export function createScriptedModel(...answers: readonly ScriptedAnswer[]): ScriptedModel {
  const script = [...answers];
  const requests: ModelRequest[] = [];
  const unexpected: string[] = [];
  return {
    identity: SCRIPTED,
    requests,
    enqueue: (...more) => void script.push(...more),
    async *stream(request, signal) {
      signal.throwIfAborted();
      requests.push(structuredClone(request));
      const answer = script.shift();
      if (answer === undefined) {
        const problem = `the script has no answer for request ${requests.length}: ${summarize(request)}`;
        unexpected.push(problem);
        throw new Error(problem);
      }
      for (const event of eventsOf(answer)) {
        yield event;
        signal.throwIfAborted();
      }
      const { end } = answer;
      if (end === 'stall') await untilAborted(signal);
      if (end instanceof Error) throw end;
    },
    assertExhausted() {
      const left = script.map((answer) => `unused answer: ${JSON.stringify(answer)}`);
      const problems = [...unexpected, ...left];
      if (problems.length > 0) throw new Error(`the script and the run differ:\n${problems.join('\n')}`);
    },
  };
}

/** A call with its arguments as JSON; a string is sent unchanged, so that broken JSON can be scripted. */
export function scriptedCall(id: string, name: string, args: string | Readonly<Record<string, unknown>>): ToolCall {
  return { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
}

function eventsOf(answer: ScriptedAnswer): ModelEvent[] {
  const { reasoning, text = [], calls = [], events = [], usage, end } = answer;
  const finish = end ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  return [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning_delta', text: reasoning } as const]),
    ...(typeof text === 'string' ? [text] : text).map((piece) => ({ type: 'text_delta', text: piece }) as const),
    ...calls.map((call, index) => ({ type: 'tool_call_delta', index, ...call }) as const),
    ...events,
    ...(usage === undefined ? [] : [{ type: 'usage', ...usage } as const]),
    ...(typeof finish !== 'string' || finish === 'stall' || finish === 'none'
      ? []
      : [{ type: 'finish', reason: finish } as const]),
  ];
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function summarize(request: ModelRequest): string {
  const last = request.messages.at(-1);
  const tail = last === undefined ? 'no messages' : `the last of ${request.messages.length} is ${JSON.stringify(last)}`;
  return `${tail}, tools ${request.tools.map(({ name }) => name).join(', ') || 'none'}`;
}
