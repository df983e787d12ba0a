import { describe, expect, it } from 'vitest';
import type { Tool, ToolContext, ToolResult } from '../../../../src/agent/ports/tool.ts';
import { createRegistry } from '../../../../src/tools/registry.ts';
import { type CallHooks, type HookAnswer, withHooks } from '../../../../src/tools/wrappers/hooked-tools.ts';

const TOOL: Tool = {
  definition: { name: 'note', description: '', parameters: {}, effect: 'write' },
  async plan(args) {
    return {
      effect: { summary: JSON.stringify(args), paths: [] },
      async *run(): AsyncGenerator<never, ToolResult, void> {
        return { content: `noted ${JSON.stringify(args)}`, isError: false, summary: 'noted' };
      },
    };
  },
};

function contextOf(callId = 'a', signal = new AbortController().signal): ToolContext {
  return { callId, signal, pause: async () => {} };
}

/** The tool with its hooks. */
function hooked(hooks: CallHooks, name = 'note'): Tool {
  const tool = withHooks(createRegistry([TOOL]), hooks, (text) => text.replaceAll('hunter2', '[redacted]')).find(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

async function resultOf(hooks: CallHooks, args: unknown = { text: 'x' }): Promise<ToolResult | undefined> {
  const planned = await hooked(hooks).plan(args, contextOf());
  const step = await planned.run().next();
  return step.done === true ? step.value : undefined;
}

describe('a hook before a call', () => {
  it.each<[string, HookAnswer | undefined, object]>([
    ['does not answer', undefined, { summary: '{"text":"x"}', paths: [] }],
    [
      'denies with a reason',
      { verdict: 'deny', reason: 'Not on Fridays.' },
      { summary: '{"text":"x"}', paths: [], host: { verdict: 'deny', reason: 'Not on Fridays.' } },
    ],
    [
      'asks without a reason',
      { verdict: 'ask' },
      {
        summary: '{"text":"x"}',
        paths: [],
        host: { verdict: 'ask', reason: "The host's hook decided this." },
      },
    ],
    ['changes the arguments', { arguments: { text: 'y' } }, { summary: '{"text":"y"}', paths: [] }],
  ])('%s', async (_name, answer, effect) => {
    const tool = hooked({ beforeCall: async () => answer });
    expect((await tool.plan({ text: 'x' }, contextOf())).effect).toEqual(effect);
  });

  it('is asked once about a call of a run, and again about other arguments and another run', async () => {
    const asked: string[] = [];
    const tool = hooked({
      async beforeCall({ callId, toolName, arguments: args }) {
        asked.push(`${toolName} ${callId} ${JSON.stringify(args)}`);
        return undefined;
      },
    });
    const { signal } = new AbortController();
    for (const args of [1, 1, 2]) await tool.plan(args, contextOf('a', signal));
    await tool.plan(1, contextOf('b', signal));
    await tool.plan(1, contextOf('a'));
    expect(asked).toEqual(['note a 1', 'note a 2', 'note b 1', 'note a 1']);
  });
});

describe('a hook after a call', () => {
  it('adds its text to the result', async () => {
    const result = await resultOf({ afterCall: async ({ arguments: args }) => `Seen: ${JSON.stringify(args)}` });
    expect(result?.content).toBe('noted {"text":"x"}\n\nSeen: {"text":"x"}');
  });

  it('adds no secret to the result', async () => {
    expect((await resultOf({ afterCall: async () => 'It is hunter2.' }))?.content).toMatch(/It is \[redacted\]\.$/);
  });

  it.each<[string, CallHooks]>([
    ['does not answer', { afterCall: async () => undefined }],
    ['does not exist', {}],
  ])('that %s does not change the result', async (_name, hooks) => {
    expect((await resultOf(hooks))?.content).toBe('noted {"text":"x"}');
  });

  it('receives the arguments that the hook before the call has changed', async () => {
    const seen: unknown[] = [];
    await resultOf({
      beforeCall: async () => ({ arguments: { text: 'y' } }),
      async afterCall({ arguments: args }, { summary }) {
        seen.push(args, summary);
        return undefined;
      },
    });
    expect(seen).toEqual([{ text: 'y' }, 'noted']);
  });
});

it('hooks change nothing of a tool except its calls', () => {
  const registry = createRegistry([TOOL]);
  const tools = withHooks(registry, {}, (text) => text);
  expect(tools.definitions).toBe(registry.definitions);
  expect([tools.find('other'), tools.nearest('not')]).toEqual([undefined, 'note']);
  expect(tools.find('note')?.definition).toBe(TOOL.definition);
});
