import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { answerConversation } from '../../../mock-llm-server/answer.ts';
import { HELP } from '../../../mock-llm-server/arguments.ts';
import { scenarioJsonSchema } from '../../../mock-llm-server/json-schema.ts';
import { parseScenarioFile } from '../../../mock-llm-server/parse-scenario-file.ts';
import { createScenarioSet } from '../../../mock-llm-server/scenario-set.ts';
import { createMockServer } from '../../../mock-llm-server/server.ts';
import { assistant, call, conversation, results, user } from './builders.ts';

const read = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
const page = read('scenarios.md');
const examples = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

const NodeSchema = z.object({
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
});

/** The rows of the table that the schema makes, each field once. */
function fieldRows(schema: unknown, path = ''): string[] {
  const { properties = {}, required = [], items, anyOf = [], oneOf = [] } = NodeSchema.parse(schema);
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const place = path === '' ? name : `${path}.${name}`;
    const { description } = NodeSchema.parse(field);
    const row = `| \`${place}\` | ${required.includes(name) ? 'yes' : ''} | ${description} |`;
    return [row, ...fieldRows(field, place)];
  });
  const inner = items === undefined ? [] : fieldRows(items, `${path}[]`);
  return [...new Set([...own, ...inner, ...[...anyOf, ...oneOf].flatMap((member) => fieldRows(member, path))])];
}

describe('docs/scenarios.md', () => {
  it.each(examples.map((text, index) => [index, text] as const))('example %i loads', (_index, text) => {
    expect(parseScenarioFile(text, 'docs/scenarios.md').scenarios.length).toBeGreaterThan(0);
  });

  it('has a row for every field', () => {
    const rows = page
      .slice(page.indexOf('## Every field'))
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(rows).toEqual(fieldRows(scenarioJsonSchema()));
  });

  it('shows every field of the format in an example', () => {
    const shown = examples.join('\n');
    const names = fieldRows(scenarioJsonSchema()).map((row) => /`(?:.*\.)?([^.`]+)`/.exec(row)?.[1]);
    expect(names.filter((name) => !shown.includes(`"${name}":`))).toEqual([]);
  });

  it('tells the truth about its first example', () => {
    const content = parseScenarioFile(examples[0] ?? '', 'greeting.json');
    const set = createScenarioSet([{ file: 'greeting.json', content }]);
    const prompt = user('Please write a greeting.');
    const first = answerConversation(conversation(prompt), set, 'call_');
    const id = first.type === 'reply' ? (first.reply.toolCalls[0]?.id ?? '') : '';
    const second = answerConversation(conversation(prompt, assistant(call(id)), results([id])), set, 'call_');
    expect([first, second]).toMatchObject([
      { reply: { toolCalls: [{ name: 'write_file' }], source: { step: 0 } } },
      { reply: { content: 'hello.txt now greets.', source: { step: 1 } } },
    ]);
  });

  it('tells the truth about text protocols', () => {
    const content = parseScenarioFile(examples.find((text) => text.includes('tools-in-text')) ?? '', 'text.json');
    const set = createScenarioSet([{ file: 'text.json', content }]);
    const asked = [user('Which version is it?'), assistant('<tool_call id="a">cat package.json</tool_call>')];
    const blocks = ['<tool_resp id="a">\n1.2.3\n</tool_resp>', '<tool_resp id="a" #x>\n1.2.3\n</#x>'];
    for (const block of blocks) {
      const answer = answerConversation(conversation(...asked, user(block)), set, 'call_');
      expect(answer).toMatchObject({ reply: { content: 'It says: 1.2.3' } });
    }
  });

  it.each([
    ['/v1/chat/completions', 'The model `nope` does not exist'],
    ['/v1/messages', 'model: nope'],
    ['/v1beta/models/nope:generateContent', 'models/nope is not found'],
    ['/api/chat', "model 'nope' not found"],
  ])('tells the truth about models that do not exist: %s', async (path, message) => {
    const content = parseScenarioFile(examples.find((text) => text.includes('no-such-model')) ?? '', 'models.json');
    const app = createMockServer({ scenarios: createScenarioSet([{ file: 'models.json', content }]) });
    const said = { messages: [{ role: 'user', content: 'hi' }], contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
    const ask = async (model: string) => {
      const headers = { 'anthropic-version': '2023-06-01' };
      const body = JSON.stringify({ model, max_tokens: 9, ...said });
      const answer = await app.request(path.replace('nope', model), { method: 'POST', headers, body });
      return `${answer.status} ${await answer.text()}`;
    };
    expect(await ask('nope')).toMatch(/^404 /);
    expect(await ask('nope')).toContain(message);
    expect(await ask('gpt-5')).toMatch(/^400 .*matches/);
  });

  it('shows an error as it is', () => {
    const broken = (examples[0] ?? '').replace('"arguments"', '"argments"');
    const [, said = 'nothing'] = /^mock-llm-server: (.*\n {2}fix: .*)$/m.exec(page) ?? [];
    expect(() => parseScenarioFile(broken, 'greeting.json')).toThrow(expect.objectContaining({ message: said }));
  });
});

it('docs/mock-llm-server.md shows the help text', () => {
  expect(read('mock-llm-server.md')).toContain(HELP);
});
