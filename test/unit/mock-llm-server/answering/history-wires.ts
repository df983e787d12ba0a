import * as z from 'zod';
import type { Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { createJournal } from '../../../../mock-llm-server/journal/journal.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A piece of a history, as its protocol writes it. `answer` is the number of the answer or of the results after it. */
export interface Piece {
  readonly kind: 'prompt' | 'thinking' | 'text' | 'call' | 'result';
  readonly answer: number;
  readonly json: Json;
}

/** The history of one protocol in pieces, and the request that has them. */
export interface HistoryWire {
  readonly path: string;
  /** Fields that ask for reasoning. */
  readonly fields: Json;
  /** The pieces of an answer that is not streamed, to be sent back as they are. */
  readonly split: (body: Json, answer: number) => readonly Piece[];
  readonly prompt: (text: string) => Json;
  /** A text of the assistant. */
  readonly text: (text: string) => Json;
  readonly result: (call: Json, output: string) => Json;
  readonly join: (pieces: readonly Piece[]) => Json;
}

const ObjectSchema = z.record(z.string(), z.unknown());
const ListSchema = z.array(ObjectSchema);
const object = (value: unknown): Json => ObjectSchema.parse(value ?? {});
const list = (value: unknown): readonly Json[] => ListSchema.parse(value ?? []);

const piece = (kind: Piece['kind'], answer: number, json: Json): Piece => ({ kind, answer, json });

/** Groups neighbours of one answer and one role. */
function grouped(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const roleOf = ({ kind }: Piece) => (kind === 'thinking' || kind === 'text' || kind === 'call' ? 'model' : kind);
  const groups: Piece[][] = [];
  for (const each of pieces) {
    const last = groups.at(-1)?.[0];
    if (last && roleOf(last) === roleOf(each) && last.answer === each.answer) groups.at(-1)?.push(each);
    else groups.push([each]);
  }
  return groups;
}

/** The messages of Chat Completions and Ollama: an answer is one message, each result another. */
function chatMessages(pieces: readonly Piece[]): readonly Json[] {
  return grouped(pieces).flatMap((group) => {
    const kind = group[0]?.kind;
    if (kind === 'prompt' || kind === 'result') return group.map(({ json }) => json);
    const calls = group.flatMap(({ kind: type, json }) => (type === 'call' ? [json] : []));
    const parts = group.flatMap(({ kind: type, json }) => (type === 'call' ? [] : [json]));
    const content = parts.flatMap((part) => part['content'] ?? []).join('');
    const rest: Json = Object.assign({ content }, ...parts);
    return [{ role: 'assistant', ...rest, content, ...(calls.length > 0 && { tool_calls: calls }) }];
  });
}

function splitMessage(message: Json, answer: number, reasoning: string): readonly Piece[] {
  const { content, [reasoning]: thinking, tool_calls: calls } = message;
  return [
    ...(thinking ? [piece('thinking', answer, { [reasoning]: thinking })] : []),
    ...(content ? [piece('text', answer, { content })] : []),
    ...list(calls).map((call) => piece('call', answer, call)),
  ];
}

function splitBy(blocks: unknown, answer: number, kindOf: (block: Json) => Piece['kind']): readonly Piece[] {
  return list(blocks).map((block) => piece(kindOf(block), answer, block));
}

const ITEM_KINDS: Readonly<Record<string, Piece['kind']>> = {
  reasoning: 'thinking',
  thinking: 'thinking',
  thought: 'thinking',
  message: 'text',
  model_output: 'text',
  text: 'text',
  function_call: 'call',
  tool_use: 'call',
};
const kindOfItem = ({ type }: Json): Piece['kind'] => ITEM_KINDS[String(type)] ?? 'text';

/** Messages with blocks, as Anthropic, Bedrock and Gemini have them; the roles alternate. */
function blockMessages(pieces: readonly Piece[], key: string, model: string): readonly Json[] {
  const messages: { role: string; blocks: Json[] }[] = [];
  for (const { kind, json } of pieces) {
    const role = kind === 'prompt' || kind === 'result' ? 'user' : model;
    const last = messages.at(-1);
    if (last?.role === role) last.blocks.push(json);
    else messages.push({ role, blocks: [json] });
  }
  return messages.map(({ role, blocks }) => ({ role, [key]: blocks }));
}

const tools = ['read_alpha', 'read_beta', 'write_gamma'];
const schema = { type: 'object', properties: {} };
const chatTools = tools.map((name) => ({ type: 'function', function: { name, description: 'x', parameters: schema } }));
const geminiFields = {
  tools: [{ functionDeclarations: tools.map((name) => ({ name, description: 'x', parameters: schema })) }],
  generationConfig: { thinkingConfig: { includeThoughts: true } },
};
const gemini = (model: string): HistoryWire => ({
  path: `/v1beta/models/${model}:generateContent`,
  fields: geminiFields,
  split: (body, answer) =>
    splitBy(object(object(list(body['candidates'])[0])['content'])['parts'], answer, (part) =>
      part['functionCall'] ? 'call' : part['thought'] ? 'thinking' : 'text',
    ),
  prompt: (text) => ({ text }),
  text: (text) => ({ text }),
  result: (call, output) => {
    const { id, name } = object(call['functionCall']);
    return { functionResponse: { ...(id !== undefined && { id }), name, response: { output } } };
  },
  join: (pieces) => ({ contents: blockMessages(pieces, 'parts', 'model') }),
});
const ollama = (hasIds: boolean): HistoryWire => ({
  path: '/api/chat',
  fields: { model: 'qwen3', stream: false, think: true, tools: chatTools },
  split: (body, answer) =>
    splitMessage(object(body['message']), answer, 'thinking').map((each) => {
      const { id: _, ...call } = each.json;
      return each.kind === 'call' && !hasIds ? { ...each, json: call } : each;
    }),
  prompt: (content) => ({ role: 'user', content }),
  text: (content) => ({ content }),
  result: ({ id, function: called }, content) => ({
    role: 'tool',
    ...(hasIds ? { tool_call_id: id } : { tool_name: object(called)['name'] }),
    content,
  }),
  join: (pieces) => ({ messages: chatMessages(pieces) }),
});
const responses = (model: string): HistoryWire => ({
  path: '/v1/responses',
  fields: {
    model,
    store: false,
    include: ['reasoning.encrypted_content'],
    reasoning: { effort: 'high', summary: 'auto' },
    tools: tools.map((name) => ({ type: 'function', name, description: 'x', parameters: schema, strict: false })),
  },
  split: (body, answer) => splitBy(body['output'], answer, kindOfItem),
  prompt: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
  text: (text) => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [] }],
    phase: 'final_answer',
  }),
  result: ({ call_id }, output) => ({ type: 'function_call_output', call_id, output }),
  join: (pieces) => ({ input: pieces.map(({ json }) => json) }),
});

