import { describe, expect, it } from 'vitest';
import type { ServiceName } from '../../../../mock-llm-server/conversation/conversation.ts';
import { createJournal } from '../../../../mock-llm-server/journal/journal.ts';
import { createMockServer, type MockServerOptions } from '../../../../mock-llm-server/server/app.ts';
import { chooseService } from '../../../../mock-llm-server/services/choose-service.ts';
import { RULES, SERVICES } from '../../../../mock-llm-server/services/services.ts';
import { clientHeaders, scenarioSet } from '../../../support/stories/builders.ts';
import { ACCEPTED_CASES } from './access/accepted-cases.ts';
import { type Json, type RuleCase, user } from './cases/case.ts';
import { caseOf, RULE_CASES } from './cases/cases.ts';

const scenarios = scenarioSet({
  scenarios: [
    { name: 'calls', trigger: 'call it', steps: [{ response: { tool_calls: [{ name: 'read', arguments: {} }] } }] },
    {
      name: 'thinks',
      trigger: 'think about it',
      steps: [
        { response: { reasoning: 'Hm.', tool_calls: [{ id: 'call_thought', name: 'read', arguments: {} }] } },
        { response: { content: 'Done.' } },
      ],
    },
  ],
  default_response: { content: 'Hello.' },
});

/** Sends a raw request to a server, and returns what a client sees and what the journal keeps. */
async function send(
  path: string,
  body: Json,
  { headers: more, ...options }: Partial<MockServerOptions> & Pick<RuleCase, 'headers'> = {},
) {
  const journal = createJournal();
  const app = createMockServer({ scenarios, journal, ...options });
  const all = { ...clientHeaders(path), ...more };
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const answer = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, rule: answer.headers.get('x-mock-rule'), text: await answer.text(), journal };
}

/** The rules that are off in the tests of others: a server without a parser refuses the tools of most requests. */
const allowedFor = (id: string) =>
  id === 'vllm-without-parser/tool-parser' ? [] : ['vllm-without-parser/tool-parser'];

const rows = SERVICES.flatMap(({ name, rules }) => rules.map((rule) => [rule.id, name, rule] as const));

describe('RULES', () => {
  it('has a case for each rule, and no rule twice', () => {
    const own = RULES.flatMap(({ id, origin }) => (origin === undefined ? [id] : []));
    expect(own.toSorted()).toEqual(Object.keys(RULE_CASES).toSorted());
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  });

  it.each(rows)('%s names its service, a source and the date of the source', (id, name, { source, date }) => {
    expect(id).toMatch(new RegExp(`^${name}/[a-z0-9-]+$`));
    expect(source).toMatch(/^https:\/\/\S+$|^recording /);
    expect(date).toMatch(/^20\d\d-\d\d(-\d\d)?$/);
  });

  it.each(rows)('%s refuses as the service does, and names the rule outside the body', async (id, name, rule) => {
    const { path, refused, says, status = 400, headers } = caseOf(id);
    const answer = await send(`/as/${name}${path}`, refused, { headers, allow: allowedFor(id) });
    expect(answer.text).toContain(JSON.stringify(says).slice(1, -1));
    expect(answer.status).toBe(status);
    expect(answer.rule).toBe(`${id}; date=${rule.date}; source=${rule.source}`);
    expect(answer.text).not.toContain(id);
    const [entry] = answer.journal.entries;
    expect(entry).toMatchObject({ service: name, rule: { id, source: rule.source, date: rule.date } });
  });

  it.each(rows)('%s accepts the neighbour', async (id, name) => {
    const { path, acceptedPath = path, accepted } = caseOf(id);
    const answer = await send(`/as/${name}${acceptedPath}`, accepted, { allow: allowedFor(id) });
    expect([answer.status, answer.rule, answer.text.slice(0, 200)]).toEqual([200, null, expect.any(String)]);
    expect(answer.journal.entries[0]?.lint).toEqual([]);
  });

  it.each(rows)('%s can be allowed, and is only noted with --lint warn', async (id, name) => {
    const { path, refused, headers } = caseOf(id);
    const allowed = await send(`/as/${name}${path}`, refused, { allow: [id], headers });
    expect(allowed.rule?.startsWith(`${id};`) ?? false).toBe(false);
    const warned = await send(`/as/${name}${path}`, refused, { lint: 'warn', headers });
    expect(warned.journal.entries[0]?.lint.join('\n')).toContain(`(rule ${id})`);
  });

  const byModel = rows.filter(([id, name]) => ownerOf(id) === name);
  it.each(byModel)('%s applies with default settings, by the name of the model', async (id) => {
    const { path, refused, headers } = caseOf(id);
    expect((await send(path, refused, { headers })).rule).toMatch(new RegExp(`^${id};`));
  });
});

/** The service of the refused request by its path and model alone. */
function ownerOf(id: string): ServiceName | undefined {
  const { path, refused } = caseOf(id);
  const protocol = RULES.find((rule) => rule.id === id)?.protocols?.[0] ?? 'openai-chat';
  return chooseService({ protocol, path, model: String(refused['model'] ?? /models\/([^:]+)/.exec(path)?.[1]) });
}

