import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { describeConverseFaults } from '../../wire/bedrock/shape.ts';
import { listOf, objectOf, objectsOf, textOf } from '../raw.ts';
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

/** Refuses an empty text in a result. */
export const refuseBlankResult = refuseBlock(({ toolResult }) =>
  objectsOf(objectOf(toolResult)['content']).some(({ text }) => text === '')
    ? 'messages: text content blocks must be non-empty'
    : undefined,
);

/** Refuses a source in S3. */
export const refuseS3 = refuseBlock((block, path) => {
  const kind = ['document', 'image'].find((name) => isSet(objectOf(objectOf(block[name])['source'])['s3Location']));
  return kind === undefined ? undefined : `${path}.${kind}.source.type: Field required`;
});

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

const MAX_DOCUMENTS = 5;

/** Refuses two documents of one name, and more than five in a message. */
export const limitDocuments: Check = ({ body }) => {
  const documents = blocksOf(body).flatMap(([, { document }]) => (isJsonObject(document) ? [document] : []));
  const names = documents.map(({ name }) => textOf(name));
  if (new Set(names).size < names.length) {
    return {
      message: "Messages can't contain duplicate document names. Rename the document and retry your request.",
    };
  }
  const isTooMany = objectsOf(body['messages']).some(
    ({ content }) => objectsOf(content).filter(({ document }) => isSet(document)).length > MAX_DOCUMENTS,
  );
  return isTooMany ? { message: `You can't include more than ${MAX_DOCUMENTS} documents in a request.` } : undefined;
};

const MAX_FILES = 20;

/** Refuses more than 20 pictures and documents. */
export const limitPicturesAndDocuments: Check = ({ body }) => {
  const blocks = blocksOf(body).map(([, block]) => block);
  const [pictures, documents] = ['image', 'document'].map(
    (kind) => blocks.filter((block) => isSet(block[kind])).length,
  );
  if ((pictures ?? 0) + (documents ?? 0) <= MAX_FILES) return undefined;
  return {
    message: `The model returned the following errors: too many images and documents: ${pictures} + ${documents} > ${MAX_FILES}`,
  };
};

/** The most tokens of an answer by model: https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html */
const OUTPUT_LIMITS: readonly (readonly [models: RegExp, max: number])[] = [
  [/claude-3-(?:opus|sonnet|haiku)-/, 4096],
  [/claude-3-5-/, 8192],
  [/claude-(?:sonnet|haiku)-4-[05]?-?|claude-opus-4-5/, 64_000],
  [/meta\.llama[34]/, 8192],
  [/amazon\.nova-(?:micro|lite|pro)-v1/, 10_000],
];

/** Refuses an output limit that the model does not have. */
export const limitConverseOutput: Check = ({ body, model }) => {
  const { maxTokens } = objectOf(body['inferenceConfig']);
  const [, max = Number.POSITIVE_INFINITY] = OUTPUT_LIMITS.find(([models]) => models.test(model)) ?? [];
  if (typeof maxTokens !== 'number' || maxTokens <= max) return undefined;
  return {
    message: `The maximum tokens you requested exceeds the model limit of ${max}. Try again with a maximum tokens value that is lower than ${max}.`,
  };
};

/** Refuses the field with which Nova 2 reasons. */
export const refuseReasoningConfig: Check = ({ body }) =>
  isSet(objectOf(body['additionalModelRequestFields'])['reasoningConfig'])
    ? {
        message:
          'The model returned the following errors: Malformed input request: the provided reasoning config value is invalid, please reformat your input and try again.',
      }
    : undefined;

/** Refuses a schema of a tool that is no object. */
export const refuseToolSchema: Check = ({ body }) => {
  for (const [index, { toolSpec }] of objectsOf(objectOf(body['toolConfig'])['tools']).entries()) {
    const { json } = objectOf(objectOf(toolSpec)['inputSchema']);
    if (!isJsonObject(json) || json['type'] === 'object') continue;
    const path = `toolConfig.tools.${index}.toolSpec.inputSchema.json.type`;
    return { message: `The value at ${path} must be one of the following: object.` };
  }
  return undefined;
};

/** Parts of JSON Schema that Nova does not take at the top of a schema. */
const FOREIGN_TO_NOVA = ['$defs', 'definitions', '$schema'];

/** Refuses a schema of a tool with a part at its top that Nova does not have. */
export const refuseNovaSchema: Check = ({ body }) => {
  for (const [index, { toolSpec }] of objectsOf(objectOf(body['toolConfig'])['tools']).entries()) {
    const schema = objectOf(objectOf(objectOf(toolSpec)['inputSchema'])['json']);
    const found = FOREIGN_TO_NOVA.find((key) => isSet(schema[key]));
    if (found === undefined) continue;
    return {
      message: `The model returned the following errors: Malformed input request: #/toolConfig/tools/${index}/toolSpec/inputSchema/json: extraneous key [${found}] is not permitted, please reformat your input and try again.`,
    };
  }
  return undefined;
};

