import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createJournal } from '../../../../mock-llm-server/journal/journal.ts';
import { resultsWithin } from '../../../../mock-llm-server/matching/text-forms.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';

type Message = Readonly<{ role: 'system' | 'user' | 'assistant'; content: string }>;

const AnswerSchema = z.object({
  choices: z.array(
    z.object({ message: z.object({ content: z.string().nullable(), tool_calls: z.unknown().optional() }) }),
  ),
});

/** The message of an answer; nothing of a refusal. */
const messageOf = async (answer: Response) => AnswerSchema.safeParse(await answer.json()).data?.choices[0]?.message;

const say = (content: string) => ({ response: { content } });

/** Asks a server with one scenario, whose first step leads to the next by `results`. */
async function ask(messages: readonly Message[], results: unknown = 1, fields: object = {}) {
  const steps = [{ ...say('first'), results }, say('then: {{tool_result last}}')];
  const journal = createJournal();
  const scenarios = scenarioSet({ scenarios: [{ name: 'a', trigger: 'fix the bug', steps }] });
  const body = JSON.stringify({ model: 'm', messages, ...fields });
  const answer = await createMockServer({ scenarios, journal }).request('/v1/chat/completions', {
    method: 'POST',
    body,
  });
  return { content: (await messageOf(answer))?.content, entry: journal.entries[0] };
}

const system = (content: string): Message => ({ role: 'system', content });
const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });
const asked = [system('You are an agent.'), user('Fix the bug.'), assistant('first')];

describe('a result in a text', () => {
  // The text after an answer, as the sources of each agent write it.
  it.each([
    ['smolagents 1.26', 'Observation:\nExecution logs:\n3\nLast output from code snippet:\nNone'],
    ['smolagents 1.26, an error', "Call id: x\nError:\nno\nNow let's retry: take care not to repeat previous errors!"],
    ['LlamaIndex 0.14', 'Observation: 3'],
    ['SWE-agent', 'OBSERVATION:\n3'],
    ['mini-swe-agent 2.4.6', '<returncode>0</returncode>\n<output>\n3\n</output>'],
    ['mini-swe-agent 2.4.6, a timeout', '<exception>timed out</exception>\n<returncode>-1</returncode>'],
    ['mini-swe-agent 2.4.6, no command', 'Format error:\n\n<error>\nno\n</error>'],
    ['gptme 0.35.1 without system texts', '<system>\nRan command: `ls`\n</system>'],
    ['aider 0.86.2, lint', '# Fix any errors below, if possible.\n\nE999'],
    ['aider 0.86.2, tests', 'I ran this command:\n\npytest\n\nAnd got this output:\n\n1 failed'],
    ['aider 0.86.2, an edit', '# 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch'],
    ['aider 0.86.2, a format', 'a.py\n<<<<<<< SEARCH\n\n^^^ Bad/missing filename.'],
    ['aider 0.86.2, a file', 'I added these files to the chat: a.py\nLet me know if there are others we should add.'],
    ['OpenHands', 'EXECUTION RESULT of [execute_bash]:\n/workspace'],
    ['AutoGen', 'exitcode: 0 (execution succeeded)\nCode output: 3'],
    ['Cline', "[read_file for 'a.py'] Result:\nprint(3)"],
  ])('of %s leads to the next step', async (_agent, text) => {
    expect((await ask([...asked, user(text)])).content).toBe(`then: ${text}`);
  });

  // aider 0.86 sends examples of answers, the prompt, and its rules as a system text.
  it('is no system text that follows a prompt, as aider sends it', async () => {
    const examples = [user('I switched to a new code base.'), assistant('Ok.')];
    const { content } = await ask([system('Act as an expert.'), ...examples, user('Fix the bug.'), system('# Rules')]);
    expect(content).toBe('first');
  });

  // The second request of aider 0.86 after a lint error, with --no-auto-commits.
  it('follows the notes of aider about its files', async () => {
    const edited = [user('Fix the bug.'), assistant('first'), user('I updated the files.'), assistant('Ok.')];
    const files = [user('I have *added these files to the chat* so you can go ahead.'), assistant('Ok, any changes.')];
    const lint = user('# Fix any errors below, if possible.\n\nSyntaxError');
    const { content } = await ask([system('Act as an expert.'), ...edited, ...files, lint, system('# Rules')]);
    expect(content).toBe('then: # Fix any errors below, if possible.\n\nSyntaxError');
  });

  it('can be a system text, as gptme sends it, and several of them are one', async () => {
    const { content } = await ask([...asked, system('Ran command: `ls`'), system('Saved to a.py')]);
    expect(content).toBe('then: Ran command: `ls`');
  });

  it('answers every call whose id the answer of smolagents names', async () => {
    const journal = createJournal();
    const scenarios = scenarioSet({
      scenarios: [
        {
          name: 'a',
          trigger: 'go',
          steps: [{ response: { tool_calls: [{ name: 'x' }, { name: 'x' }] } }, say('done')],
        },
      ],
    });
    const app = createMockServer({ scenarios, journal });
    const tools = [{ type: 'function', function: { name: 'x', parameters: { type: 'object' } } }];
    const send = async (...messages: readonly Message[]) => {
      const body = JSON.stringify({ model: 'm', messages, tools });
      return messageOf(await app.request('/v1/chat/completions', { method: 'POST', body }));
    };
    const first = await send(user('go'));
    const calls = JSON.stringify(first?.tool_calls).replaceAll('"', "'");
    const next = await send(user('go'), assistant(`Calling tools:\n${calls}`), user('Observation:\n1\n2'));
    expect(next?.content).toBe('done');
  });

  it('is a prompt where no step waits for it', async () => {
    const scenarios = scenarioSet({
      scenarios: [
        { name: 'a', trigger: 'fix the bug', steps: [say('done')] },
        { name: 'b', trigger: 'traceback', steps: [say('again')] },
      ],
    });
    const messages = [...asked, user('Error:\ntraceback')];
    const body = JSON.stringify({ model: 'm', messages });
    const answer = await createMockServer({ scenarios }).request('/v1/chat/completions', { method: 'POST', body });
    expect((await messageOf(answer))?.content).toBe('again');
  });
});

