import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MockScenario } from '../../mock-llm-server/testing.ts';
import { createBrowserPage } from '../support/browser-page.ts';
import { askPage, chatOf } from '../support/web-client.ts';

const LINES = Array.from({ length: 120 }, (_, index) => `line ${index + 1} of a long file\n`).join('');
const COMMAND = `echo start ${'a-long-argument '.repeat(300)}&& echo the end of the command`;

const write = (name: string, content: string) => ({ name: 'write_file', arguments: { path: name, content } });
const TASKS = ['Read', 'Write', 'Test'].map((content) => ({ content, status: 'pending' }));

const SCENARIOS: readonly MockScenario[] = [
  {
    name: 'write',
    trigger: 'hello world',
    steps: [
      { response: { content: 'I write **hello.py**.', tool_calls: [write('hello.py', "print('Hello')\n")] } },
      { response: { tool_calls: [{ name: 'bash', arguments: { command: 'cat hello.py' } }] } },
      { response: { content: 'Done!' } },
    ],
  },
  {
    name: 'batch',
    trigger: 'two files',
    steps: [
      { response: { tool_calls: ['first', 'second'].map((name) => write(`${name}.txt`, `the ${name} text\n`)) } },
      { response: { content: 'Both are there.' } },
    ],
  },
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

async function send(text: string): Promise<void> {
  await opened.page.fill('#message-input', text);
  await opened.page.click('#send-btn');
}

const press = (key: string) => opened.page.keyboard.press(key);
const question = (tab = opened.page) => tab.locator('form.question');
const agentMessages = () => opened.page.locator('.message.agent');
const message = () => opened.page.inputValue('#message-input');

/** Waits until a question is shown and its answers count. */
async function waitForQuestion(tab = opened.page): Promise<void> {
  await question(tab).waitFor();
  await tab.clock.fastForward(400);
}

const queue = () => opened.page.locator('#queue').innerText();

/** Pastes a text where the focus is. */
function paste(text: string): Promise<unknown> {
  return opened.page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    const init = { clipboardData, bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', init));
  }`);
}

/** Opens a question, with a clock that only `runFor` moves on. */
async function openPaused(): Promise<void> {
  await opened.open({ scenarios: SCENARIOS });
  await opened.page.locator('#message-input[aria-autocomplete]').waitFor();
  await opened.page.clock.pauseAt(Date.now() + 3_600_000);
}

describe('a question', () => {
  it('shows the change, and does it after the key y, which counts only after a moment', async () => {
    await openPaused();
    const answer = chatOf(opened.web, 'hello world');
    while ((await question().count()) === 0) await opened.page.clock.runFor(20);
    expect(await question().locator('.diff').innerText()).toContain("+print('Hello')");
    await press('y');
    await opened.page.clock.runFor(600);
    await press('Enter');
    await opened.page.clock.runFor(600);
    expect(await question().locator('.diff').count()).toBe(1);
    expect(await message()).toBe('');
    await press('y');
    await opened.page.clock.runFor(200);
    await opened.page.clock.resume();
    await question().getByText('cat hello.py').first().waitFor();
    expect(readFileSync(path.join(opened.web.workspace, 'hello.py'), 'utf8')).toBe("print('Hello')\n");
    await askPage(opened.web, '/stop', {});
    await answer;
  });

  it('is answered by no letter of a word, which becomes a part of the message', async () => {
    await openPaused();
    const answer = chatOf(opened.web, 'hello world');
    while ((await question().count()) === 0) await opened.page.clock.runFor(20);
    await opened.page.clock.runFor(400);
    for (const letter of 'yes or no') {
      await press(letter === ' ' ? 'Space' : letter);
      await opened.page.clock.runFor(150);
    }
    await opened.page.clock.runFor(1000);
    expect(await message()).toBe('yes or no');
    await question().focus();
    await paste(', or later');
    expect(await message()).toBe('yes or no, or later');
    expect(await question().filter({ hasText: 'write_file' }).count()).toBe(1);
    await press('Enter');
    await expect.poll(() => opened.page.clock.runFor(20).then(queue)).toContain('Waits: yes or no, or later');
    expect(await question().filter({ hasText: 'write_file' }).count()).toBe(1);
    await press('y');
    await opened.page.clock.runFor(200);
    await opened.page.clock.resume();
    await question().getByText('cat hello.py').first().waitFor();
    expect(await message()).toBe('');
    await askPage(opened.web, '/stop', {});
    await answer;
  });

  it('waits with its keys until nothing more is typed in the message', async () => {
    await openPaused();
    await press('m');
    const answer = chatOf(opened.web, 'hello world');
    while ((await question().count()) === 0) {
      await opened.page.clock.runFor(20);
      await press('y');
    }
    for (const letter of 'no') {
      await opened.page.clock.runFor(250);
      await press(letter);
    }
    const typed = await message();
    expect(typed).toMatch(/^my+no$/);
    await opened.page.clock.runFor(300);
    await press('y');
    await opened.page.clock.runFor(200);
    await opened.page.clock.resume();
    await question().getByText('cat hello.py').first().waitFor();
    expect(await message()).toBe(typed);
    await askPage(opened.web, '/stop', {});
    await answer;
  });

  it('leaves the keys to the message while the user has chosen it with a click', async () => {
    await opened.open({ scenarios: SCENARIOS });
    await send('hello world');
    await waitForQuestion();
    await opened.page.click('#message-input');
    await press('a');
    await opened.page.clock.fastForward(1000);
    await press('n');
    expect(await message()).toBe('an');
    expect(await question().count()).toBe(1);
    await press('Enter');
    await opened.page.locator('#queue').getByText('an').waitFor();
    await press('n');
    await opened.page.locator('.message.tool.bad').waitFor();
  });

  it('shows all that the key b agrees to', async () => {
    await opened.open({ scenarios: SCENARIOS });
    await send('two files');
    await waitForQuestion();
    expect(await question().innerText()).toMatch(/the first text.*2 of 2.*the second text/su);
    await opened.page.keyboard.down('b');
    await agentMessages().getByText('Both are there.').waitFor();
    await opened.page.keyboard.down('b');
    expect(await message()).toBe('');
  });

  it('takes the answer no with a reason for the model', async () => {
    await opened.open({ scenarios: SCENARIOS });
    await send('hello world');
    await waitForQuestion();
    expect(await opened.page.title()).toBe(`(?) ${path.basename(opened.web.workspace)}`);
    await question().getByLabel('No, and what to do instead').fill('not here');
    await question().getByRole('button', { name: 'No (n)' }).click();
    await opened.page.locator('.message.tool.bad').waitFor();
    expect(JSON.stringify(opened.web.llm.requests.at(-1))).toContain('not here');
  });

  it('takes the key s for what to do instead, and e for another command', async () => {
    await opened.open({ scenarios: SCENARIOS });
    await send('a long command');
    await waitForQuestion();
    await opened.page.locator('#status').getByText('Waits for your answer').waitFor();
    await question().locator('.edit summary').click();
    const editor = question().getByLabel('Edited text, which is judged again');
    expect(await editor.inputValue()).toBe(COMMAND);
    await expect.poll(() => opened.page.evaluate('document.activeElement.ariaLabel')).toContain('Edited text');
    await opened.page.keyboard.type(' && echo edited');
    expect(await editor.inputValue()).toBe(`${COMMAND} && echo edited`);
    expect(await isInView('.edit button')).toBe(true);
    await question().locator('h2').click();
    await press('s');
    await opened.page.clock.fastForward(250);
    await opened.page.keyboard.type('make it shorter');
    await opened.page.clock.fastForward(300);
    await press('Enter');
    await agentMessages().getByText('That was all.').waitFor();
    expect(JSON.stringify(opened.web.llm.requests.at(-1))).toContain('make it shorter');
  });

  it.each(['e', 's'])('takes an Enter right after the key %s for a part of it', async (key) => {
    await openPaused();
    const answer = chatOf(opened.web, 'a long command');
    while ((await question().count()) === 0) await opened.page.clock.runFor(20);
    await opened.page.clock.runFor(400);
    await press(key);
    await opened.page.clock.runFor(250);
    await press('Enter');
    await opened.page.clock.runFor(300);
    await opened.page.keyboard.type(' # shorter');
    const editor = question().getByLabel('Edited text, which is judged again');
    if (key === 'e') expect(await editor.inputValue()).toBe(`${COMMAND} # shorter`);
    else await press('Enter');
    await opened.page.clock.resume();
    if (key === 'e') await askPage(opened.web, '/stop', {});
    await answer;
    if (key === 's') expect(JSON.stringify(opened.web.llm.requests.at(-1))).toContain(' # shorter');
  });

  it('is answered by none of several clicks that began before it was there', async () => {
    await openPaused();
    const answer = chatOf(opened.web, 'hello world');
    while ((await question().count()) === 0) await opened.page.clock.runFor(20);
    const yes = question().getByRole('button', { name: 'Yes, once' });
    await opened.page.clock.runFor(400);
    await yes.click();
    while ((await question().filter({ hasText: 'cat hello.py' }).count()) === 0) await opened.page.clock.runFor(20);
    for (let click = 0; click < 4; click += 1) {
      await opened.page.clock.runFor(200);
      await yes.click();
    }
    await opened.page.clock.runFor(100);
    expect(await question().count()).toBe(1);
    await opened.page.clock.resume();
    await askPage(opened.web, '/stop', {});
    expect((await answer).filter(({ event }) => event === 'approval')).toHaveLength(2);
    await expect.poll(() => opened.page.locator('.message.tool.bad').count()).toBe(1);
  });

  it('adds the texts in its fields to the message if they are not sent with an answer', async () => {
    await opened.open({ scenarios: SCENARIOS });
    const other = await opened.newTab();
    await send('a long command');
    await waitForQuestion(other);
    await waitForQuestion();
    const field = question().getByLabel('No, and what to do instead');
    await field.fill('not here');
    await opened.page.reload();
    await waitForQuestion();
    expect(await message()).toBe('not here');
    await field.fill('rather there');
    await field.press('Escape');
    expect(await opened.page.evaluate('document.activeElement.className')).toBe('question');
    await press('e');
    await opened.page.clock.fastForward(250);
    await opened.page.keyboard.type('; exit');
    await press('Escape');
    expect(await question().locator('.edit').getAttribute('open')).toBeNull();
    await question(other).getByRole('button', { name: 'No (n)' }).click();
    await agentMessages().getByText('That was all.').waitFor();
    expect(await message()).toBe(`not here\nrather there\n${COMMAND}; exit`);
  });

  it('is answered once, by one of several tabs', async () => {
    await opened.open({ scenarios: SCENARIOS });
    const other = await opened.newTab();
    await send('hello world');
    await waitForQuestion(other);
    const first = question().filter({ hasText: 'write_file' });
    await first.waitFor();
    await question(other).getByRole('button', { name: 'No (n)' }).click();
    await first.waitFor({ state: 'detached' });
    await other.locator('.message.tool.bad').waitFor();
    await opened.page.locator('.message.tool.bad').waitFor();
  });
});

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