/** Each protocol, with its variants: with and without ids, with and without phases. */
const HISTORY_WIRES = {
  'openai-chat': {
    path: '/v1/chat/completions',
    fields: { model: 'm', tools: chatTools },
    split: (body, answer) =>
      splitMessage(object(object(list(body['choices'])[0])['message']), answer, 'reasoning_content'),
    prompt: (content) => ({ role: 'user', content }),
    text: (content) => ({ content }),
    result: ({ id }, content) => ({ role: 'tool', tool_call_id: id, content }),
    join: (pieces) => ({ messages: chatMessages(pieces) }),
  },
  'openai-responses': responses('gpt-5.4'),
  'anthropic-messages': {
    path: '/v1/messages',
    fields: {
      model: 'claude-opus-4-6',
      max_tokens: 9999,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      tools: tools.map((name) => ({ name, description: 'x', input_schema: schema })),
    },
    split: (body, answer) => splitBy(body['content'], answer, kindOfItem),
    prompt: (text) => ({ type: 'text', text }),
    text: (text) => ({ type: 'text', text }),
    result: ({ id }, content) => ({ type: 'tool_result', tool_use_id: id, content }),
    join: (pieces) => ({ messages: blockMessages(pieces, 'content', 'assistant') }),
  },
  'bedrock-converse': {
    path: '/model/us.anthropic.claude-opus-4-6-v1:0/converse',
    fields: {
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2000 } },
      inferenceConfig: { maxTokens: 9999 },
      toolConfig: {
        tools: tools.map((name) => ({ toolSpec: { name, description: 'x', inputSchema: { json: schema } } })),
      },
    },
    split: (body, answer) =>
      splitBy(object(object(body['output'])['message'])['content'], answer, (block) =>
        block['toolUse'] ? 'call' : block['reasoningContent'] ? 'thinking' : 'text',
      ),
    prompt: (text) => ({ text }),
    text: (text) => ({ text }),
    result: (call, output) => ({
      toolResult: { toolUseId: object(call['toolUse'])['toolUseId'], content: [{ text: output }] },
    }),
    join: (pieces) => ({ messages: blockMessages(pieces, 'content', 'assistant') }),
  },
  gemini: gemini('gemini-3-pro'),
  'gemini without ids': gemini('gemini-2.5-pro'),
  'gemini-interactions': {
    path: '/v1beta/interactions',
    fields: {
      model: 'gemini-3-pro',
      generation_config: { thinking_summaries: 'auto' },
      tools: tools.map((name) => ({ type: 'function', name, description: 'x', parameters: schema })),
    },
    split: (body, answer) => splitBy(body['steps'], answer, kindOfItem),
    prompt: (text) => ({ type: 'user_input', content: [{ type: 'text', text }] }),
    text: (text) => ({ type: 'model_output', content: [{ type: 'text', text }] }),
    result: ({ id, name }, output) => ({ type: 'function_result', call_id: id, name, result: output }),
    join: (pieces) => ({ input: pieces.map(({ json }) => json) }),
  },
  ollama: ollama(true),
  'ollama without ids': ollama(false),
} as const satisfies Readonly<Record<Protocol | `${'gemini' | 'ollama'} without ids`, HistoryWire>>;

