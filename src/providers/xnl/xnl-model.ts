import type { JsonValue } from '../../agent/ports/json.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../agent/ports/language-model.ts';
import { providerState } from '../provider-state.ts';
import { type AnswerPiece, BlockReader, type CallElement } from './read-blocks.ts';
import { readCall } from './read-call.ts';
import { rawAnswer, withoutNativeTools } from './request.ts';

/**
 * A model that calls tools in text, in the protocol XNL, whatever the wire below. The user sees the text without the
 * blocks; the history keeps the answer as it was written. A call that cannot be executed has a `problem` for the model.
 */
export function withXnl(model: LanguageModel): LanguageModel {
  return { ...model, stream: (request, signal) => answer(model, request, signal) };
}

async function* answer(
  model: LanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, void> {
  let reader = new BlockReader();
  let raw = '';
  let below: readonly JsonValue[] = [];
  /** The first index that no native call of the answer has. */
  let free = 0;
  /** By their id, so that a later call with the same id takes the place of the first. */
  const calls = new Map<string | CallElement, CallElement>();
  const take = function* (pieces: readonly AnswerPiece[]): Generator<ModelEvent, void, void> {
    for (const piece of pieces) {
      if (piece.type === 'text') yield { type: 'text_delta', text: piece.text };
      else for (const call of piece.calls) calls.set(call.id ?? call, call);
    }
  };
  for await (const event of model.stream(withoutNativeTools(request, model.identity), signal)) {
    switch (event.type) {
      case 'text_delta':
        raw += event.text;
        yield* take(reader.read(event.text));
        if (reader.isInBlock) yield { type: 'held_delta', text: event.text };
        break;
      case 'tool_call_delta':
        free = Math.max(free, event.index + 1);
        yield event;
        break;
      case 'provider_state':
        below = event.state.items;
        break;
      case 'retry':
        reader = new BlockReader();
        raw = '';
        below = [];
        free = 0;
        calls.clear();
        yield event;
        break;
      case 'finish':
        yield* take(reader.end());
        for (const [index, call] of [...calls.values()].entries()) yield callEvent(call, free + index);
        if (calls.size > 0 || below.length > 0) {
          yield { type: 'provider_state', state: providerState(model.identity, rawAnswer(raw, below)) };
        }
        yield calls.size > 0 ? { type: 'finish', reason: 'tool_calls' } : event;
        break;
      default:
        yield event;
    }
  }
}

const NO_ID = 'The tool_call has no id, so it was not executed. Send it again with an id.';

function callEvent({ id, text, problem }: CallElement, index: number): ModelEvent {
  const call = readCall(text);
  const reason =
    problem ?? (id === undefined ? NO_ID : undefined) ?? (call.type === 'invalid' ? call.reason : undefined);
  const args = call.type === 'call' ? JSON.stringify(call.arguments) : '{}';
  const event = { type: 'tool_call_delta', index, name: call.name, arguments: args } as const;
  return { ...event, ...(id === undefined ? {} : { id }), ...(reason === undefined ? {} : { problem: reason }) };
}
