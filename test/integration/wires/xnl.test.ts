import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { defineScenarios, startMockLlm } from '../../../mock-llm-server/testing.ts';
import { type AgentEvent, openAgent } from '../../../src/index.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

/** A call in a block of its own, or after another one. */
const call = (id: string, text: string): string =>
  `<tool_call id="${id}" lang="javascript" #>\nSysBuiltIn.${text}\n</#>`;
const block = (...calls: readonly string[]): string => ['!unquote_start', ...calls, '!unquote_end'].join('\n');

const scenarios = defineScenarios([
  {
    name: 'tidy the notes',
    trigger: 'tidy the notes',
    steps: [
      {
        response: {
          content: `I read and plan.\n${block(
            call('plan', 'todo_write({ items: [{ content: "Tidy", status: "in_progress", activeForm: "Tidying" }] })'),
            call('read', 'read_file({ path: "notes.txt", startLine: 2, endLine: 3 })'),
          )}`,
        },
        results: 2,
      },
      {
        response: {
          content: block(
            call('a', 'edit_text({ path: "notes.txt", action: "delete_range", range: [2, 2] })'),
            call('b', 'edit_text({ path: "notes.txt", action: "insert", insertAfter: 1, newText: "zwei\\n" })'),
            call('c', 'edit_text({ path: "notes.txt", action: "replace", find: "three", replace: "drei" })'),
            call('d', 'write_file({ path: "notes.txt", content: "vier\\n", mode: "append" })'),
            call('e', 'bash({ command: "cat notes.txt", timeoutMs: 5000 })'),
            call('f', 'bash("rm notes.txt")'),
          ),
        },
        results: 6,
      },
      { response: { content: 'Tidy. The mark is `!unquote_start`.' } },
    ],
  },
]);

it('an agent whose model writes its calls in text uses every tool of the protocol', async () => {
  const workspace = temporaryDirectory();
  const file = path.join(workspace, 'notes.txt');
  writeFileSync(file, 'one\ntwo\nthree\n');
  await using server = await startMockLlm({ scenarios });
  const llm = { provider: 'mock', endpoint: server.url, tool_protocol: 'xnl' as const };
  const sessions = temporaryDirectory();
  const session = { auto_save: true, storage_path: sessions };
  const safety = { permission_mode: 'full-access' as const, sandbox_enabled: false };
  await using agent = await openAgent({ workspace, config: { llm, safety, session } });
  const events: AgentEvent[] = [];
  for await (const event of agent.run('tidy the notes')) events.push(event);
  const results = events.flatMap((event) => (event.type === 'tool_result' ? [event] : []));
  expect(results.map(({ toolName, outcome }) => `${toolName} ${outcome}`)).toEqual([
    'update_tasks ok',
    'read_file ok',
    'edit_file ok',
    'edit_file ok',
    'edit_file ok',
    'write_file ok',
    'run_shell ok',
    'run_shell failed',
  ]);
  expect(results[1]?.content).toContain('2\ttwo\n3\tthree');
  expect(readFileSync(file, 'utf8')).toBe('one\nzwei\ndrei\nvier\n');
  expect(results.at(-2)?.content).toContain('one\nzwei\ndrei\nvier');
  expect(results.at(-1)?.content).toContain('the argument is not an object');
  expect(events).toContainEqual({
    type: 'tasks',
    tasks: [{ content: 'Tidy', status: 'in_progress', activeForm: 'Tidying', createdAt: expect.any(String) }],
  });
  const shown = events.flatMap((event) => (event.type === 'text_delta' ? [event.text] : [])).join('');
  expect(shown).toBe('I read and plan.\nTidy. The mark is `!unquote_start`.');
  expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
  const history = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((name) => /xnl$/.test(name));
  const elements = readFileSync(path.join(sessions, history[0] ?? 'no history'), 'utf8').match(/^<\w+/gm);
  expect(elements).toEqual([
    ...['<system', '<user', '<assistant', '<tool', '<tool', '<assistant'],
    ...['<tool', '<tool', '<tool', '<tool', '<tool', '<tool', '<assistant'],
  ]);
});
