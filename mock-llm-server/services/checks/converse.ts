import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Check } from '../service.ts';
import { isSet } from './fields.ts';

/** The blocks of all messages, each with its path. */
export function converseBlocksOf(body: JsonObject): readonly (readonly [path: string, block: JsonObject])[] {
  return objectsOf(body['messages']).flatMap(({ content }, index) =>
    objectsOf(content).map((block, position) => [`messages.${index}.content.${position}`, block] as const),
  );
}

/** Refuses a conversation with the first block for which there is a reason. */
export function refuseConverseBlock(reason: (block: JsonObject, path: string) => string | undefined): Check {
  return ({ body }) => {
    for (const [path, block] of converseBlocksOf(body)) {
      const message = reason(block, path);
      if (message !== undefined) return { message };
    }
    return undefined;
  };
}

const MAX_DOCUMENTS = 5;

/** Refuses two documents of one name, and more than five in a message. */
export const limitDocuments: Check = ({ body }) => {
  const documents = converseBlocksOf(body).flatMap(([, { document }]) => (isJsonObject(document) ? [document] : []));
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
