import * as z from 'zod';
import type { FinishReason, ModelEvent, TokenUsage } from '../../ports/language-model.ts';

const callSchema = z.object({
  index: z.number().int().nullish(),
  id: z.string().nullish(),
  function: z
    .object({ name: z.string().nullish(), arguments: z.union([z.string(), z.looseObject({})]).nullish() })
    .nullish(),
});

/** The parts of a chunk that are read. Servers leave out, or set to null, what they like; other keys are ignored. */
const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            reasoning: z.string().nullish(),
            tool_calls: z.array(callSchema).nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

type CallDelta = z.output<typeof callSchema>;

/** Turns the chunks of one answer into events, in the order of arrival. */
export interface ChunkReader {
  /** The events of one chunk; a text instead when it is no chunk, saying where it differs. */
  read(chunk: unknown): readonly ModelEvent[] | string;
  /** What is left to say once the stream has ended: usage and finish. `undefined` when no reason to finish came. */
  end(): readonly ModelEvent[] | undefined;
}

/** A reader for one answer. Usage and the reason to finish are kept until the end, as servers disagree on their order. */
export function createChunkReader(): ChunkReader {
  const idsByIndex = new Map<number, string>();
  let usage: TokenUsage | undefined;
  let finish: FinishReason | undefined;
  let lastIndex = -1;

  /**
   * The place of a piece that came without one: that of the call with its id; a new place when it names a tool or an
   * id nobody knows; else it goes on where the last piece ended.
   */
  const missingIndex = ({ id, function: called }: CallDelta): number => {
    const known = [...idsByIndex].find(([, knownId]) => knownId === id);
    if (known !== undefined) return known[0];
    return id || called?.name || lastIndex === -1 ? Math.max(-1, lastIndex, ...idsByIndex.keys()) + 1 : lastIndex;
  };

  const readCall = (delta: CallDelta): ModelEvent => {
    const { id, function: called } = delta;
    const index = delta.index ?? missingIndex(delta);
    lastIndex = index;
    if (id) idsByIndex.set(index, id);
    const text = called?.arguments ?? '';
    return {
      type: 'tool_call_delta',
      index,
      ...(id ? { id } : {}),
      ...(called?.name ? { name: called.name } : {}),
      arguments: typeof text === 'string' ? text : JSON.stringify(text),
    };
  };

  return {
    read(chunk) {
      const parsed = chunkSchema.safeParse(chunk);
      if (!parsed.success) return z.prettifyError(parsed.error).replace(/\s+/g, ' ');
      const { choices, usage: counted } = parsed.data;
      if (counted) usage = { inputTokens: counted.prompt_tokens, outputTokens: counted.completion_tokens };
      const choice = choices?.[0];
      if (choice?.finish_reason) finish = finishReason(choice.finish_reason);
      const { content, refusal, reasoning_content, reasoning, tool_calls } = choice?.delta ?? {};
      const thought = reasoning_content || reasoning;
      const text = content || refusal;
      return [
        ...(thought ? [{ type: 'reasoning_delta', text: thought } as const] : []),
        ...(text ? [{ type: 'text_delta', text } as const] : []),
        ...(tool_calls ?? []).map(readCall),
      ];
    },
    end() {
      if (finish === undefined) return undefined;
      return [
        ...(usage === undefined ? [] : [{ type: 'usage', ...usage } as const]),
        { type: 'finish', reason: finish },
      ];
    },
  };
}

function finishReason(reason: string): FinishReason {
  switch (reason) {
    case 'stop':
    case 'length':
    case 'content_filter':
    case 'tool_calls':
      return reason;
    case 'function_call':
      return 'tool_calls';
    default:
      return 'unknown';
  }
}
