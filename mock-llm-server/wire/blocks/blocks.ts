import type { JsonObject, Protocol, Reply, ReplyBlock, ReplyToolCall } from '../../conversation/conversation.ts';

/** A block of a reply as encoders see it: a call is the call itself, and the items of other protocols are left out. */
export type EncodableBlock =
  | Exclude<ReplyBlock, { readonly type: 'call' | 'raw' }>
  | { readonly type: 'call'; readonly call: ReplyToolCall; readonly index: number }
  | { readonly type: 'raw'; readonly item: JsonObject };

/** The blocks of a reply in order for a protocol: those of its step, or its reasoning, its text and its calls. */
export function blocksOf(reply: Reply, protocol: Protocol): readonly EncodableBlock[] {
  const { blocks, reasoning, hidesReasoning, content, toolCalls } = reply;
  const calls = toolCalls.map((call, index) => ({ type: 'call', call, index }) as const);
  if (blocks === undefined) {
    return [
      ...(reasoning === undefined ? [] : [{ type: 'reasoning', text: hidesReasoning ? '' : reasoning } as const]),
      ...(content === undefined ? [] : [{ type: 'text', text: content, citations: NO_CITATIONS } as const]),
      ...calls,
    ];
  }
  return blocks.flatMap((block): readonly EncodableBlock[] => {
    switch (block.type) {
      case 'call':
        return calls.slice(block.index, block.index + 1);
      case 'raw':
        return block.protocol === protocol ? [{ type: 'raw', item: block.item }] : [];
      case 'reasoning':
        if (reasoning === undefined) return [];
        return [hidesReasoning ? { ...block, text: '' } : block];
      default:
        return [block];
    }
  });
}

const NO_CITATIONS: readonly JsonObject[] = [];

export function citationsOf({ blocks = [] }: Reply): readonly JsonObject[] {
  return blocks.flatMap((block) => (block.type === 'text' ? block.citations : []));
}

/** Notes on the blocks of a reply that a protocol does not have. */
export function notesOnBlocks({ blocks = [] }: Reply, protocol: Protocol): readonly string[] {
  return blocks.flatMap((block) => {
    if (block.type === 'raw' && block.protocol !== protocol) return [`left out: an item of ${block.protocol}`];
    if (block.type === 'grounding' && protocol !== 'gemini') return ['left out: grounding, which only gemini has'];
    const isPlain = protocol === 'openai-chat' || protocol === 'ollama';
    return block.type === 'server_tool' && isPlain ? [`left out: the server tool ${block.name}`] : [];
  });
}

/** A citation as `url_citation` of OpenAI; one that has a type is sent as it is. */
export function openaiCitation(citation: JsonObject, text: string): JsonObject {
  if (citation['type'] !== undefined) return citation;
  const { url = '', title = '' } = citation;
  return { type: 'url_citation', start_index: 0, end_index: text.length, url, title };
}

/** A citation of a page that Anthropic searched; one that has a type is sent as it is. */
export function anthropicCitation(citation: JsonObject): JsonObject {
  if (citation['type'] !== undefined) return citation;
  const { url = '', title = null, quote = '' } = citation;
  return { type: 'web_search_result_location', cited_text: quote, url, title, encrypted_index: '' };
}