/** Refuses a text after a call. */
export const refuseTextAfterCalls: Check = ({ body }) => {
  for (const [index, { content }] of objectsOf(body['messages']).entries()) {
    const blocks = objectsOf(content);
    const first = blocks.findIndex(({ toolUse }) => isSet(toolUse));
    if (first === -1 || !blocks.slice(first).some(({ text }) => isSet(text))) continue;
    return {
      message: `The model returned the following errors: messages.${index}: \`tool_use\` blocks can only be followed by other \`tool_use\` blocks`,
    };
  }
  return undefined;
};

/** Refuses a conversation that begins with the assistant. */
export const refuseFirstAnswer: Check = ({ body }) =>
  objectsOf(body['messages'])[0]?.['role'] === 'assistant'
    ? {
        message:
          'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
      }
    : undefined;

/** Refuses neighbours of one role. */
export const requireTurns: Check = ({ body }) => {
  const roles = objectsOf(body['messages']).map(({ role }) => role);
  if (roles.every((role, index) => role !== roles[index - 1])) return undefined;
  return {
    message:
      'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.',
  };
};

/** Refuses a text beside calls or results in one message. */
export function refuseTextBeside(field: 'toolUse' | 'toolResult', name: string): Check {
  return ({ body }) => {
    const index = objectsOf(body['messages']).findIndex(({ content }) => {
      const blocks = objectsOf(content);
      return blocks.some((block) => isSet(block[field])) && blocks.some(({ text }) => isSet(text));
    });
    if (index === -1) return undefined;
    return {
      message: `messages.${index}.content: Conversation blocks and ${name} blocks cannot be provided in the same turn.`,
    };
  };
}

/** Refuses the values that the model of the service excludes. */
export const refuseConverseFaults: Check = ({ body }) => {
  const message = describeConverseFaults(body);
  return message === undefined ? undefined : { message };
};

/** Refuses a call without arguments, and one whose arguments are no object. */
export const refuseNoArguments = refuseBlock(({ toolUse }, path) => {
  const { input } = objectOf(toolUse);
  if (input === undefined || isJsonObject(input)) return undefined;
  if (input === null || input === '') return `The value at ${path}.toolUse.input is empty.`;
  return `The format of the value at ${path}.toolUse.input is invalid. Provide a json object for the field and try again.`;
});

/** Refuses a mark for the cache right after reasoning. */
export const refuseMarkAfterReasoning: Check = ({ body }) => {
  const isWrong = objectsOf(body['messages']).some(({ content }) =>
    objectsOf(content).some(
      ({ cachePoint }, position, blocks) => isSet(cachePoint) && isSet(blocks[position - 1]?.['reasoningContent']),
    ),
  );
  return isWrong
    ? {
        message:
          'Cache point cannot be inserted after reasoning block. Please remove the invalid cache point and try again.',
      }
    : undefined;
};

/** Refuses a message with nothing but a mark for the cache. */
export const refuseLoneMark: Check = ({ body }) =>
  objectsOf(body['messages']).some(({ content }) => {
    const blocks = objectsOf(content);
    return blocks.length > 0 && blocks.every(({ cachePoint }) => isSet(cachePoint));
  })
    ? { message: 'There is nothing available to cache. Please remove the invalid cache point and try again.' }
    : undefined;

/** Refuses marks for the cache, for models whose prompts it does not keep. */
export const refuseCachePoints: Check = ({ body }) => {
  const lists = [body['system'], objectOf(body['toolConfig'])['tools']];
  const blocks = [...lists.flatMap(objectsOf), ...blocksOf(body).map(([, block]) => block)];
  if (!blocks.some(({ cachePoint }) => isSet(cachePoint))) return undefined;
  return {
    status: 403,
    message:
      'You invoked an unsupported model or your request did not allow prompt caching. See the documentation for more information.',
  };
};

/** Refuses a mark for the cache right after a document that is no PDF. */
export const refuseMarkAfterDocument: Check = ({ body }) => {
  for (const [index, { content }] of objectsOf(body['messages']).entries()) {
    const blocks = objectsOf(content);
    const position = blocks.findIndex(({ cachePoint }, place) => {
      const { format } = objectOf(blocks[place - 1]?.['document']);
      return isSet(cachePoint) && isSet(format) && format !== 'pdf';
    });
    if (position === -1) continue;
    const path = `messages.${index}.content.${position}`;
    return { message: `The model returned the following errors: ${path}.type: Field required` };
  }
  return undefined;
};

/** Refuses a mark for the cache beside results. */
export const refuseMarkBesideResults: Check = ({ body }) => {
  const index = objectsOf(body['messages']).findIndex(({ content }) => {
    const blocks = objectsOf(content);
    return blocks.some(({ cachePoint }) => isSet(cachePoint)) && blocks.some(({ toolResult }) => isSet(toolResult));
  });
  if (index === -1) return undefined;
  return {
    message: `Malformed input request: #/messages/${index}/content/0: extraneous key [cachePoint] is not permitted, please reformat your input and try again.`,
  };
};

/** Refuses tools, or tools in a stream only. */
export function refuseConverseTools(where: 'everywhere' | 'in streams'): Check {
  return ({ body, path }) => {
    if (!isSet(body['toolConfig'])) return undefined;
    const isStream = path.endsWith('-stream');
    if (isStream) return { message: "This model doesn't support tool use in streaming mode." };
    return where === 'everywhere' ? { message: "This model doesn't support tool use." } : undefined;
  };
}
