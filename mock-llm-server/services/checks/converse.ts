import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { listOf, objectOf, objectsOf } from '../raw.ts';
import type { Check } from '../service.ts';
import { isSet } from './fields.ts';

/** The blocks of all messages, each with its path. */
function blocksOf(body: JsonObject): readonly (readonly [path: string, block: JsonObject])[] {
  return objectsOf(body['messages']).flatMap(({ content }, index) =>
    objectsOf(content).map((block, position) => [`messages.${index}.content.${position}`, block] as const),
  );
}

/** Refuses a conversation with the first block for which there is a reason. */
function refuseBlock(reason: (block: JsonObject, path: string) => string | undefined): Check {
  return ({ body }) => {
    for (const [path, block] of blocksOf(body)) {
      const message = reason(block, path);
      if (message !== undefined) return { message };
    }
    return undefined;
  };
}

/** Refuses an empty text, and one of white space at the start of a message. Further on, line breaks are accepted. */
export const refuseBlankBlock = refuseBlock(({ text }, path) =>
  text === '' || (typeof text === 'string' && text.trim() === '' && path.endsWith('.content.0'))
    ? `The text field in the ContentBlock object at ${path} is blank. Add text to the text field, and try again.`
    : undefined,
);

/** Refuses a message without content. */
export const refuseEmptyContent: Check = ({ body }) => {
  const index = objectsOf(body['messages']).findIndex(({ content }) => Array.isArray(content) && content.length === 0);
  if (index === -1) return undefined;
  return {
    message:
      `The content field in the Message object at messages.${index} is empty. Add a ContentBlock object to the ` +
      'content field and try again.',
  };
};

/** Refuses JSON in a result that is no object. */
export const refuseJsonResult = refuseBlock(({ toolResult }, path) => {
  const position = objectsOf(objectOf(toolResult)['content']).findIndex(
    ({ json }) => json !== undefined && !isJsonObject(json),
  );
  if (position === -1) return undefined;
  const where = `${path}.toolResult.content.${position}.json`;
  return `The format of the value at ${where} is invalid. Provide a json object for the field and try again.`;
});

/** Refuses a failed result without content. */
export const refuseEmptyError = refuseBlock(({ toolResult }, path) => {
  const { status, content } = objectOf(toolResult);
  if (status !== 'error' || listOf(content).length > 0) return undefined;
  return `The content field at ${path}.toolResult cannot be empty when status value is error.`;
});

/** Refuses a history with calls or results in a request that offers no tools. */
export const refuseHistoryWithoutToolConfig: Check = ({ body }) => {
  if (isSet(body['toolConfig'])) return undefined;
  const isUsed = blocksOf(body).some(([, { toolUse, toolResult }]) => isSet(toolUse) || isSet(toolResult));
  if (!isUsed) return undefined;
  return { message: 'The toolConfig field must be defined when using toolUse and toolResult content blocks.' };
};
