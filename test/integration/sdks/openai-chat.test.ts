import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { beforeAll, describe, expect, it } from 'vitest';
import { PLAYED, serveScenarios, TWO_READS, TWO_READS_TOOLS } from '../../support/wires/serve-scenarios.ts';

const served = serveScenarios([
  TWO_READS,
  { name: 'endless', trigger: 'endless', steps: [{ response: { tool_calls: [{ name: 'x' }] } }] },
  { name: 'verdict', trigger: 'judge this', steps: [{ response: { content: 'Good.' } }] },
]);

let client: OpenAI;
beforeAll(() => {
  // The client keeps its default retries, so that the tests detect whether the server prevents them.
  client = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: 'unused' });
});

function prompt(content: string) {
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content }];
  return { model: 'gpt-x', messages };
}

describe('the openai client', () => {
  it.each([false, true])('plays a story to its end (streaming: %s)', async (streaming) => {
    const tools = TWO_READS_TOOLS.map((name) => ({ type: 'function' as const, function: { name } }));
    const request = { ...prompt('please read both'), tools };
    const texts: (string | null)[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const completion = streaming
        ? await client.chat.completions.stream(request).finalChatCompletion()
        : await client.chat.completions.create(request);
      const message = completion.choices[0]?.message;
      if (message === undefined) throw new Error('an answer without a choice');
      texts.push(message.content);
      request.messages.push(message);
      if (message.tool_calls === undefined) break;
      for (const { id } of message.tool_calls) {
        request.messages.push({ role: 'tool', tool_call_id: id, content: 'ok' });
      }
    }
    expect(texts).toEqual(['I read both – 漢字 🙂.', null, 'Both are read.']);
    expect(served.answers()).toEqual(PLAYED);
  });

  it.each([false, true])('reports a request without a match after one request (streaming: %s)', async (stream) => {
    const failure = await client.chat.completions.create({ ...prompt('raed btoh'), stream }).catch((error) => error);
    expect(failure).toBeInstanceOf(OpenAI.BadRequestError);
    expect(failure).toMatchObject({
      status: 400,
      code: 'no_scenario_matched',
      message: expect.stringContaining('"read both"'),
      requestID: expect.stringMatching(/^req_/),
    });
    expect(served.lines()).toHaveLength(1);
  });

  it('reports the end of a scenario after one request', async () => {
    const request = prompt('endless');
    const first = await client.chat.completions.create(request);
    const message = first.choices[0]?.message;
    const [call] = message?.tool_calls ?? [];
    if (message === undefined || call === undefined) throw new Error('no tool call');
    request.messages.push(message, { role: 'tool', tool_call_id: call.id, content: 'ok' });
    await expect(client.chat.completions.create(request)).rejects.toMatchObject({ code: 'past_last_step' });
    expect(served.lines()).toHaveLength(2);
  });

  it("receives the provider's own 400 for a call without a result", async () => {
    const request = prompt('read both');
    const message = (await client.chat.completions.create(request)).choices[0]?.message;
    const [first, second] = message?.tool_calls ?? [];
    if (message === undefined || first === undefined || second === undefined) throw new Error('no tool calls');
    request.messages.push(message, { role: 'tool', tool_call_id: first.id, content: 'ok' });
    await expect(client.chat.completions.create(request)).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      message: expect.stringContaining(`did not have response messages: ${second.id}`),
    });
  });

  it('retrieves a model by its name', async () => {
    expect(await client.models.retrieve('mock/verdict')).toMatchObject({ id: 'mock/verdict', object: 'model' });
  });

  it('gets the rate limits in headers', async () => {
    const { response } = await client.chat.completions.create(prompt('judge this')).withResponse();
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('9999');
  });
});
