import { ModelError } from '../agent/errors.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../agent/ports/language-model.ts';
import type { Message, UserMessage } from '../agent/ports/messages.ts';

/**
 * True for a message that a wire with system messages inside the conversation sends as one: the text of a file that the
 * user named. Servers accept pictures from the user only.
 */
export function isSystemMessage({ file, images }: UserMessage): boolean {
  return file !== undefined && images === undefined;
}

/**
 * Words in the errors of servers that refuse the order of the roles, by a check of their own or the chat template of the
 * model. The word "system" alone does not count: an error about an overloaded system has it, too.
 */
const NAMES_ROLES = /\b(?:system (?:messages?|prompts?|instructions?)|roles?|template|jinja)\b|(["'`])system\1/i;

/**
 * A model whose server may accept a system message only at the beginning, as the chat templates of many open models do.
 * When a request with the text of a named file is refused for that, it yields a `retry` event and sends the request again
 * with the text in front of the user's message, and so every later request.
 */
export function withoutRejectedSystemMessages(model: LanguageModel): LanguageModel {
  let areRejected = false;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
    if (areRejected) {
      yield* model.stream(withUserTexts(request), signal);
      return;
    }
    let answered = false;
    try {
      for await (const event of model.stream(request, signal)) {
        answered = true;
        yield event;
      }
      return;
    } catch (error) {
      if (answered || !request.messages.some(isFile) || !(error instanceof ModelError) || !mayBlameRoles(error)) {
        throw error;
      }
      const message = `${error.message} The request is sent again with the named files in the messages of the user.`;
      yield { type: 'retry', attempt: 1, delayMs: 0, code: error.code, message };
    }
    for await (const event of model.stream(withUserTexts(request), signal)) {
      areRejected = true;
      yield event;
    }
  }
  return { ...model, stream };
}

function isFile(message: Message): boolean {
  return message.role === 'user' && isSystemMessage(message);
}

function mayBlameRoles({ code, message }: ModelError): boolean {
  return (code === 'bad_request' || code === 'overloaded') && NAMES_ROLES.test(message);
}

/** The request with the texts of files in front of the message that follows them, because two in a row may be refused, too. */
function withUserTexts(request: ModelRequest): ModelRequest {
  const messages: Message[] = [];
  let texts: string[] = [];
  const end = (): void => {
    if (texts.length > 0) messages.push({ role: 'user', content: texts.join('\n\n') });
    texts = [];
  };
  for (const message of request.messages) {
    if (isFile(message)) texts.push(message.content);
    else if (message.role === 'user' && texts.length > 0) {
      messages.push({ ...message, content: [...texts, message.content].join('\n\n') });
      texts = [];
    } else {
      end();
      messages.push(message);
    }
  }
  end();
  return { ...request, messages };
}
