import type { JsonObject, Protocol } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import type { PieceKind } from '../pieces.ts';
import type { Frame } from '../wire.ts';

/** The part of an event that a stream may cut into further events: its text, and the way to it. */
interface EventPiece {
  readonly kind: PieceKind;
  readonly text: string;
  readonly path: readonly (string | number)[];
}

/** The events of a protocol: the text of each that is a piece of a stream, and the kind of the others. */
interface EventTable {
  piece(event: JsonObject): EventPiece | undefined;
  kind(event: JsonObject): Frame['kind'];
  /** Fields that differ between neighbouring events without a meaning: numbers, times and random padding. */
  readonly volatile: readonly string[];
}

const ANTHROPIC_DELTAS: Readonly<Record<string, readonly [kind: PieceKind, field: string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['reasoning', 'thinking'],
  input_json_delta: ['arguments', 'partial_json'],
};

const CHAT_TEXTS: readonly (readonly [kind: PieceKind, field: string])[] = [
  ['text', 'content'],
  ['text', 'refusal'],
  ['reasoning', 'reasoning_content'],
  ['reasoning', 'reasoning'],
];

/** The deltas of Bedrock: kind and way to the text. */
const BEDROCK_DELTAS: readonly (readonly [kind: PieceKind, path: readonly string[]])[] = [
  ['text', ['text']],
  ['reasoning', ['reasoningContent', 'text']],
  ['arguments', ['toolUse', 'input']],
];

/** The deltas of Gemini Interactions: kind and way to the text. */
const INTERACTION_DELTAS: Readonly<Record<string, readonly [kind: PieceKind, path: readonly string[]]>> = {
  text: ['text', ['text']],
  thought_summary: ['reasoning', ['content', 'text']],
  arguments_delta: ['arguments', ['arguments']],
};