describe('results within a prompt', () => {
  it('of dspy 3.4.1 lead to the step after them', async () => {
    const trajectory =
      '[[ ## question ## ]]\nFix the bug.\n\n[[ ## trajectory ## ]]\n[[ ## thought_0 ## ]]\nlook\n\n' +
      '[[ ## tool_name_0 ## ]]\nls\n\n[[ ## observation_0 ## ]]\na.py\n\nRespond with the corresponding output fields';
    expect((await ask([user(trajectory)])).content).toBe('then: a.py');
  });

  it('of a scratchpad lead to the step after them', async () => {
    const scratchpad =
      'Question: Fix the bug.\nThought: look\nAction: ls\nAction Input: .\nObservation: a.py\nThought:';
    expect((await ask([user(scratchpad)])).content).toBe('then: a.py');
  });

  it('are found in order', () => {
    const text = 'Q\nAction Input: 1\nObservation: a\nThought: x\nAction: y\nAction Input: 2\nObservation: b';
    expect(resultsWithin(text)).toEqual({ prompt: 'Q\nAction Input: 1', results: ['a', 'b'] });
    expect(resultsWithin('Q\nAction Input: 1')).toBeUndefined();
    expect(resultsWithin('Q')).toBeUndefined();
  });
});

describe('results in another form', () => {
  it.each([
    ['any text', 'text', 'whatever it says', 'then: whatever it says'],
    ['a text that the step states', { regex: '^ran ' }, 'Ran ls', 'then: Ran ls'],
    ['a text that it does not state', { regex: '^ran ' }, 'Thanks', undefined],
  ])('are %s', async (_what, results, text, content) => {
    expect((await ask([...asked, user(text)], results)).content).toBe(content);
  });

  it('that the server cannot know give the same step again, with a note', async () => {
    const { content, entry } = await ask(asked);
    expect(content).toBe('first');
    expect(entry?.notes).toEqual([expect.stringContaining('the same step again')]);
  });

  it('of a request with tools are no system texts', async () => {
    const tools = [{ type: 'function', function: { name: 'x', parameters: { type: 'object' } } }];
    const { content, entry } = await ask([...asked, system('Be quick.')], 1, { tools });
    expect([content, entry?.notes?.length]).toEqual(['first', 1]);
  });
});
