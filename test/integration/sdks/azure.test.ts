import { AzureOpenAI, NotFoundError } from 'openai';
import { beforeAll, expect, it } from 'vitest';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const served = serveScenarios([
  {
    name: 'hello',
    trigger: 'say hello',
    steps: [
      { response: { tool_calls: [{ name: 'wave', arguments: { hand: 'left' } }] } },
      { response: { content: 'Hello.' } },
    ],
  },
  { name: 'gone', trigger: 'be gone', steps: [{ response: { content: 'x' }, fault: { status: 404 } }] },
]);

let client: AzureOpenAI;
beforeAll(() => {
  client = new AzureOpenAI({ endpoint: served.url, apiKey: 'unused', apiVersion: '2025-04-01-preview', maxRetries: 0 });
});

const model = 'my-deployment';
const user = { role: 'user', content: 'say hello' } as const;
const tools = [{ type: 'function' as const, function: { name: 'wave' } }];

it('the Azure client completes a chat with a tool call below the path of its deployment', async () => {
  const first = await client.chat.completions.create({ model, tools, messages: [user] });
  const [choice] = first.choices;
  const [call] = choice?.message.tool_calls ?? [];
  if (choice === undefined || call === undefined) throw new Error('no call');
  const second = await client.chat.completions.create({
    model,
    tools,
    messages: [user, choice.message, { role: 'tool', tool_call_id: call.id, content: 'waved' }],
    stream: true,
  });
  let text = '';
  for await (const chunk of second) text += chunk.choices[0]?.delta.content ?? '';
  expect([first.model, text]).toEqual([model, 'Hello.']);
  expect(served.lines()).toEqual([
    '/openai/deployments/my-deployment/chat/completions 200 hello step 0',
    '/openai/deployments/my-deployment/chat/completions 200 hello step 1',
  ]);
});

it('the Azure client uses Responses and lists models', async () => {
  const response = await client.responses.create({ model, input: 'say hello' });
  expect(response.output).toMatchObject([{ type: 'function_call', name: 'wave' }]);
  expect((await client.models.list()).data).toMatchObject([{ object: 'model' }]);
});

it("the Azure client throws Azure's errors", async () => {
  const gone = client.chat.completions.create({ model, messages: [{ role: 'user', content: 'be gone' }] });
  await expect(gone).rejects.toThrow(NotFoundError);
  await expect(gone).rejects.toThrow('The API deployment for this resource does not exist.');
});
