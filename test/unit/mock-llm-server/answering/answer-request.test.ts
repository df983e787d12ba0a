import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';

const read = { name: 'read', arguments: {} };
const scenarios = scenarioSet({
  scenarios: [
    {
      name: 'fix',
      trigger: 'fix the total',
      steps: [
        { response: { tool_calls: [read] } },
        { response: { tool_calls: [read] } },
        { response: { content: 'Fixed.' } },
      ],
    },
    // Each text that an agent adds has one of these words.
    {
      name: 'other',
      trigger: { regex: 'directory|agents|todo|mode' },
      steps: [{ response: { content: 'The other scenario.' } }],
    },
  ],
});
const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } }];
const AnswerSchema = z.object({
  choices: z.tuple([
    z.object({
      message: z.object({
        role: z.string(),
        content: z.string().nullable(),
        tool_calls: z.array(z.object({ id: z.string(), type: z.string(), function: z.unknown() })).optional(),
      }),
    }),
  ]),
});
type Message = Readonly<Record<string, unknown>>;
const user = (content: unknown): Message => ({ role: 'user', content });

/** Texts that agents add as the user, as their public code and logs have them. */
const AGENTS: readonly (readonly [agent: string, before: readonly Message[], texts: readonly string[]])[] = [
  [
    'Qwen Code',
    [
      user(
        "This is the Qwen Code. We are setting up the context for our chat.\nI'm currently working in the directory: /w",
      ),
      { role: 'assistant', content: 'Got it. Thanks for the context!' },
    ],
    [
      '<system-reminder>You have powerful specialized agents at your disposal, available agent types are: a.</system-reminder>',
    ],
  ],
  ['Copilot CLI', [], ['<current_datetime>2026</current_datetime>', '<system_reminder>No todo yet.</system_reminder>']],
  [
    'Cline',
    [],
    [
      '# task_progress List (Optional - Plan Mode)\n\nYou may include a preliminary todo list.',
      '<environment_details>\n# Current Working Directory (/w) Files\n</environment_details>',
    ],
  ],
  [
    'Droid',
    [],
    ['<system-reminder>IMPORTANT: TodoWrite was not called yet. Keep the todo list up to date.</system-reminder>'],
  ],
  ['Kilo', [], ['<system-reminder>\nYour operational mode has changed from plan to build.\n</system-reminder>']],
];

/** The answers of a run whose agent adds texts in one of the ways. */
async function play(before: readonly Message[], texts: readonly string[], way: string, pin: Message): Promise<string> {
  const app = createMockServer({ scenarios });
  const added = texts.map((text) => user(text));
  const parts = user(['fix the total', ...texts].map((text) => ({ type: 'text', text })));
  const prompt = user('fix the total');
  const starts: Readonly<Record<string, readonly Message[]>> = {
    'before the prompt': [...added, prompt],
    'after the prompt': [prompt, ...added],
    'in the prompt, and after each result': [parts],
  };
  let messages: readonly Message[] = [...before, ...(starts[way] ?? [])];
  let said = '';
  for (let request = 0; request < 4; request++) {
    const body = JSON.stringify({ model: 'any', messages, tools, ...pin });
    const answer = await app.request('/v1/chat/completions', { method: 'POST', body });
    const [{ message }] = AnswerSchema.parse(await answer.json()).choices;
    const { tool_calls: calls = [] } = message;
    said += calls.length > 0 ? 'calls, ' : message.content;
    if (calls.length === 0) break;
    const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' }));
    messages = [...messages, message, ...results, ...(way.endsWith('result') ? added : [])];
  }
  return said;
}

describe.each(AGENTS)('a run of %s', (_agent, before, texts) => {
  it.each([['before the prompt'], ['after the prompt'], ['in the prompt, and after each result']])(
    'goes through its scenario with its texts %s, pinned or not',
    async (way) => {
      const pinned = { metadata: { mock_scenario: 'fix' } };
      expect([await play(before, texts, way, {}), await play(before, texts, way, pinned)]).toEqual(
        Array(2).fill('calls, calls, Fixed.'),
      );
    },
  );
});

it('a prompt with a word of these texts starts the other scenario', async () => {
  expect(await play([user('which directory?')], [], 'none', {})).toBe('The other scenario.');
});
