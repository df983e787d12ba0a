import type { Reply } from '../../../conversation/conversation.ts';
import { nativeFinishOf } from '../../../conversation/native-finish.ts';
import { citationsOf, openaiCitation } from '../../blocks/blocks.ts';
import { pieceFrames, streamedArguments, streamIndexes } from '../../encode.ts';
import { type PieceKind, type SplitPieces, splitIntoWords } from '../../pieces.ts';
import type { BrokenStream, ChatAnswerForm, ChatChoice, ChatChunk, ChatUsage, Frame } from '../../wire.ts';

/** The settings of a request that the form of its reply depends on. */
export interface ChatForm extends Partial<ChatAnswerForm> {
  readonly includeUsage?: boolean;
  /** The tier of service that the request asks for; absent if the service chooses it. */
  readonly tier?: string | undefined;
  /** Number of choices, all of which have the same content. */
  readonly choices?: number;
  /** The request names the tool to call: the API then ends a reply with calls as one without. */
  readonly isNamed?: boolean;
}

/** The body of a reply that is not streamed. */
export function encodeChatReply(reply: Reply, form: ChatForm = {}): Record<string, unknown> {
  const { toolCalls } = reply;
  const { content, refusal } = divideContent(reply, form);
  const message = {
    role: 'assistant',
    content,
    refusal,
    annotations: annotationsOf(reply),
    ...encodeReasoning(reply),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(encodeCall) }),
  };
  const choices: ChatChoice[] = [];
  for (let index = 0; index < (form.choices ?? 1); index++) {
    choices.push({ index, message, logprobs: null, finish_reason: encodeFinish(reply, form) });
  }
  const usage = encodeUsage(reply, form);
  const head = encodeHead(reply, 'chat.completion', form.tier);
  const { digest } = reply;
  const own = form.shape?.({ isStream: false, place: 'whole', digest, head, choices, usage });
  return own ?? { ...head, choices, usage };
}

/** The frames of a streamed reply; the last one is `[DONE]`. The choices take turns. */
export function encodeChatFrames(reply: Reply, form: ChatForm, split = splitIntoWords): Frame[] {
  const { includeUsage, choices = 1, preface, usage: place } = form;
  const encode = chunkEncoder(reply, form);
  const each = Array.from({ length: choices }, (_, index) => encodeChoice(reply, form, split, index, encode));
  const usage: string[] = [];
  if (place === 'again') {
    const last = { index: 0, delta: {}, logprobs: null, finish_reason: encodeFinish(reply, form) };
    usage.push(encode([last], 'usage', encodeUsage(reply, form)));
  } else if (includeUsage && place !== 'finish') {
    usage.push(encode([], 'usage', encodeUsage(reply, form)));
  }
  return [
    ...(preface === undefined ? [] : [{ kind: 'open', bytes: preface } as const]),
    ...takeTurns(each),
    ...[...usage, 'data: [DONE]\n\n'].map((bytes) => ({ kind: 'close', bytes }) as const),
  ];
}

type EncodeChunk = (choices: readonly ChatChoice[], place: ChatChunk['place'], usage?: ChatUsage | null) => string;

function chunkEncoder(reply: Reply, { shape, tier }: ChatForm): EncodeChunk {
  const head = encodeHead(reply, 'chat.completion.chunk', tier);
  const { digest } = reply;
  if (shape === undefined) {
    return (choices, _place, usage) =>
      encodeData(usage === undefined ? { ...head, choices } : { ...head, choices, usage });
  }
  return (choices, place, usage) => encodeData(shape({ isStream: true, place, digest, head, choices, usage }));
}

/** The items of lists of one length: the first ones of all, then the second ones, and so on. */
function takeTurns<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const [first = []] = lists;
  return lists.length === 1 ? first : first.flatMap((_, index) => lists.flatMap((list) => list[index] ?? []));
}

function encodeChoice(reply: Reply, form: ChatForm, split: SplitPieces, index: number, chunk: EncodeChunk): Frame[] {
  const none = form.includeUsage && form.usage === undefined ? null : undefined;
  const encode = (delta: Readonly<Record<string, unknown>>, place: ChatChunk['place'] = 'piece') =>
    chunk([{ index, delta, logprobs: null, finish_reason: null }], place, none);
  const finish = (delta: Readonly<Record<string, unknown>>) => {
    const usage = form.usage === 'finish' || form.usage === 'choice' ? encodeUsage(reply, form) : none;
    return chunk([{ index, delta, logprobs: null, finish_reason: encodeFinish(reply, form) }], 'finish', usage);
  };
  const pieces = (kind: PieceKind, text: string, encodePiece: (piece: string) => Readonly<Record<string, unknown>>) =>
    pieceFrames(kind, text, split, (piece) => encode(encodePiece(piece)));
  const indexes = streamIndexes(reply.toolCalls.length, reply);
  const streamed = /claude/.test(reply.model) ? streamedArguments : (text: string) => text;
  const calls = reply.toolCalls.flatMap((call, position): readonly Frame[] => {
    const index = indexes[position];
    if (form.wholeCalls) {
      return [{ kind: 'arguments', bytes: encode({ tool_calls: [{ index, ...encodeCall(call) }] }) }];
    }
    return [
      { kind: 'control', bytes: encode({ tool_calls: [{ index, ...encodeCall({ ...call, arguments: '' }) }] }) },
      ...pieces('arguments', streamed(call.arguments), (piece) => ({
        tool_calls: [{ index, ...encodeInput(call, piece) }],
      })),
    ];
  });
  const { content, refusal } = divideContent(reply, form);
  const annotations = annotationsOf(reply);
  const endsInText = form.endsInText && reply.toolCalls.length === 0 && annotations.length === 0;
  const last = endsInText ? split(content ?? '', 'text').at(-1) : undefined;
  const before = last === undefined ? content : content?.slice(0, -last.length);
  const opening = { role: 'assistant', content: content && '', refusal: refusal && '' };
  return [
    { kind: 'open', bytes: encode(opening, 'open') },
    ...reasoningPieces(reply, split, (piece) => encode(piece)),
    ...pieces('text', before ?? '', (piece) => ({ content: piece })),
    ...pieces('text', refusal ?? '', (piece) => ({ refusal: piece })),
    ...calls,
    ...(annotations.length === 0 ? [] : [{ kind: 'control', bytes: encode({ annotations }) } as const]),
    { kind: 'finish', bytes: finish(last === undefined ? {} : { content: last }) },
  ];
}

