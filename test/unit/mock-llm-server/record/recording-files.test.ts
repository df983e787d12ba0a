import { expect, test } from 'vitest';
import { MAX_LOCKED_TEXT } from '../../../../mock-llm-server/drift/lock.ts';
import { digestPart } from '../../../../mock-llm-server/drift/prompt-parts.ts';
import { createRecorder } from '../../../../mock-llm-server/record/recorder.ts';
import { WIRES } from '../../../../mock-llm-server/wire/wires.ts';

interface Recorded {
  readonly path: string;
  readonly body: object;
  readonly answer: object;
}

/** The files of a recording of one request. */
async function record({ path, body, answer }: Recorded) {
  const recorder = createRecorder({ secrets: [] });
  const protocol = path === '/v1/messages' ? 'anthropic-messages' : 'openai-chat';
  const wire = WIRES.find((each) => each.protocol === protocol);
  const headers = { 'anthropic-version': '2023-06-01' };
  const request = { method: 'POST', path, query: {}, headers, body: JSON.stringify(body) };
  const response = await recorder.exchange({ wire, request, connection: {} }, async () => Response.json(answer));
  for await (const _piece of response.body ?? []);
  await recorder.settle();
  return recorder.files({});
}

interface Sizes {
  readonly system?: number;
  readonly user?: number;
  readonly result?: number;
}

const partName = { system: 'system', user: 'user 1', result: 'tool result 1' } as const;

/** The part in `recording.jsonl` and in the lock of a conversation whose parts have these numbers of characters. */
async function recordParts({ system = 10, user = 10, result = 10 }: Sizes, name: keyof Sizes) {
  const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } };
  const { files } = await record({
    path: '/v1/chat/completions',
    body: {
      model: 'm',
      messages: [
        { role: 'system', content: 's'.repeat(system) },
        { role: 'user', content: 'u'.repeat(user) },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'r'.repeat(result) },
      ],
    },
    answer: { choices: [{ index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }] },
  });
  const { parts } = JSON.parse(files.get('recording.jsonl') ?? '');
  const { steps } = JSON.parse(files.get('prompt.lock.json') ?? '');
  const recorded: unknown = parts.find((part: { name: string }) => part.name === partName[name]);
  const locked: unknown = steps[0].parts.find(({ part }: { part: string }) => part === partName[name]);
  return { recorded, locked };
}

const digest = expect.stringMatching(/^[0-9a-f]{16,64}$/);

test.each([
  ['system', 64 * 1024, 's'],
  ['user', 64 * 1024, 'u'],
  ['result', 16 * 1024, 'r'],
] as const)(
  'a recording has the part %s up to %i characters, and then its start with a note',
  async (name, limit, letter) => {
    const text = letter.repeat(limit);
    expect((await recordParts({ [name]: limit }, name)).recorded).toEqual({ name: partName[name], digest, text });
    const longer = async (more: number) => (await recordParts({ [name]: limit + more }, name)).recorded;
    expect(await longer(3)).toEqual({ name: partName[name], digest, text, note: '3 more characters are left out' });
    const digests = [3, 4].map((more) => digestPart(letter.repeat(limit + more)));
    expect([await longer(3), await longer(4)]).toMatchObject(digests.map((whole) => ({ digest: whole })));
  },
);

test.each([
  ['user', 'u'],
  ['result', 'r'],
] as const)('a lock has the part %s up to 8,000 characters, and then its digest with a note', async (name, letter) => {
  expect(MAX_LOCKED_TEXT).toBe(8000);
  const text = [letter.repeat(8000)];
  expect((await recordParts({ [name]: 8000 }, name)).locked).toEqual({ part: partName[name], digest, text });
  const note = '8001 characters, kept by digest';
  expect((await recordParts({ [name]: 8001 }, name)).locked).toEqual({ part: partName[name], digest, note });
});

test('a lock has the whole system prompt, which is what people change', async () => {
  expect((await recordParts({ system: 9000 }, 'system')).locked).toMatchObject({ text: ['s'.repeat(9000)] });
});

test.each([
  [
    { stop_reason: 'stop_sequence', stop_sequence: 'END' },
    ['Request 1: stop_sequence: only requests of anthropic-messages get it.'],
  ],
  [{ stop_reason: 'end_turn', stop_sequence: null }, []],
])('notes that an answer of Anthropic ended at a stop sequence: %j', async (stop, notes) => {
  const content = [{ type: 'text', text: 'One' }];
  const { scenarios, ...made } = await record({
    path: '/v1/messages',
    body: { model: 'm', max_tokens: 9, stop_sequences: ['END'], messages: [{ role: 'user', content: 'count' }] },
    answer: { id: 'm1', type: 'message', role: 'assistant', model: 'm', content, ...stop },
  });
  expect(made.notes).toEqual(notes);
  const message = { id: 'm1', type: 'message', role: 'assistant', model: 'm', ...stop };
  const body = { ...message, content: [{ type: 'text', text: '{{text 1}}' }] };
  const native = { protocol: 'anthropic-messages', body };
  expect(scenarios[0]?.steps).toEqual([{ response: { content: 'One', native } }]);
});
