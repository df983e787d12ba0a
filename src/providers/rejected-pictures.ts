import { ModelError } from '../agent/errors.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../agent/ports/language-model.ts';
import type { ImageContent, Message } from '../agent/ports/messages.ts';

/** Stands for the pictures of a prompt or a result that the provider refused. */
const PLACEHOLDER = '[Pictures left out: the provider refused them.]';

/** Words with which servers without pictures refuse a request that has some; not all of them answer 400. */
const NAMES_PICTURES = /\b(images?|image_url|pictures?|vision|multimodal|mmproj)\b/i;

/** A request that is too large as such. */
const TOO_LARGE = /\(413\b/;

/** The status of a server that failed at a request, as some do at a picture. */
const FAILED = /\(500\b/;

/**
 * A model that survives pictures which its provider refuses: a picture that is too large or damaged, or a model that
 * cannot see. When the first request with a picture is refused, it yields a `retry` event and sends the request again
 * with a placeholder, and so does every later request. Otherwise, the picture in the history would make the provider
 * refuse all of them.
 */
export function withoutRejectedPictures(model: LanguageModel): LanguageModel {
  const accepted = new WeakSet<ImageContent>();
  const rejected = new WeakSet<ImageContent>();
  /** Pictures of requests at which a server failed without a word about them. */
  const suspects = new WeakSet<ImageContent>();

  const withPlaceholders = (request: ModelRequest): ModelRequest => ({
    ...request,
    messages: request.messages.map((message) => {
      if (!imagesOf(message).some((image) => rejected.has(image))) return message;
      return { ...message, images: [], content: `${message.content}\n${PLACEHOLDER}` };
    }),
  });

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
    const sent = withPlaceholders(request);
    const pictures = sent.messages.flatMap(imagesOf);
    const untried = pictures.filter((picture) => !accepted.has(picture));
    let answered = false;
    try {
      for await (const event of model.stream(sent, signal)) {
        // The model inside may send the request again for another reason.
        if (event.type !== 'retry') {
          answered = true;
          for (const picture of pictures) accepted.add(picture);
        }
        yield event;
      }
      return;
    } catch (error) {
      if (answered || pictures.length === 0 || !(error instanceof ModelError)) throw error;
      const hasFailed = FAILED.test(error.message) && untried.some((picture) => suspects.has(picture));
      for (const picture of untried) suspects.add(picture);
      const isTooLarge = TOO_LARGE.test(error.message);
      if (isTooLarge && sizeOf(pictures) < sizeOf(sent)) throw error;
      const names = NAMES_PICTURES.test(error.message);
      // A limit may depend on the number of pictures, so that it concerns earlier ones, too.
      const blamed = isTooLarge || (untried.length === 0 && names) ? pictures : untried;
      if (blamed.length === 0 || (!isTooLarge && !mayBlamePictures(error) && !hasFailed)) throw error;
      for (const picture of blamed) rejected.add(picture);
      const message = `${error.message} The request is sent again without its pictures.`;
      yield { type: 'retry', attempt: 1, delayMs: 0, code: error.code, message };
    }
    yield* stream(request, signal);
  }
  return { ...model, stream };
}

/** The length of pictures as JSON, or of a request without its pictures. */
function sizeOf(part: ModelRequest | readonly ImageContent[]): number {
  return JSON.stringify(part, (key, value) => (key === 'images' ? undefined : value)).length;
}

function imagesOf(message: Message): readonly ImageContent[] {
  return message.role === 'assistant' ? [] : (message.images ?? []);
}

function mayBlamePictures({ code, message }: ModelError): boolean {
  return code === 'bad_request' || (code === 'overloaded' && NAMES_PICTURES.test(message));
}
