import { it } from 'vitest';
import type { MockScenario } from '../../mock-llm-server/testing.ts';
import { createBrowserPage } from '../support/screens/browser-page.ts';

const write = (name: string, content: string) => ({ name: 'write_file', arguments: { path: name, content } });
const SCENARIOS: readonly MockScenario[] = [
  { name: 'c', trigger: 'a command', steps: [{ response: { content: 'Let me run the tests.', tool_calls: [{ name: 'run_shell', arguments: { command: 'npm test -- --reporter=dot 2>&1 | tail -40' } }] } }, { response: { content: '| File | Lines | A long heading of a column | Another long heading | The last one |\n| --- | --- | --- | --- | --- |\n| `src/a-long-name-of-a-file.ts` | 12 | text that is long | more text | end |\n\nThat was all.' } }] },
  { name: 'l', trigger: 'a long command', steps: [{ response: { tool_calls: [{ name: 'run_shell', arguments: { command: `echo start ${'a-long-argument '.repeat(60)}&& echo end` } }] } }, { response: { content: 'That was all.' } }] },
  { name: 'b', trigger: 'many calls', steps: [{ response: { tool_calls: [write('notes/one.md', 'One.\n'.repeat(30)), write('notes/two.md', 'Two.\n'), write('notes/three.md', 'Three.\n')] } }, { response: { content: 'That was all.' } }] },
];
const opened = createBrowserPage();
it('shots', async () => {
  await opened.open({ scenarios: SCENARIOS });
  for (const [prompt, key] of [['a command', 'y'], ['a long command', 'y'], ['many calls', 'b']] as const) {
    await opened.send(prompt);
    await opened.waitForQuestion();
    for (const scheme of ['light', 'dark'] as const) for (const [width, height] of [[1000, 750], [390, 780]] as const) {
      await opened.page.emulateMedia({ colorScheme: scheme });
      await opened.page.setViewportSize({ width, height });
      await opened.page.screenshot({ path: `/tmp/x-hour/shots/${prompt.replaceAll(' ', '-')}-${scheme}-${width}.png` });
    }
    for (let i = 0; i < 30 && (await opened.question().count()) === 1; i++) { await opened.page.keyboard.press(key); await opened.page.clock.fastForward(300); await new Promise((r) => setTimeout(r, 100)); }
  }
  await new Promise((r) => setTimeout(r, 500));
  for (const width of [390, 1000]) { await opened.page.setViewportSize({ width, height: 780 }); await opened.page.screenshot({ path: `/tmp/x-hour/shots/end-${width}.png` }); }
});
