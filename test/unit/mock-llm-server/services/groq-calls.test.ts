import { describe, expect, it } from 'vitest';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';
import { CHAT, chat, functionTool, type Json } from './cases/case.ts';

const call = { name: 'read', arguments: { path: 'a', domain: 'light' } };
const scenarios = scenarioSet({
  scenarios: [{ name: 'calls', trigger: 'go', steps: [{ response: { tool_calls: [call] } }] }],
});

async function ask(
  fields: Json,
  path = `/as/groq${CHAT}`,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const body = JSON.stringify(chat('openai/gpt-oss-120b', fields));
  const answer = await createMockServer({ scenarios }).request(path, { method: 'POST', body });
  return { status: answer.status, body: await answer.json() };
}

const domain = (type: string) => functionTool({ properties: { domain: { type } } });

describe('a call of its own model, with Groq', () => {
  it.each<[fields: Json, says: string]>([
    [{}, 'Tool choice is none, but model called a tool'],
    [{ tools: [functionTool()], tool_choice: 'none' }, 'Tool choice is none, but model called a tool'],
    [{ tools: [functionTool({}, 'listFiles')] }, "attempted to call tool 'read' which was not in request.tools"],
    [{ tools: [domain('array')] }, 'did not match schema: errors: [`/domain`: expected array, but got string]'],
    [
      { tools: [functionTool({ required: ['start', 'path', 'end'] })] },
      "did not match schema: errors: [missing properties: 'start', 'end']",
    ],
  ])('is refused for %j', async (fields, says) => {
    const error = { type: 'invalid_request_error', code: 'tool_use_failed', failed_generation: JSON.stringify(call) };
    expect(await ask(fields)).toEqual({
      status: 400,
      body: { error: { ...error, message: expect.stringContaining(says) } },
    });
  });

  it.each<[fields: Json]>([[{ tools: [functionTool()] }], [{ tools: [domain('string')] }]])(
    'is answered for %j',
    async (fields) => {
      expect(await ask(fields)).toMatchObject({ status: 200, body: { choices: [{ finish_reason: 'tool_calls' }] } });
    },
  );

  it('is answered by other services, which do not compare calls', async () => {
    expect((await ask({ tools: [domain('array')] }, `/as/fireworks${CHAT}`)).status).toBe(200);
  });
});
