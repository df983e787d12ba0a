import { describe, expect, it } from 'vitest';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../../support/stories/builders.ts';

const GROUNDING = { webSearchQueries: ['time'] };
const SEARCH_RESULT = [{ type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: 'x' }];
const CONTENT = [
  { reasoning: 'First.', signature: 'c2ln', encrypted: 'gAAA' },
  { text: 'I search.' },
  { server_tool: 'web_search', input: { query: '{{last_user}}' }, result: SEARCH_RESULT },
  { reasoning: 'Second.' },
  { text: 'It is noon.', citations: [{ url: 'https://a.example', title: 'A', quote: 'noon' }] },
  { raw: { type: 'container_upload', file_id: 'file_1' }, protocol: 'anthropic-messages' },
  { raw: { type: 'image_generation_call', result: 'aGk=' }, protocol: 'openai-responses' },
  { raw: { inlineData: { mimeType: 'image/png', data: 'aGk=' } }, protocol: 'gemini' },
  { call: { id: 'call_1', name: 'look', arguments: { at: 1 } } },
  { grounding: GROUNDING },
];

async function ask(path: string, body: object, lines: string[] = []) {
  const scenarios = scenarioSet({
    scenarios: [{ name: 's', trigger: 'time', steps: [{ response: { content: CONTENT } }] }],
  });
  const app = createMockServer({ scenarios, log: (line) => lines.push(line) });
  const headers = { 'anthropic-version': '2023-06-01' };
  const answer = await app.request(path, { method: 'POST', headers, body: JSON.stringify({ model: 'm', ...body }) });
  return answer.text();
}

const events = (text: string): unknown[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']): unknown => JSON.parse(data));
const messages = [{ role: 'user', content: 'the time' }];

describe('the blocks of an answer, in order', () => {
  const anthropic = { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 }, messages };
  const call = { type: 'tool_use', id: 'call_1', name: 'look', input: { at: 1 } };
  const citation = { type: 'web_search_result_location', url: 'https://a.example', title: 'A', cited_text: 'noon' };
  const blocks = [
    { type: 'thinking', thinking: 'First.', signature: 'c2ln' },
    { type: 'text', text: 'I search.' },
    { type: 'server_tool_use', name: 'web_search', input: { query: 'the time' } },
    { type: 'web_search_tool_result', content: SEARCH_RESULT },
    { type: 'thinking', thinking: 'Second.' },
    { type: 'text', text: 'It is noon.', citations: [citation] },
    { type: 'container_upload', file_id: 'file_1' },
    call,
  ];

  it('are blocks of Anthropic, with the server tool and its result as a pair', async () => {
    const { content } = JSON.parse(await ask('/v1/messages', anthropic));
    expect(content).toMatchObject(blocks);
    expect(content[3].tool_use_id).toBe(content[2].id);
  });

  it('are streamed as blocks of Anthropic', async () => {
    const all = events(await ask('/v1/messages', { ...anthropic, stream: true }));
    const starts = all.filter((event) => JSON.stringify(event).includes('"content_block_start"'));
    expect(starts).toMatchObject(blocks.map(({ type }, index) => ({ index, content_block: { type } })));
    expect(all).toContainEqual(expect.objectContaining({ delta: { type: 'signature_delta', signature: 'c2ln' } }));
    expect(all).toContainEqual(
      expect.objectContaining({
        index: 5,
        delta: { type: 'citations_delta', citation: expect.objectContaining(citation) },
      }),
    );
  });

  const responses = { input: 'the time', reasoning: { effort: 'low', summary: 'auto' } };
  const annotation = { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 11 };
  const items = [
    { type: 'reasoning', summary: [{ text: 'First.' }], encrypted_content: 'gAAA' },
    { type: 'message', content: [{ text: 'I search.', annotations: [] }] },
    { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'the time' } },
    { type: 'reasoning', summary: [{ text: 'Second.' }] },
    { type: 'message', content: [{ text: 'It is noon.', annotations: [annotation] }] },
    { type: 'image_generation_call', result: 'aGk=' },
    { type: 'function_call', call_id: 'call_1', name: 'look' },
  ];

  it('are items of the Responses API, each with an id of its own', async () => {
    const { output } = JSON.parse(await ask('/v1/responses', responses));
    expect(output).toMatchObject(items);
    expect(new Set(output.map(({ id }: { id: string }) => id)).size).toBe(items.length);
  });

  it('are streamed as items of the Responses API, with an event for the citation', async () => {
    const all = events(await ask('/v1/responses', { ...responses, stream: true }));
    expect(all.at(-1)).toMatchObject({ type: 'response.completed', response: { output: items } });
    expect(all).toContainEqual(
      expect.objectContaining({ type: 'response.output_text.annotation.added', output_index: 4, annotation }),
    );
  });

  const gemini = {
    contents: [{ role: 'user', parts: [{ text: 'the time' }] }],
    generationConfig: { thinkingConfig: { includeThoughts: true } },
  };
  const parts = [
    { text: 'First.', thought: true, thoughtSignature: 'c2ln' },
    { text: 'I search.' },
    { toolCall: { toolType: 'WEB_SEARCH', args: { query: 'the time' } } },
    { toolResponse: { toolType: 'WEB_SEARCH', response: SEARCH_RESULT } },
    { text: 'Second.', thought: true },
    { text: 'It is noon.' },
    { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
    { functionCall: { name: 'look', args: { at: 1 } } },
  ];

  it('are parts of Gemini, with the grounding in the candidate', async () => {
    const { candidates } = JSON.parse(await ask('/v1beta/models/m:generateContent', gemini));
    expect(candidates).toMatchObject([{ content: { parts }, groundingMetadata: GROUNDING }]);
  });

  it('are streamed as parts of Gemini', async () => {
    const text = await ask('/v1beta/models/m:streamGenerateContent?alt=sse', gemini);
    const sent = events(text).flatMap((event) => Object(event).candidates[0].content.parts);
    expect(sent.filter((part) => !('text' in part))).toMatchObject([parts[2], parts[3], parts[6], parts[7]]);
    expect(events(text).at(-1)).toMatchObject({ candidates: [{ groundingMetadata: GROUNDING }] });
  });

  it('are the text, the calls and the annotations of Chat Completions, with a note on the rest', async () => {
    const lines: string[] = [];
    const { choices } = JSON.parse(await ask('/v1/chat/completions', { messages }, lines));
    const { type, ...url_citation } = annotation;
    expect(choices[0].message).toMatchObject({
      content: 'I search.It is noon.',
      reasoning_content: 'First.\n\nSecond.',
      annotations: [{ type, url_citation: { ...url_citation, end_index: 20 } }],
      tool_calls: [{ id: 'call_1' }],
    });
    expect(lines.join()).toContain('(left out: the server tool web_search)');
    expect(lines.join()).toContain('(left out: an item of gemini)');
    expect(events(await ask('/v1/chat/completions', { messages, stream: true }))).toContainEqual(
      expect.objectContaining({ choices: [expect.objectContaining({ delta: { annotations: [expect.anything()] } })] }),
    );
  });
});
