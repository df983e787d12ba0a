import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ReplyToolCall } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { builtInItem } from '../../../../../mock-llm-server/wire/openai/responses/built-in.ts';
import type { BuiltInType } from '../../../../../mock-llm-server/wire/openai/shared.ts';
import { scenarioSet } from '../../../../support/stories/builders.ts';

const done = { response: { content: 'It says {{tool_result 1}}.' } };
const set = scenarioSet({
  scenarios: [
    { name: 'run', trigger: 'run it', steps: [{ intent: 'shell', command: 'ls -la' }, done] },
    { name: 'write', trigger: 'write it', steps: [{ intent: 'write_file', path: 'a.txt', content: 'hi\nho\n' }, done] },
    {
      name: 'named',
      trigger: 'by name',
      steps: [{ response: { tool_calls: [{ name: 'shell', arguments: { commands: ['pwd', 'ls'] } }] } }, done],
    },
  ],
});
const app = createMockServer({ scenarios: set });
const ItemSchema = z.looseObject({ id: z.string(), call_id: z.string(), type: z.string() });
const AnswerSchema = z.object({ output: z.tuple([ItemSchema]) });

const post = (body: object) =>
  app.request('/v1/responses', { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) });
const prompt = (text: string) => ({ role: 'user', content: text });
const answer = async (text: string, ...tools: readonly object[]) => {
  const [item] = AnswerSchema.parse(await (await post({ input: [prompt(text)], tools })).json()).output;
  return item;
};

const shell = { type: 'shell' };
const localShell = { type: 'local_shell' };
const applyPatch = { type: 'apply_patch' };
const writing = "printf '%s' 'hi\nho\n' > 'a.txt'";

describe('tools that OpenAI defines and the client runs', () => {
  it.each<readonly [string, readonly object[], object]>([
    [
      'run it',
      [shell],
      { type: 'shell_call', action: { commands: ['ls -la'], timeout_ms: null, max_output_length: null } },
    ],
    ['run it', [{ ...shell, environment: { type: 'local' } }], { type: 'shell_call' }],
    [
      'run it',
      [localShell],
      { type: 'local_shell_call', action: { type: 'exec', command: ['sh', '-c', 'ls -la'], env: {} } },
    ],
    [
      'write it',
      [shell, applyPatch],
      { type: 'apply_patch_call', operation: { type: 'create_file', path: 'a.txt', diff: '+hi\n+ho\n+' } },
    ],
    ['write it', [shell], { type: 'shell_call', action: { commands: [writing] } }],
    ['by name', [shell], { type: 'shell_call', action: { commands: ['pwd', 'ls'] } }],
    ['by name', [], { type: 'function_call', name: 'shell' }],
  ])('are called for the prompt %s with the tools %j', async (text, tools, expected) => {
    expect(await answer(text, ...tools)).toMatchObject({ status: 'completed', ...expected });
  });

  it.each<readonly [string, readonly object[], string]>([
    ['run it', [{ ...shell, environment: { type: 'container_auto' } }], 'the client offers no tools'],
    ['run it', [applyPatch], 'the client offers apply_patch'],
  ])('are named in the error when none of them can run the step: %s with %j', async (text, tools, message) => {
    const response = await post({ input: [prompt(text)], tools });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)]);
  });

  const out = (stdout: string, stderr = '') => ({ stdout, stderr, outcome: { type: 'exit', exit_code: 0 } });
  it.each<readonly [string, object, (item: z.infer<typeof ItemSchema>) => object, string]>([
    [
      'run it',
      shell,
      ({ call_id }) => ({ type: 'shell_call_output', call_id, output: [out('a', 'b'), out('c')] }),
      'abc',
    ],
    ['run it', localShell, ({ id }) => ({ type: 'local_shell_call_output', id, output: 'abc' }), 'abc'],
    ['run it', localShell, ({ call_id }) => ({ type: 'local_shell_call_output', id: call_id, output: 'abc' }), 'abc'],
    ['run it', localShell, ({ id, call_id }) => ({ type: 'local_shell_call_output', id, call_id, output: 'x' }), 'x'],
    ['run it', localShell, ({ call_id }) => ({ type: 'function_call_output', call_id, output: 'abc' }), 'abc'],
    [
      'write it',
      applyPatch,
      ({ call_id }) => ({ type: 'apply_patch_call_output', call_id, status: 'completed', output: 'Created.' }),
      'Created.',
    ],
    ['write it', applyPatch, ({ call_id }) => ({ type: 'apply_patch_call_output', call_id, status: 'failed' }), ''],
  ])('continue with their results: %s with %j', async (text, tool, result, content) => {
    const item = await answer(text, tool);
    for (const call of [item, { type: 'item_reference', id: item.id }]) {
      const next = await post({ input: [prompt(text), call, result(item)], tools: [tool] });
      expect([next.status, await next.text()]).toEqual([200, expect.stringContaining(`It says ${content}.`)]);
    }
  });

  it.each([
    ['run it', shell],
    ['run it', localShell],
    ['write it', applyPatch],
  ])('are streamed as whole items: %s with %j', async (text, tool) => {
    const item = await answer(text, tool);
    const stream = await (await post({ input: [prompt(text)], tools: [tool], stream: true })).text();
    const names = [...stream.matchAll(/^event: response\.(.*)$/gm)].map(([, name]) => name);
    expect(names).toEqual(['created', 'in_progress', 'output_item.added', 'output_item.done', 'completed']);
    const events = [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = '']): unknown => JSON.parse(data));
    expect(events.slice(2, 4)).toMatchObject([{ item: { ...item, status: 'in_progress' } }, { item }]);
  });

  it.each<readonly [BuiltInType, string]>([
    ['shell', '{"command":"ls"}'],
    ['local_shell', '{'],
    ['apply_patch', '{"patchText":"*** Begin Patch\\n*** Delete File: a\\n*** End Patch"}'],
    ['apply_patch', '{}'],
  ])('have no special item for arguments that do not fit: %s %s', (type, text) => {
    const call: ReplyToolCall = { id: 'a', name: type, input: 'json', arguments: text };
    expect(builtInItem(type, call, 'a')).toBeUndefined();
  });
});
