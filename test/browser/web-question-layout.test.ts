import { expect, it } from 'vitest';
import type { MockScenario } from '../../mock-llm-server/testing.ts';
import { createBrowserPage } from '../support/screens/browser-page.ts';

const LINES = Array.from({ length: 120 }, (_, index) => `line ${index + 1} of a long file\n`).join('');
const COMMAND = `echo start ${'a-long-argument '.repeat(300)}&& echo the end of the command`;

const write = (name: string, content: string) => ({ name: 'write_file', arguments: { path: name, content } });
const TASKS = ['Read', 'Write', 'Test'].map((content) => ({ content, status: 'pending' }));

const SCENARIOS: readonly MockScenario[] = [
  {
    name: 'long diff',
    trigger: 'a long file',
    steps: [
      {
        response: {
          content: 'That is the plan.',
          tool_calls: [{ name: 'update_tasks', arguments: { tasks: TASKS } }, write('long.txt', LINES)],
        },
      },
      { response: { content: 'That was all.' } },
    ],
  },
  {
    name: 'long command',
    trigger: 'a long command',
    steps: [
      { response: { tool_calls: [{ name: 'run_shell', arguments: { command: COMMAND } }] } },
      { response: { content: 'That was all.' } },
    ],
  },
  {
    name: 'long batch',
    trigger: 'many calls',
    steps: [
      {
        response: {
          tool_calls: [
            write('notes/one.md', LINES),
            write('notes/two.md', 'Two.\n'),
            write('notes/three.md', 'Three.\n'),
          ],
        },
      },
      { response: { content: 'That was all.' } },
    ],
  },
];

const opened = createBrowserPage();
const press = (key: string) => opened.page.keyboard.press(key);

/**
 * What is wrong with the layout of a question in the page: parts that something else covers, places that scroll besides
 * the conversation, and parts that reach out of it at the side.
 */
const LAYOUT_PROBLEMS = `(() => {
  const place = document.querySelector('#conversation').getBoundingClientRect();
  const problems = [];
  for (const part of document.querySelectorAll('.question :is(h2, p, pre, figcaption, summary, button, input)')) {
    if (!part.checkVisibility()) continue;
    const box = part.getBoundingClientRect();
    if (box.left < place.left || box.right > place.right) problems.push('too wide: ' + part.outerHTML.slice(0, 80));
    const [top, bottom] = [Math.max(box.top, place.top) + 2, Math.min(box.bottom, place.bottom) - 2];
    for (const y of [top, (top + bottom) / 2, bottom]) {
      if (bottom < top) continue;
      const found = document.elementFromPoint(box.left + 2, y);
      if (!part.contains(found) && !found?.contains(part)) problems.push('covered: ' + part.outerHTML.slice(0, 80));
    }
  }
  // The results of earlier calls may scroll.
  for (const node of document.querySelectorAll(':not(#messages *)')) {
    const { overflowX, overflowY } = getComputedStyle(node);
    const scrolls =
      (/auto|scroll/.test(overflowY) && node.scrollHeight > node.clientHeight) ||
      (/auto|scroll/.test(overflowX) && node.scrollWidth > node.clientWidth);
    if (scrolls && node.id !== 'conversation' && node.checkVisibility({ contentVisibilityAuto: true })) problems.push('scrolls: ' + node.outerHTML.slice(0, 80));
  }
  const page = document.documentElement;
  if (page.scrollHeight > page.clientHeight) problems.push('the page scrolls');
  return problems.join('; ');
})()`;

