import { describe, expect, it } from 'vitest';
import { createScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { anthropic } from '../../../../mock-llm-server/services/cloud/anthropic/anthropic.ts';
import { rulesNamed } from '../../../../mock-llm-server/services/relay/relay.ts';
import { SERVICES } from '../../../../mock-llm-server/services/services.ts';
import { clientHeaders } from '../../../support/stories/builders.ts';
import { CHAT, type Json, MESSAGES, RESPONSES } from './cases/case.ts';
import { caseOf } from './cases/cases.ts';

const scenarios = { ...createScenarioSet([]), defaultResponse: 'Hello.' };

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
const objectOf = (value: unknown): Json => Object(value);
const functionsOf = (body: Json) => listOf(body['tools']).map((tool) => objectOf(tool['function']));

/** A chat completion as a request of Messages; undefined if Messages cannot say it. */
function asMessages(body: Json): Json | undefined {
  const { messages, tool_choice: choice, max_tokens = 9, tools: _, ...rest } = body;
  const all = listOf(messages);
  const texts = all.flatMap(({ tool_calls: calls }) =>
    listOf(calls).map((call) => objectOf(call['function'])['arguments']),
  );
  if (all.some(({ role }) => role === 'developer') || texts.some((text) => text !== '{}')) return undefined;
  if ('n' in body || 'response_format' in body || choice !== undefined) return undefined;
  const tools = functionsOf(body).map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters }));
  const turned = all.map(({ role, content, tool_calls: calls, tool_call_id: id, reasoning_content: thinking }) => {
    if (role === 'tool') return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] };
    const blocks = typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : listOf(content);
    const uses = listOf(calls).map((call) => ({ type: 'tool_use', id: call['id'], name: 'read', input: {} }));
    const thoughts = typeof thinking === 'string' ? [{ type: 'thinking', thinking, signature: 'abc' }] : [];
    return { role, content: [...thoughts, ...blocks, ...uses] };
  });
  return { ...rest, max_tokens, messages: turned, ...(tools.length > 0 && { tools }) };
}

/** A chat completion as a request of Responses; undefined if Responses cannot say it. */
function asResponses(body: Json): Json | undefined {
  const { messages, max_tokens: max, tools: _, ...rest } = body;
  const all = listOf(messages);
  if ('n' in body || all.some((message) => 'reasoning_content' in message)) return undefined;
  const tools = functionsOf(body).map((tool) => ({ type: 'function', ...tool }));
  const input = all.flatMap(({ role, content, tool_calls: calls, tool_call_id: id }) => {
    if (role === 'tool') return [{ type: 'function_call_output', call_id: id, output: content }];
    const type = role === 'assistant' ? 'output_text' : 'input_text';
    const parts = typeof content === 'string' ? [{ type, text: content }] : listOf(content);
    const items = listOf(calls).map((call) => ({
      type: 'function_call',
      call_id: call['id'],
      ...objectOf(call['function']),
    }));
    return content === '' ? items : [{ type: 'message', role, content: parts }, ...items];
  });
  return { ...rest, input, ...(tools.length > 0 && { tools }), ...(max !== undefined && { max_output_tokens: max }) };
}

const WIRES = {
  'anthropic-messages': [MESSAGES, asMessages],
  'openai-responses': [RESPONSES, asResponses],
} as const;

/** The rules for chats that hold over another protocol because the service turns it into chats, with their requests. */
const rows = SERVICES.flatMap(({ name, turned, rules }) =>
  rules.flatMap(({ id, protocols }) => {
    const { path, refused, accepted, says, headers } = caseOf(id);
    if (turned === undefined || path !== CHAT || headers !== undefined) return [];
    return (['anthropic-messages', 'openai-responses'] as const).flatMap((protocol) => {
      const [route, turn] = WIRES[protocol];
      const [bad, good] = [turn(refused), turn(accepted)];
      if (!turned.protocols.includes(protocol) || !protocols?.includes(protocol)) return [];
      return bad && good ? [{ id, route: `/as/${name}${route}`, bad, good, says }] : [];
    });
  }),
);

describe('a service that turns other protocols into Chat Completions', () => {
  const send = async (route: string, body: Json) => {
    const answer = await createMockServer({ scenarios }).request(route, {
      method: 'POST',
      headers: clientHeaders(route),
      body: JSON.stringify(body),
    });
    return { status: answer.status, rule: answer.headers.get('x-mock-rule'), text: await answer.text() };
  };

  it.each(rows)('refuses over $route what $id names, and accepts the neighbour', async ({ route, bad, good, says }) => {
    const refused = await send(route, bad);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.text).toContain(JSON.stringify(says).slice(1, -1));
    expect(await send(route, good)).toMatchObject({ status: 200, rule: null });
  });

  it('has such rules of llama.cpp, Moonshot and DeepSeek', () => {
    expect(new Set(rows.map(({ id }) => id.replace(/\/.*/, '')))).toEqual(
      new Set(['deepseek', 'llamacpp', 'moonshot']),
    );
  });
});

it('a relay cannot name a rule that its maker does not have', () => {
  expect(() => rulesNamed(anthropic.rules, 'anthropic', ['tool-name', 'tool-nam'])).toThrow(
    'There is no rule anthropic/tool-nam.',
  );
});