const TABLES: Readonly<Record<Protocol, EventTable>> = {
  'anthropic-messages': {
    piece({ type, delta }) {
      if (type !== 'content_block_delta' || !isJsonObject(delta)) return undefined;
      const [kind, field] = ANTHROPIC_DELTAS[String(delta['type'])] ?? [];
      return kind && field ? pieceAt(delta[field], kind, ['delta', field]) : undefined;
    },
    kind({ type }) {
      if (type === 'message_start') return 'open';
      if (type === 'message_delta') return 'finish';
      return type === 'message_stop' ? 'close' : 'control';
    },
    volatile: [],
  },
  'bedrock-converse': {
    piece({ contentBlockDelta: event }) {
      const delta = isJsonObject(event) ? event['delta'] : undefined;
      for (const [kind, path] of BEDROCK_DELTAS) {
        const found = pieceAt(textAt(delta, path), kind, ['contentBlockDelta', 'delta', ...path]);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    kind(event) {
      if ('messageStart' in event) return 'open';
      if ('messageStop' in event) return 'finish';
      return 'metadata' in event ? 'close' : 'control';
    },
    volatile: [],
  },
  'gemini-interactions': {
    piece({ event_type, delta }) {
      if (event_type !== 'step.delta' || !isJsonObject(delta)) return undefined;
      const [kind, path] = INTERACTION_DELTAS[String(delta['type'])] ?? [];
      return kind && path ? pieceAt(textAt(delta, path), kind, ['delta', ...path]) : undefined;
    },
    kind({ event_type }) {
      if (event_type === 'interaction.created') return 'open';
      return event_type === 'interaction.completed' ? 'finish' : 'control';
    },
    volatile: ['event_id'],
  },
  'openai-responses': {
    piece({ type, delta, logprobs }) {
      if (typeof type !== 'string' || !type.endsWith('.delta')) return undefined;
      // Each piece has its own probabilities.
      if (Array.isArray(logprobs) && logprobs.length > 0) return undefined;
      const isInput = /arguments|input|code/.test(type);
      return pieceAt(delta, type.includes('reasoning') ? 'reasoning' : isInput ? 'arguments' : 'text', ['delta']);
    },
    kind({ type }) {
      if (type === 'response.created' || type === 'response.in_progress') return 'open';
      return /^response\.(?:completed|incomplete|failed)$/.test(String(type)) ? 'finish' : 'control';
    },
    volatile: ['sequence_number', 'obfuscation'],
  },
  'openai-chat': {
    piece({ choices }) {
      const [choice, ...others] = Array.isArray(choices) ? choices : [];
      if (!isJsonObject(choice) || others.length > 0 || !isEmpty(choice['logprobs'])) return undefined;
      const { delta, finish_reason: finish } = choice;
      if (!isJsonObject(delta) || !isEmpty(finish)) return undefined;
      const { tool_calls: calls } = delta;
      const texts = CHAT_TEXTS.flatMap(([kind, field]) => {
        const piece = pieceAt(delta[field], kind, ['choices', 0, 'delta', field]);
        return piece === undefined || piece.text === '' ? [] : piece;
      });
      if (!Array.isArray(calls)) return texts.length === 1 ? texts[0] : undefined;
      const [call] = calls;
      if (calls.length > 1 || texts.length > 0 || !isJsonObject(call)) return undefined;
      const { function: named } = call;
      const path = ['choices', 0, 'delta', 'tool_calls', 0, 'function', 'arguments'];
      return isJsonObject(named) && isEmpty(named['name']) ? pieceAt(named['arguments'], 'arguments', path) : undefined;
    },
    kind({ choices }) {
      const [choice] = Array.isArray(choices) ? choices : [];
      if (!isJsonObject(choice)) return 'close';
      return isEmpty(choice['finish_reason']) ? 'control' : 'finish';
    },
    volatile: ['obfuscation', 'p'],
  },
  // Each response has the counts up to its own piece, and times, so that none is cut.
  gemini: {
    piece: () => undefined,
    kind({ candidates }) {
      const [candidate] = Array.isArray(candidates) ? candidates : [];
      if (!isJsonObject(candidate) || !isEmpty(candidate['finishReason'])) return 'finish';
      const { content } = candidate;
      const text = JSON.stringify(isJsonObject(content) ? content['parts'] : '') ?? '';
      if (text.includes('"functionCall"')) return 'arguments';
      return text.includes('"thought":true') ? 'reasoning' : 'text';
    },
    volatile: [],
  },
  ollama: {
    piece: () => undefined,
    kind: ({ done }) => (done === true ? 'finish' : 'text'),
    volatile: [],
  },
};

/** The value at the end of a path of fields. */
function textAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((part, name) => (isJsonObject(part) ? part[name] : undefined), value);
}

function pieceAt(text: unknown, kind: PieceKind, path: EventPiece['path']): EventPiece | undefined {
  return typeof text === 'string' ? { kind, text, path } : undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** The piece of an event of a protocol; undefined for an event that is never cut. */
export function pieceOf(protocol: Protocol, event: JsonObject): EventPiece | undefined {
  return TABLES[protocol].piece(event);
}

/** The kind of an event without a piece. */
export function kindOf(protocol: Protocol, event: JsonObject): Frame['kind'] {
  return TABLES[protocol].kind(event);
}

export function withText(event: JsonObject, path: EventPiece['path'], text: string): JsonObject {
  const [key = '', ...rest] = path;
  return { ...event, [key]: replaceAt(event[key], rest, text) };
}

function replaceAt(value: unknown, [key, ...rest]: EventPiece['path'], text: string): unknown {
  if (key === undefined) return text;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? replaceAt(item, rest, text) : item));
  return isJsonObject(value) ? { ...value, [key]: replaceAt(value[key], rest, text) } : value;
}

/** The events with neighbouring pieces of one text joined, so that a person can read and change it. */
export function joinEvents(protocol: Protocol, events: readonly JsonObject[]): readonly JsonObject[] {
  const { volatile } = TABLES[protocol];
  const joined: JsonObject[] = [];
  let open: { readonly form: string; readonly path: EventPiece['path']; readonly texts: string[] } | undefined;
  const close = () => {
    const last = joined.pop();
    if (last !== undefined && open !== undefined) joined.push(withText(last, open.path, open.texts.join('')));
    open = undefined;
  };
  for (const event of events) {
    const piece = pieceOf(protocol, event);
    if (piece === undefined) {
      if (open !== undefined) close();
      joined.push(event);
      continue;
    }
    const hidden = Object.fromEntries(volatile.map((name) => [name, undefined]));
    const form = JSON.stringify({ ...withText(event, piece.path, ''), ...hidden });
    if (open?.form === form) {
      open.texts.push(piece.text);
      continue;
    }
    if (open !== undefined) close();
    joined.push(event);
    open = { form, path: piece.path, texts: [piece.text] };
  }
  if (open !== undefined) close();
  return joined;
}