/** The name of a wire. */
export type HistoryWireName = keyof typeof HISTORY_WIRES;

/** The names of the wires, in order. */
export const WIRE_NAMES: readonly HistoryWireName[] = Object.keys(HISTORY_WIRES).filter(
  (name): name is HistoryWireName => name in HISTORY_WIRES,
);

const SCENARIOS = {
  scenarios: [
    {
      name: 'repair',
      trigger: 'repair the alpha',
      steps: [
        {
          response: {
            reasoning: 'First I compare both files.',
            content: 'I look at both.',
            tool_calls: [
              { name: 'read_alpha', arguments: { path: 'alpha.txt', deep: { n: [1] } } },
              { name: 'read_beta', arguments: { path: 'beta.txt' } },
            ],
          },
        },
        {
          response: {
            reasoning: 'Now I write it down.',
            content: 'I write the result.',
            tool_calls: [{ name: 'write_gamma', arguments: { path: 'gamma.txt', text: 'done so' } }],
          },
        },
        { response: { content: 'It is repaired now.' } },
      ],
    },
    { name: 'again', trigger: 'explain the change', steps: [{ response: { content: 'It was wrong.' } }] },
  ],
};

/** The outcome of a request. `findings` are the lint lines of the journal. */
export interface Verdict {
  readonly status: number;
  readonly findings: readonly string[];
  readonly history: readonly string[];
  readonly text: string;
}

/** A server with one story, on which a client plays over one wire. */
export function historyClient(name: HistoryWireName) {
  const wire: HistoryWire = HISTORY_WIRES[name];
  const journal = createJournal();
  const app = createMockServer({ scenarios: scenarioSet(SCENARIOS), journal });
  const post = async (body: Json) => {
    const headers = { 'anthropic-version': '2023-06-01', 'content-type': 'application/json' };
    const answer = await app.request(wire.path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, text: await answer.text() };
  };
  const send = async (pieces: readonly Piece[], fields: Json = {}): Promise<Verdict> => {
    const { status, text } = await post({ ...wire.fields, ...wire.join(pieces), ...fields });
    const entry = journal.entries.at(-1);
    return { status, text, findings: entry?.lint ?? [], history: entry?.history ?? [] };
  };
  /** The history of a client that sends everything back as it came. */
  const play = async (): Promise<readonly Piece[]> => {
    const pieces = [piece('prompt', -1, wire.prompt('Repair the alpha.'))];
    for (const answer of [0, 1]) {
      const { status, text } = await post({ ...wire.fields, ...wire.join(pieces) });
      if (status !== 200) throw new Error(`${name}: ${status} ${text}`);
      const own = wire.split(object(JSON.parse(text)), answer);
      pieces.push(...own);
      for (const { kind, json } of own) {
        if (kind === 'call') pieces.push(piece('result', answer, wire.result(json, `result ${pieces.length}`)));
      }
    }
    return pieces;
  };
  return { wire, send, play };
}

const PieceSchema = z.object({
  kind: z.enum(['prompt', 'thinking', 'text', 'call', 'result']),
  answer: z.number(),
  json: ObjectSchema,
});

/** The piece after a change of its JSON text. */
export function rewritten(one: Piece, change: (text: string) => string): Piece {
  return PieceSchema.parse(JSON.parse(change(JSON.stringify(one))));
}
