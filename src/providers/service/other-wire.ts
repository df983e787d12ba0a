import { ModelError } from '../../agent/errors.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../agent/ports/language-model.ts';

/** Words with which a service refuses a model on one of OpenAI's wires that has the other one. */
const WRONG_WIRE =
  /not (?:accessible|supported|available|allowed).{0,30}(?:chat[/ ]completions|\/?v?1?\/?responses)|only (?:supported|available) in v1\/(?:responses|chat\/completions)|not a chat model|unsupported_api_for_model|(?:use|try) (?:the )?\/?v1\/(?:responses|chat\/completions)|does not support .{0,20}chat.completions/i;

/** A model that goes on over another wire, from the first request on that its service refuses on this one. */
export function withOtherWire(model: LanguageModel, open: () => Promise<LanguageModel>): LanguageModel {
  let current = model;
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
    if (current !== model) return yield* current.stream(request, signal);
    let answered = false;
    try {
      for await (const event of model.stream(request, signal)) {
        answered = true;
        yield event;
      }
      return;
    } catch (error) {
      if (answered || signal.aborted || !(error instanceof ModelError) || !WRONG_WIRE.test(error.message)) throw error;
      current = await open();
      const message = `${error.message} The request is sent again over ${current.identity.wire}.`;
      yield { type: 'retry', attempt: 1, delayMs: 0, code: error.code, message };
    }
    yield* current.stream(request, signal);
  }
  return { ...model, stream };
}