it.each([
  [900, 700],
  [1000, 750],
  [420, 750],
  [360, 640],
])(
  'the page shows all of a question in a window of %i × %i, one part after another, before a key agrees',
  async (width, height) => {
    await opened.open({ scenarios: SCENARIOS });
    await opened.page.setViewportSize({ width, height });
    const keys = { 'a long file': 'y', 'a long command': 'y', 'many calls': 'b' };
    for (const [index, [prompt, key]] of Object.entries(keys).entries()) {
      await opened.send(prompt);
      await opened.waitForQuestion();
      expect(await opened.isInView('h2')).toBe(true);
      let presses = 0;
      while (!(await opened.isInView('.answers')) && presses < 40) {
        expect(await opened.page.evaluate(LAYOUT_PROBLEMS)).toBe('');
        expect(await opened.question().count()).toBe(1);
        await press(key);
        await opened.page.clock.fastForward(250);
        presses += 1;
      }
      await opened.page.clock.fastForward(300);
      expect(presses).toBeGreaterThan(0);
      expect(await opened.page.locator('#announcements').textContent()).toContain('There is more to read');
      expect(await opened.page.evaluate(LAYOUT_PROBLEMS)).toBe('');
      await press(key);
      await opened.agentMessages().getByText('That was all.').nth(index).waitFor();
    }
  },
);

it('the answer no is accepted wherever the page is scrolled, and a question stays in view in a narrow window', async () => {
  await opened.open({ scenarios: SCENARIOS });
  for (const count of [1, 2]) {
    await opened.send('/help');
    await expect.poll(() => opened.page.locator('.message.note').count()).toBe(count);
  }
  await opened.send('a long file');
  await opened.waitForQuestion();
  await opened.page.setViewportSize({ width: 360, height: 640 });
  await expect.poll(() => opened.isInView('h2')).toBe(true);
  expect(await opened.isInView('.answers')).toBe(false);
  await press('n');
  await opened.page.locator('.message.tool.bad').waitFor();
  await opened.agentMessages().getByText('That was all.').waitFor();
});

it('keys in quick succession also scroll a question, and are neither text nor an answer', async () => {
  await opened.open({ scenarios: SCENARIOS });
  await opened.page.setViewportSize({ width: 420, height: 640 });
  await opened.send('a long file');
  await opened.waitForQuestion();
  await opened.page.clock.pauseAt(Date.now() + 3_600_000);
  for (let presses = 0; presses < 40; presses += 1) {
    await press('y');
    await opened.page.clock.runFor(60);
  }
  await opened.page.clock.runFor(2000);
  expect(await opened.isInView('.answers')).toBe(true);
  expect(await opened.message()).toBe('');
  await press('y');
  await opened.page.clock.runFor(200);
  await opened.page.clock.resume();
  await opened.agentMessages().getByText('That was all.').waitFor();
});

const RUNS = ['npm test -- --reporter=dot 2>&1 | tail -40', 'git push --force'].map((command): MockScenario => {
  const call = { name: 'run_shell', arguments: { command } };
  return {
    name: command,
    trigger: `run ${command}`,
    steps: [{ response: { tool_calls: [call] } }, { response: { content: 'That was all.' } }],
  };
});

it.each(['light', 'dark'] as const)(
  'a command fits on a phone, with yes first, and destructive parts in red: %s',
  async (colorScheme) => {
    await opened.open({ scenarios: RUNS });
    await opened.page.setViewportSize({ width: 390, height: 780 });
    await opened.page.emulateMedia({ colorScheme });
    const colours: string[] = [];
    for (const command of ['npm test -- --reporter=dot 2>&1 | tail -40', 'git push --force']) {
      await opened.send(`run ${command}`);
      await opened.waitForQuestion();
      expect(await opened.isInView('h2')).toBe(true);
      expect(await opened.isInView('.answers')).toBe(true);
      const text = (await opened.question().textContent()) ?? '';
      expect(text.split(command)).toHaveLength(2);
      expect(text.includes('DESTRUCTIVE')).toBe(command.startsWith('git push'));
      const labels = await opened.question().locator('.answers button').allTextContents();
      expect(labels.slice(0, 2)).toEqual(['Yes, once (y)', 'No (n)']);
      colours.push(
        String(
          await opened.page.evaluate("getComputedStyle(document.querySelector('.answers .first')).backgroundColor"),
        ),
      );
      await press('n');
      await opened.question().waitFor({ state: 'detached' });
      await opened.agentMessages().getByText('That was all.').last().waitFor();
    }
    expect(new Set(colours).size).toBe(2);
  },
);
