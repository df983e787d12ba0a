import type { LanguageModel, ModelEvent, ModelRequest } from '../../agent/ports/language-model.ts';
import type { TextCall } from './call-text.ts';
import { createTextFilter, type TextFilter } from './text-filter.ts';

/**
 * A model whose answers may contain reasoning and calls as text, as those of many local models do. `<think>…</think>`
 * at the start of an answer becomes reasoning. Calls at the end of an answer become calls if each of them is complete,
 * names a tool of the request and has valid arguments, if the model finished its answer, and if the answer contains no
 * other call; a warning `recovered_tool_call` reports them. Text is held back only while it may be part of a call, and no
 * longer than `maxHeld` characters.
 */
export function withTextCalls(model: LanguageModel, maxHeld?: number): LanguageModel {
  return { ...model, stream: (request, signal) => recoverCalls(model, request, signal, maxHeld) };
}

async function* recoverCalls(
  model: LanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
  maxHeld: number | undefined,
): AsyncGenerator<ModelEvent, void, void> {
  let filter = createTextFilter(request.tools, maxHeld);
  try {
    for await (const event of model.stream(request, signal)) {
      switch (event.type) {
        case 'text_delta':
          yield* filter.push(event.text);
          break;
        case 'tool_call_delta':
          yield* filter.ignoreCalls();
          yield event;
          break;
        case 'finish':
          // An answer that was cut or filtered may lack a part of its calls.
          if (event.reason === 'length' || event.reason === 'content_filter') yield* filter.ignoreCalls();
          yield* finish(event, filter.end());
          return;
        case 'retry':
          filter = createTextFilter(request.tools, maxHeld);
          yield event;
          break;
        default:
          yield event;
      }
    }
    yield* rest(filter);
  } catch (error) {
    yield* rest(filter);
    throw error;
  }
}

/** The text that was held back in an answer that did not finish. */
function* rest(filter: TextFilter): Generator<ModelEvent, void, void> {
  yield* filter.ignoreCalls();
  yield* filter.end().parts;
}

function* finish(
  event: Extract<ModelEvent, { type: 'finish' }>,
  { parts, calls }: ReturnType<TextFilter['end']>,
): Generator<ModelEvent, void, void> {
  yield* parts;
  if (calls.length === 0) return yield event;
  yield { type: 'warning', code: 'recovered_tool_call', message: describe(calls) };
  yield* calls.map((call, index) => ({ type: 'tool_call_delta', index, ...call }) as const);
  yield { type: 'finish', reason: 'tool_calls' };
}

function describe(calls: readonly TextCall[]): string {
  const names = calls.map(({ name }) => name).join(', ');
  return calls.length === 1
    ? `The model wrote its call of ${names} as text. It counts as a call.`
    : `The model wrote its calls of ${names} as text. They count as calls.`;
}
