import { PIECE, type Request } from './workloads.ts';

/** Number of the words of a block, whatever its kind. */
export const BLOCK_PIECES = 640;
const TEXT = PIECE.repeat(BLOCK_PIECES);
const HALF = PIECE.repeat(BLOCK_PIECES / 2);
/** About 100 KB of Base64, as long as the picture of a screen. */
const PICTURE = 'iVBORw0K'.repeat(12_500);

/** Blocks with the same words, by their kinds. */
const CLAUDE = {
  text: { text: TEXT },
  reasoning: { reasoning: TEXT, signature: 'c2lnbmF0dXJl' },
  call: { call: { name: 'write_file', arguments: { content: TEXT } } },
  citation: { text: HALF, citations: [{ url: 'https://example.com', title: 'Page', quote: HALF }] },
  'server tool': {
    server_tool: 'web_search',
    input: { query: HALF },
    result: [{ type: 'web_search_result', url: 'https://example.com', title: HALF }],
  },
  raw: { raw: { type: 'container_upload', file_id: TEXT }, protocol: 'anthropic-messages' },
} as const;
const GEMINI = { 'text of gemini': { text: TEXT }, grounding: { grounding: { webSearchQueries: [TEXT] } } } as const;

/** A block, and as much text in the same protocol. */
export interface BlockPair {
  readonly kind: string;
  readonly block: Request;
  readonly text: Request;
}

const VARIED = '<varied>';

function requestOf(path: string, body: object): Request {
  const [before = '', after = ''] = JSON.stringify(body).split(VARIED);
  return { path, body: [before, after] };
}

function claudeRequest(kind: string): Request {
  const input_schema = { type: 'object', properties: { content: { type: 'string' } } };
  return requestOf('/v1/messages', {
    model: 'claude-sonnet-4-5',
    max_tokens: 20_000,
    stream: true,
    thinking: { type: 'enabled', budget_tokens: 1024 },
    tools: [
      { name: 'write_file', input_schema },
      { type: 'web_search_20250305', name: 'web_search' },
    ],
    messages: [{ role: 'user', content: `bench block ${kind} ${VARIED}` }],
  });
}

function geminiRequest(kind: string): Request {
  const contents = [{ role: 'user', parts: [{ text: `bench block ${kind} ${VARIED}` }] }];
  return requestOf('/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse', { contents });
}

/** The pairs whose costs are compared. */
export function blockPairs(): readonly BlockPair[] {
  const { text: _text, ...others } = CLAUDE;
  return [
    ...Object.keys(others).map((kind) => ({ kind, block: claudeRequest(kind), text: claudeRequest('text') })),
    { kind: 'grounding', block: geminiRequest('grounding'), text: geminiRequest('text of gemini') },
  ];
}

/** A scenario for each block. */
export function blockScenarios(): readonly object[] {
  return Object.entries({ ...CLAUDE, ...GEMINI }).map(([kind, block]) => {
    const content = kind === 'grounding' ? [{ text: 'Found.' }, block] : [block];
    return { name: `block ${kind}`, trigger: `bench block ${kind} 1`, steps: [{ response: { content } }] };
  });
}

/** A recording of 60 answers of Gemini with a picture and a call each. */
export function pictureScenario(): object {
  const steps = Array.from({ length: 60 }, (_step, index) => {
    const picture = { inlineData: { mimeType: 'image/png', data: `${PICTURE}${index}` } };
    const parts = [{ text: '{{text 1}}' }, picture, { functionCall: { name: 'show', args: {} } }];
    const event = { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] };
    const native = { protocol: 'gemini', events: [event] };
    return { response: { content: `Picture ${index}.`, tool_calls: [{ name: 'show', arguments: {} }], native } };
  });
  return { name: 'pictures', trigger: 'bench pictures', steps };
}
