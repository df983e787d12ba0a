import type { JsonObject, Protocol } from './conversation.ts';
import { isJsonObject } from './json.ts';

/**
 * A part of an earlier answer beside its text and calls, as a client sends it back: `index` is the position in the
 * protocol's own list, `place` that in the message. `mark` is a signature or the encrypted form.
 */
export type EchoedTrace = { readonly index: number; readonly place: number } & (
  | { readonly type: 'reasoning'; readonly text: string; readonly mark: string | undefined }
  /** The signature of a part that is no reasoning. */
  | { readonly type: 'signature'; readonly mark: string }
  /** A call, in protocols whose reasoning has a place before it. */
  | { readonly type: 'call'; readonly mark?: string }
  /** A text with its phase; undefined if it was left out. */
  | { readonly type: 'phase'; readonly phase: string | undefined; readonly text: string }
);

type Found = EchoedTrace extends infer Each
  ? Each extends EchoedTrace
    ? Omit<Each, 'index' | 'place'>
    : never
  : never;

/** The list of a protocol, and the traces in one of its blocks. */
interface TraceReader {
  readonly list: string;
  /** The field of a message with its blocks; absent if the message itself is the block. */
  readonly blocks?: string;
  readonly read: (block: JsonObject) => Found | undefined;
}

const READERS: Readonly<Record<Protocol, TraceReader>> = {
  'openai-chat': {
    list: 'messages',
    read: (message) => {
      const details = listOf(message['reasoning_details']).map((detail) => textOf(detail['text']));
      const text = textOf(message['reasoning_content']) || textOf(message['reasoning']) || details.join('');
      return text === '' ? undefined : { type: 'reasoning', text, mark: undefined };
    },
  },
  'openai-responses': {
    list: 'input',
    read: (item) => {
      if (item['type'] === 'reasoning') {
        const text = listOf(item['summary']).map((part) => textOf(part['text']));
        return {
          type: 'reasoning',
          text: text.join('\n'),
          mark: stringIn(item, 'encrypted_content') ?? stringIn(item, 'id'),
        };
      }
      if (item['role'] !== 'assistant') return undefined;
      const text = listOf(item['content']).map((part) => textOf(part['text']));
      return { type: 'phase', phase: stringIn(item, 'phase'), text: textOf(item['content']) || text.join('') };
    },
  },
  'anthropic-messages': {
    list: 'messages',
    blocks: 'content',
    read: ({ type, thinking, signature }) =>
      type === 'thinking'
        ? { type: 'reasoning', text: textOf(thinking), mark: typeof signature === 'string' ? signature : undefined }
        : undefined,
  },
  'bedrock-converse': {
    list: 'messages',
    blocks: 'content',
    read: ({ reasoningContent, toolUse }) => {
      const text = isJsonObject(reasoningContent) ? reasoningContent['reasoningText'] : undefined;
      if (toolUse !== undefined) return { type: 'call' };
      if (!isJsonObject(text)) return undefined;
      return { type: 'reasoning', text: textOf(text['text']), mark: stringIn(text, 'signature') };
    },
  },
  gemini: {
    list: 'contents',
    blocks: 'parts',
    read: (part) => {
      const mark = stringIn(part, 'thoughtSignature') ?? stringIn(part, 'thought_signature');
      if (part['thought'] === true) return { type: 'reasoning', text: textOf(part['text']), mark };
      if (part['functionCall'] !== undefined) return { type: 'call', ...(mark !== undefined && { mark }) };
      return mark === undefined ? undefined : { type: 'signature', mark };
    },
  },
  'gemini-interactions': {
    list: 'input',
    read: (step) => {
      if (step['type'] === 'function_call') return { type: 'call' };
      if (step['type'] !== 'thought') return undefined;
      const text = listOf(step['summary']).map((part) => textOf(part['text']));
      return { type: 'reasoning', text: text.join('\n'), mark: stringIn(step, 'signature') };
    },
  },
  ollama: {
    list: 'messages',
    read: ({ thinking }) => (thinking ? { type: 'reasoning', text: textOf(thinking), mark: undefined } : undefined),
  },
};

/** The traces of earlier answers in the body of a request, in order. Pure. */
export function readTraces(protocol: Protocol, body: unknown): readonly EchoedTrace[] {
  const { list, blocks, read } = READERS[protocol];
  return listOf(isJsonObject(body) ? body[list] : undefined).flatMap((message, index) =>
    (blocks === undefined ? [message] : listOf(message[blocks])).flatMap((block, place) => {
      const found = read(block);
      return found === undefined ? [] : { ...found, index, place };
    }),
  );
}

/** The models whose messages say whether a text accompanies calls or is the answer. */
export const HAS_PHASES = /^gpt-(?:5\.[3-9]|[6-9]|\d\d)/;

/** The hexadecimal start of the digest in a mark of this server; undefined for a mark of another form. */
export function digestInMark(mark: string): string | undefined {
  const [, item] = /^rs_([0-9a-f]{48})$/.exec(mark) ?? [];
  if (item !== undefined) return item;
  const [, encrypted] = /^gAAAAAB([\w-]{86})$/.exec(mark) ?? [];
  if (encrypted !== undefined) return Buffer.from(encrypted, 'base64url').toString();
  return /^[A-Za-z0-9+/]{43}=$/.test(mark) ? Buffer.from(mark, 'base64').toString('hex') : undefined;
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map((item) => (isJsonObject(item) ? item : {})) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function stringIn(value: JsonObject, key: string): string | undefined {
  return typeof value[key] === 'string' ? value[key] : undefined;
}