/** True if a part of the question is visible. */
async function isInView(selector: string): Promise<boolean> {
  const place = await opened.page.locator('#conversation').boundingBox();
  const part = await question().locator(selector).first().boundingBox();
  if (place === null || part === null) return false;
  return part.y >= place.y - 1 && part.y + part.height <= place.y + place.height + 1;
}

it.each([
  [900, 700],
  [1000, 750],
  [420, 750],
  [360, 640],
])(
  'shows all of a question in a window of %i × %i, one part after another, before a key agrees',
  async (width, height) => {
    await opened.open({ scenarios: SCENARIOS });
    await opened.page.setViewportSize({ width, height });
    const keys = { 'a long file': 'y', 'a long command': 'y', 'many calls': 'b' };
    for (const [index, [prompt, key]] of Object.entries(keys).entries()) {
      await send(prompt);
      await waitForQuestion();
      expect(await isInView('h2')).toBe(true);
      let presses = 0;
      while (!(await isInView('.answers')) && presses < 40) {
        expect(await opened.page.evaluate(LAYOUT_PROBLEMS)).toBe('');
        expect(await question().count()).toBe(1);
        await press(key);
        await opened.page.clock.fastForward(250);
        presses += 1;
      }
      expect(presses).toBeGreaterThan(0);
      expect(await opened.page.locator('#announcements').textContent()).toContain('There is more to read');
      expect(await opened.page.evaluate(LAYOUT_PROBLEMS)).toBe('');
      await press(key);
      await agentMessages().getByText('That was all.').nth(index).waitFor();
    }
  },
);

it('the answer no counts wherever the page is scrolled, and a question stays in view in a narrow window', async () => {
  await opened.open({ scenarios: SCENARIOS });
  for (const count of [1, 2]) {
    await send('/help');
    await expect.poll(() => opened.page.locator('.message.note').count()).toBe(count);
  }
  await send('a long file');
  await waitForQuestion();
  await opened.page.setViewportSize({ width: 360, height: 640 });
  await expect.poll(() => isInView('h2')).toBe(true);
  expect(await isInView('.answers')).toBe(false);
  await press('n');
  await opened.page.locator('.message.tool.bad').waitFor();
  await agentMessages().getByText('That was all.').waitFor();
});