/** The last bytes of a stream that fails. */
export function encodeChatFailure({ reply, body }: BrokenStream, form: ChatForm): string {
  switch (form.failure) {
    case 'chunk': {
      const choice = { index: 0, delta: { content: '' }, logprobs: null, finish_reason: 'error' };
      const head = encodeHead(reply, 'chat.completion.chunk', form.tier);
      const { digest } = reply;
      const chunk = { isStream: true, place: 'finish', digest, head, choices: [choice], usage: undefined } as const;
      return encodeData({ ...(form.shape?.(chunk) ?? { ...head, choices: [choice] }), ...body });
    }
    case 'done':
      return `${encodeData('error' in body ? body : { error: body })}data: [DONE]\n\n`;
    case 'event':
      return `event: error\n${encodeData(body)}`;
    default:
      return encodeData(body);
  }
}

/** The sources of the text, of which each is in a field of the name of its type. */
function annotationsOf(reply: Reply): readonly object[] {
  return citationsOf(reply).map((citation) => {
    const { type, ...fields } = openaiCitation(citation, reply.content ?? '');
    return citation['type'] === undefined ? { type, [String(type)]: fields } : citation;
  });
}

function encodeReasoning({ reasoning, hidesReasoning, reasoningField }: Reply): object {
  if (reasoning === undefined || hidesReasoning) return {};
  return reasoningFields(reasoning, reasoningField);
}

function reasoningFields(text: string, field: Reply['reasoningField'] = 'reasoning_content') {
  if (field !== 'reasoning_details') return { [field]: text };
  return { reasoning: text, reasoning_details: [{ type: 'reasoning.text', text, format: 'unknown', index: 0 }] };
}

/** The frames of the reasoning. A piece that its frame has twice is encoded with it. */
function reasoningPieces(
  reply: Reply,
  split: SplitPieces,
  encode: (delta: Readonly<Record<string, unknown>>) => string,
): readonly Frame[] {
  const { reasoning, hidesReasoning, reasoningField } = reply;
  if (reasoning === undefined || reasoning === '' || hidesReasoning) return [];
  if (reasoningField !== 'reasoning_details') {
    return pieceFrames('reasoning', reasoning, split, (piece) => encode(reasoningFields(piece, reasoningField)));
  }
  return split(reasoning, 'reasoning').map((piece) => {
    return { kind: 'reasoning', bytes: encode(reasoningFields(piece, reasoningField)) };
  });
}

/** The text of a reply as content or as refusal. An answer that was cut in its reasoning has an empty content. */
function divideContent({ content, finish, toolCalls }: Reply, { emptyContent = null }: ChatForm) {
  if (finish === 'refusal') return { content: null, refusal: content ?? null };
  const isCut = finish === 'length' && toolCalls.length === 0;
  return { content: content ?? (isCut ? '' : emptyContent), refusal: null };
}

/** A refusal has the finish reason of a complete answer; only its field distinguishes it from content. */
function encodeFinish(reply: Reply, { isNamed }: ChatForm): string {
  const native = nativeFinishOf(reply, 'openai-chat');
  if (native !== undefined) return native;
  const { finish } = reply;
  return finish === 'refusal' || (isNamed && finish === 'tool_calls') ? 'stop' : finish;
}

function encodeHead({ digest, created, model }: Reply, object: string, tier = 'default') {
  const id = `chatcmpl-${digest.slice(0, 29)}`;
  return { id, object, created, model, service_tier: tier, system_fingerprint: 'fp_mock' };
}

function encodeCall({ id, name, input, arguments: text }: Reply['toolCalls'][number]) {
  if (input === 'text') return { id, type: 'custom', custom: { name, input: text } };
  return { id, type: 'function', function: { name, arguments: text } };
}

function encodeInput({ input }: Reply['toolCalls'][number], piece: string) {
  return input === 'text' ? { custom: { input: piece } } : { function: { arguments: piece } };
}

/** The tokens of the request once, and those of all choices. */
function encodeUsage({ usage }: Reply, { choices = 1 }: ChatForm): ChatUsage {
  const { inputTokens, cachedTokens } = usage;
  const outputTokens = usage.outputTokens * choices;
  const reasoningTokens = usage.reasoningTokens * choices;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function encodeData(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