it.each(ACCEPTED_CASES)('by %s, %s accepts %s', async (_source, service, path, body, headers) => {
  const { status, rule, text } = await send(`/as/${service}${path}`, body, { headers });
  expect([status, rule, text.slice(0, 200)]).toEqual([200, null, expect.stringMatching(/^\{|^event: response\./)]);
});

it.each<[Partial<MockServerOptions>, number]>([
  [{}, 404],
  [{ lint: 'warn' }, 200],
  [{ allow: ['openai/path'] }, 200],
])('with %j, a path of models that OpenAI does not have has the status %i', async (options, status) => {
  const app = createMockServer({ scenarios, ...options });
  expect((await app.request('/as/openai/api/v1/models')).status).toBe(status);
});

// https://platform.openai.com/docs/guides/conversation-state
it('a call without its reasoning is accepted in a conversation, which has it', async () => {
  const { path, refused } = caseOf('openai/dropped-reasoning');
  expect((await send(`/as/openai${path}`, { ...refused, conversation: 'conv_1' })).rule).toBe(null);
});

describe('the output limit', () => {
  it.each([
    ['openai', 'gpt-4o', 16_384],
    ['openai', 'gpt-4.1-mini', 32_768],
    ['openai', 'gpt-4-turbo', 4096],
    ['anthropic', 'claude-3-opus-20240229', 4096],
    ['anthropic', 'claude-3-5-haiku-latest', 8192],
    ['anthropic', 'claude-opus-4-1', 32_000],
    ['anthropic', 'claude-haiku-4-5', 64_000],
    ['anthropic', 'claude-sonnet-5', 128_000],
    ['deepseek', 'deepseek-chat', 8192],
    ['deepseek', 'deepseek-v4-flash', 393_216],
    ['dashscope', 'qwen3-max', 65_536],
    ['zai', 'glm-5.2', 131_072],
    ['zai', 'glm-4', 4095],
    ['groq', 'openai/gpt-oss-120b', 65_536],
    ['groq', 'llama-3.1-8b-instant', 131_072],
    ['groq', 'meta-llama/llama-4-scout-17b-16e-instruct', 8192],
    ['groq', 'qwen/qwen3-32b', 40_960],
  ])('of %s for %s is %i', async (service, model, max) => {
    const path = `/as/${service}${service === 'anthropic' ? '/v1/messages' : '/v1/chat/completions'}`;
    const statuses = [max, max + 1].map(
      async (max_tokens) =>
        (await send(path, { model, max_tokens, messages: [{ role: 'user', content: 'go' }] })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 400]);
  });
});

// https://code.claude.com/docs/en/advisor
it.each([
  ['claude-haiku-4-5', 'sonnet-4-6 opus-4-6 fable-5', 'haiku-4-5'],
  ['claude-sonnet-4-6', 'sonnet-4-6 sonnet-5 opus-4-6', 'haiku-4-5'],
  ['claude-sonnet-5', 'sonnet-5 opus-4-6 opus-5', 'sonnet-4-6'],
  ['claude-opus-4-6', 'opus-4-6 sonnet-5 opus-4-7', 'sonnet-4-6'],
  ['claude-opus-4-8', 'opus-4-7 opus-5-5 fable-5', 'opus-4-6 sonnet-5'],
  ['claude-fable-5', 'fable-5 mythos-5', 'opus-5 sonnet-5'],
])('%s takes the advisors %s and not %s', async (model, accepted, refused) => {
  for (const name of `${accepted} ${refused}`.split(' ')) {
    const tools = [{ type: 'advisor_20260301', name: 'advisor', model: `claude-${name}` }];
    const { status } = await send('/as/anthropic/v1/messages', { model, max_tokens: 9, messages: [user()], tools });
    expect([name, status]).toEqual([name, refused.includes(name) ? 400 : 200]);
  }
});

describe('the thinking levels of Gemini', () => {
  it.each([
    ['gemini-3-pro-preview', 'LOW HIGH', 'MINIMAL MEDIUM'],
    ['gemini-3.1-pro-preview', 'LOW MEDIUM HIGH', 'MINIMAL'],
    ['gemini-3.7-flash', 'LOW MEDIUM HIGH', 'MINIMAL'],
    ['gemini-3.6-flash', 'MINIMAL LOW MEDIUM HIGH', ''],
    ['gemma-4-31b-it', 'MINIMAL HIGH', 'LOW MEDIUM'],
  ])('%s has %s and not %s', async (model, has, lacks) => {
    const statusOf = async (thinkingLevel: string) => {
      const generationConfig = { thinkingConfig: { thinkingLevel } };
      const contents = [{ role: 'user', parts: [{ text: 'go' }] }];
      return (await send(`/v1beta/models/${model}:generateContent`, { contents, generationConfig })).status;
    };
    for (const level of has.split(' ')) expect([level, await statusOf(level)]).toEqual([level, 200]);
    for (const level of lacks.split(' ').filter(Boolean)) expect([level, await statusOf(level)]).toEqual([level, 400]);
  });
});
