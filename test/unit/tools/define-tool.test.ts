import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ToolError } from '../../../src/agent/errors.ts';
import { argumentsSchema } from '../../../src/schema/data-schema.ts';
import { defineTool, rephraseToolError } from '../../../src/tools/define-tool.ts';

const context = { callId: 'a', signal: new AbortController().signal, pause: async () => {} };

const schema = z.object({ name: z.string(), times: z.number().int().min(1).default(1) });
const definition = { name: 'greet', description: 'Greets somebody.', parameters: {}, effect: 'read' } as const;
const tool = defineTool(definition, argumentsSchema(schema), {
  async plan({ name, times }) {
    const effect = { summary: `greet ${name} ${times} times`, paths: [] };
    return { effect, greeting: `hello ${name} `.repeat(times) };
  },
  async *run(plan) {
    yield { stream: 'stdout', text: 'greeting' };
    return { content: plan.greeting, isError: false, summary: 'greeted' };
  },
});

describe('defineTool', () => {
  it('fills in defaults and runs the plan', async () => {
    const call = await tool.plan({ name: 'you' }, context);
    // The greeting is private to the plan and must not reach the events.
    expect(call.effect).toEqual({ summary: 'greet you 1 times', paths: [] });
    const run = call.run();
    expect(await run.next()).toEqual({ done: false, value: { stream: 'stdout', text: 'greeting' } });
    expect((await run.next()).value).toMatchObject({ content: 'hello you ' });
  });

  it('accepts a number that was written as a string', async () => {
    expect((await tool.plan({ name: 'you', times: '2' }, context)).effect.summary).toBe('greet you 2 times');
  });

  it.each([
    [
      {},
      'The arguments of greet do not fit its schema:\n✖ Invalid input: expected string, received undefined\n  → at name',
    ],
    [null, 'The arguments of greet do not fit its schema:\n✖ Invalid input: expected object, received null'],
    [[1, 2], 'The arguments of greet do not fit its schema:\n✖ Invalid input: expected object, received array'],
    [
      { name: 'you', times: 0 },
      'The arguments of greet do not fit its schema:\n✖ Too small: expected number to be >=1\n  → at times',
    ],
  ])('refuses %j', async (args, message) => {
    await expect(tool.plan(args, context)).rejects.toMatchObject({ code: 'invalid_arguments', message });
  });

  it('refuses hundreds of arguments without checking each of them', async () => {
    const args = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`key${index}`, index]));
    await expect(tool.plan(args, context)).rejects.toMatchObject({
      code: 'invalid_arguments',
      message: 'The call of greet has 101 arguments. Use only those of its schema.',
    });
  });
});

it('a rephrased ToolError keeps its code and its rule, and other errors stay as they are', () => {
  const error = new ToolError('path_blocked', 'No.', { rule: 'safety.mode' });
  const rephrased = rephraseToolError(error, (message) => `${message} Ask.`);
  expect(rephrased).toBeInstanceOf(ToolError);
  expect(rephrased).toMatchObject({ code: 'path_blocked', message: 'No. Ask.', rule: 'safety.mode', cause: error });
  const other = new TypeError('a mistake of ours');
  expect(rephraseToolError(other, String)).toBe(other);
});
