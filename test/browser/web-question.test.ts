import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MockScenario } from '../../mock-llm-server/testing.ts';
import { createBrowserPage } from '../support/screens/browser-page.ts';
import { askPage, chatOf } from '../support/screens/web-client.ts';

const TYPING = 'You are typing a message. Esc: answer the question.';
const COMMAND = `echo start ${'a-long-argument '.repeat(300)}&& echo the end of the command`;

const write = (name: string, content: string) => ({ name: 'write_file', arguments: { path: name, content } });

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
    name: 'long command',
    trigger: 'a long command',
    steps: [
      { response: { tool_calls: [{ name: 'run_shell', arguments: { command: COMMAND } }] } },
      { response: { content: 'That was all.' } },
    ],
  },
  {
    name: 'words',
    trigger: 'lint twice',
    steps: [
      { response: { tool_calls: [{ name: 'run_shell', arguments: { command: 'npm run lint' } }] } },
      { response: { tool_calls: [{ name: 'run_shell', arguments: { command: 'npm run lint -- src' } }] } },
      { response: { content: 'Linted.' } },
    ],
  },
  {
    name: 'form',
    trigger: 'order it',
    steps: [
      { response: { tool_calls: [{ name: 'find_tool', arguments: { server: 'shop' } }] } },
      { response: { tool_calls: [{ name: 'call_tool', arguments: { name: 'shop__order', arguments: {} } }] } },
      { response: { tool_calls: [{ name: 'call_tool', arguments: { name: 'shop__page', arguments: {} } }] } },
      { response: { content: 'Ordered.' } },
    ],
  },
];

const opened = createBrowserPage();

const press = (key: string) => opened.page.keyboard.press(key);

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
  it('shows the change, and does it after the key y, which is accepted only after a moment', async () => {
    await openPaused();
    const answer = chatOf(opened.web, 'hello world');
    while ((await opened.question().count()) === 0) await opened.page.clock.runFor(20);
    expect(await opened.question().locator('.diff').innerText()).toContain("+print('Hello')");
    await press('y');
    await opened.page.clock.runFor(600);
    await press('Enter');
    await opened.page.clock.runFor(600);
    expect(await opened.question().locator('.diff').count()).toBe(1);
    expect(await opened.message()).toBe('');
    await press('y');
    await opened.page.clock.runFor(200);
    await opened.page.clock.resume();
    await opened.question().getByText('cat hello.py').first().waitFor();
    expect(readFileSync(path.join(opened.web.workspace, 'hello.py'), 'utf8')).toBe("print('Hello')\n");
    await askPage(opened.web, '/stop', {});
    await answer;
  });

  it('is answered by no letter of a word, which becomes a part of the message', async () => {
    await openPaused();
    const answer = chatOf(opened.web, 'hello world');
    while ((await opened.question().count()) === 0) await opened.page.clock.runFor(20);
    await opened.page.clock.runFor(400);
    for (const letter of 'yes or no') {
      await press(letter === ' ' ? 'Space' : letter);
      await opened.page.clock.runFor(150);
    }
    await opened.page.clock.runFor(500);
    expect(await opened.message()).toBe('yes or no');
    await opened.question().focus();
    await paste(', or later');
    expect(await opened.message()).toBe('yes or no, or later');
    expect(await opened.question().filter({ hasText: 'write_file' }).count()).toBe(1);
    await press('Enter');
    await expect
      .poll(() => opened.page.clock.runFor(20).then(queue))
      .toContain('For the next request: yes or no, or later');
    expect(await opened.question().filter({ hasText: 'write_file' }).count()).toBe(1);
    await opened.page.clock.runFor(300);
    await press('y');
    await opened.page.clock.runFor(200);
    await opened.page.clock.resume();
    await opened.question().getByText('cat hello.py').first().waitFor();
    expect(await opened.message()).toBe('');
    await askPage(opened.web, '/stop', {});
    await answer;
  });

  it('waits with its keys until nothing has been typed in the message for half a second', async () => {
    await openPaused();
    await press('m');
    const answer = chatOf(opened.web, 'hello world');
    while ((await opened.question().count()) === 0) {
      await opened.page.clock.runFor(20);
      await press('y');
    }
    for (const letter of ['Space', 'a', 'Space', 'y']) {
      await opened.page.clock.runFor(350);
      await press(letter);
    }
    const typed = await opened.message();
    expect(typed).toMatch(/^my+ a y$/);
    expect(await opened.question().innerText()).toContain(TYPING);
    await opened.page.clock.runFor(500);
    expect(await opened.question().innerText()).not.toContain(TYPING);
    await press('y');
    await opened.page.clock.runFor(400);
    await press('Space');
    expect(await opened.message()).toBe(`${typed}y `);
    await opened.page.clock.runFor(500);
    await press('y');
    await opened.page.clock.runFor(500);
    await opened.page.clock.resume();
    await opened.question().getByText('cat hello.py').first().waitFor();
    expect(await opened.message()).toBe(`${typed}y `);
    await askPage(opened.web, '/stop', {});
    await answer;
  });

  it('leaves the keys to a message that was started just before it, with the first key of the tab', async () => {
    await openPaused();
    await press('m');
    const answer = chatOf(opened.web, 'hello world');
    // No time passes before the page has the question.
    await expect.poll(() => opened.page.title()).toMatch(/^\(\?\)/);
    while ((await opened.question().count()) === 0) await opened.page.clock.runFor(20);
    expect(await opened.question().innerText()).toContain(TYPING);
    await opened.page.clock.runFor(400);
    await press('n');
    expect(await opened.message()).toBe('mn');
    await opened.page.clock.runFor(600);
    expect(await opened.question().innerText()).not.toContain(TYPING);
    // The question has just said that Escape leads to it.
    await press('Escape');
    await opened.page.clock.runFor(600);
    await press('n');
    await opened.page.clock.runFor(500);
    await opened.page.clock.resume();
    await opened.page.locator('.message.tool.bad').waitFor();
    expect(await opened.message()).toBe('mn');
    await askPage(opened.web, '/stop', {});
    await answer;
  });

  it('takes Enter for no yes, not even on a button, which Space presses', async () => {
    await opened.open({ scenarios: SCENARIOS });
    await opened.send('hello world');
    await opened.waitForQuestion();
    const yes = opened.question().getByRole('button', { name: 'Yes' }).first();
    await opened.page.clock.fastForward(1000);
    await yes.focus();
    await press('Enter');
    // The page has sent nothing: the next answer is the first.
    await opened.page.clock.fastForward(1000);
    expect(await opened.question().innerText()).toContain('hello.py');
    expect(await opened.page.locator('.message.tool').count()).toBe(1);
    await yes.focus();
    await press('Space');
    await opened.question().getByText('cat hello.py').first().waitFor();
  });

  it('accepts keys again half a second after one that is not an answer', async () => {
    await openPaused();
    const answer = chatOf(opened.web, 'hello world');
    while ((await opened.question().count()) === 0) await opened.page.clock.runFor(20);
    await opened.page.clock.runFor(400);
    await press('x');
    expect(await opened.question().innerText()).toContain(TYPING);
    await opened.page.clock.runFor(2000);
    for (const _press of [1, 2]) await press('Backspace');
    expect(await opened.message()).toBe('');
    await opened.page.clock.runFor(500);
    expect(await opened.question().innerText()).not.toContain(TYPING);
    await press('n');
    await opened.page.clock.runFor(500);
    await opened.page.clock.resume();
    await opened.page.locator('.message.tool.bad').waitFor();
    expect(await opened.message()).toBe('');
    await askPage(opened.web, '/stop', {});
    await answer;
  });

  it('leaves the keys to the message while the user has chosen it with a click', async () => {
    await opened.open({ scenarios: SCENARIOS });
    await opened.send('hello world');
    await opened.waitForQuestion();
    await opened.page.click('#message-input');
    await press('a');
    await opened.page.clock.fastForward(1000);
    await press('n');
    expect(await opened.message()).toBe('an');
    expect(await opened.question().innerText()).toContain(TYPING);
    await press('Escape');
    expect(await opened.question().innerText()).not.toContain(TYPING);
    await opened.page.click('#message-input');
    await press('Enter');
    await opened.page.locator('#queue').getByText('an').waitFor();
    await opened.page.clock.fastForward(400);
    await press('n');
    await opened.page.locator('.message.tool.bad').waitFor();
  });

  it('shows all calls to which the key b agrees', async () => {
    await opened.open({ scenarios: SCENARIOS });
    await opened.send('two files');
    await opened.waitForQuestion();
    expect(await opened.question().innerText()).toMatch(/the first text.*2 of 2.*the second text/su);
    await opened.page.keyboard.down('b');
    await opened.agentMessages().getByText('Both are there.').waitFor();
    await opened.page.keyboard.down('b');
    expect(await opened.message()).toBe('');
  });

  it('takes the answer no with a reason for the model', async () => {
    await opened.open({ scenarios: SCENARIOS });
    await opened.send('hello world');
    await opened.waitForQuestion();
    expect(await opened.page.title()).toBe(`(?) ${path.basename(opened.web.workspace)}`);
    await opened.question().getByLabel('No, and what to do instead').fill('not here');
    await opened.question().getByRole('button', { name: 'No (n)' }).click();
    await opened.page.locator('.message.tool.bad').waitFor();
    expect(JSON.stringify(opened.web.llm.requests.at(-1))).toContain('not here');
  });

  it('takes the key s for what to do instead, and e for another command', async () => {
    await opened.open({ scenarios: SCENARIOS });
    await opened.send('a long command');
    await opened.waitForQuestion();
    await opened.page.locator('#status').getByText('Waits for your answer').waitFor();
    await opened.question().locator('.edit summary').click();
    const editor = opened.question().getByLabel('Edited text, which is checked again');
    expect(await editor.inputValue()).toBe(COMMAND);
    await expect.poll(() => opened.page.evaluate('document.activeElement.ariaLabel')).toContain('Edited text');
    await opened.page.keyboard.type(' && echo edited');
    expect(await editor.inputValue()).toBe(`${COMMAND} && echo edited`);
    expect(await opened.isInView('.edit button')).toBe(true);
    await opened.question().locator('h2').click();
    await press('s');
    await opened.page.clock.fastForward(250);
    await opened.page.keyboard.type('make it shorter');
    await opened.page.clock.fastForward(300);
    await press('Enter');
    await opened.agentMessages().getByText('That was all.').waitFor();
    expect(JSON.stringify(opened.web.llm.requests.at(-1))).toContain('make it shorter');
  });

  it.each(['e', 's'])('takes an Enter right after the key %s for a part of it', async (key) => {
    await openPaused();
    const answer = chatOf(opened.web, 'a long command');
    while ((await opened.question().count()) === 0) await opened.page.clock.runFor(20);
    await opened.page.clock.runFor(400);
    await press(key);
    await opened.page.clock.runFor(250);
    await press('Enter');
    await opened.page.clock.runFor(300);
    await opened.page.keyboard.type(' # shorter');
    const editor = opened.question().getByLabel('Edited text, which is checked again');
    if (key === 'e') expect(await editor.inputValue()).toBe(`${COMMAND} # shorter`);
    else await press('Enter');
    await opened.page.clock.resume();
    if (key === 'e') await askPage(opened.web, '/stop', {});
    await answer;
    if (key === 's') expect(JSON.stringify(opened.web.llm.requests.at(-1))).toContain(' # shorter');
  });

  it('lets the user change the allowed words, which then need no second question', async () => {
    await opened.open({ scenarios: SCENARIOS });
    await opened.send('lint twice');
    await opened.waitForQuestion();
    await opened.question().locator('.words summary').click();
    const words = opened.question().getByLabel('Words with which a command may begin');
    expect(await words.inputValue()).toBe('npm run lint *');
    await words.fill('rm *');
    await press('Enter');
    await opened.question().getByRole('alert').getByText('never').waitFor();
    // Words that never qualify are refused.
    expect(opened.takeFailures()).toHaveLength(1);
    await words.fill('npm run lint');
    expect(await opened.isInView('.words button')).toBe(true);
    await press('Enter');
    await opened.agentMessages().getByText('Linted.').waitFor();
    expect(await opened.question().count()).toBe(0);
    await opened.send('/clear all');
    await opened.page.getByText('/clear takes no arguments.').waitFor();
    await expect.poll(() => opened.page.locator('#message-input').inputValue()).toBe('/clear all');
  });

  it('takes an edited command with Enter, and runs it without a second question', async () => {
    await opened.open({ scenarios: SCENARIOS });
    await opened.send('a long command');
    await opened.waitForQuestion();
    await press('e');
    for (const ms of [250, 400]) await opened.page.clock.fastForward(ms);
    await press('Shift+Enter');
    await opened.page.keyboard.type('echo edited');
    const editor = opened.question().getByLabel('Edited text, which is checked again');
    expect(await editor.inputValue()).toBe(`${COMMAND}\necho edited`);
    await press('Enter');
    await opened.agentMessages().getByText('That was all.').waitFor();
    const result = JSON.stringify(opened.web.llm.requests.at(-1));
    expect(result).toContain('The user edited the command. This ran instead: ');
    expect(await opened.page.locator('#announcements').textContent()).not.toContain('Question');
  });

  it('is answered by none of several clicks that began before it was shown', async () => {
    await openPaused();
    const answer = chatOf(opened.web, 'hello world');
    while ((await opened.question().count()) === 0) await opened.page.clock.runFor(20);
    const yes = opened.question().getByRole('button', { name: 'Yes, once' });
    await opened.page.clock.runFor(400);
    await yes.click();
    while ((await opened.question().filter({ hasText: 'cat hello.py' }).count()) === 0)
      await opened.page.clock.runFor(20);
    for (let click = 0; click < 4; click += 1) {
      await opened.page.clock.runFor(200);
      await yes.click();
    }
    await opened.page.clock.runFor(100);
    expect(await opened.question().count()).toBe(1);
    await opened.page.clock.resume();
    await askPage(opened.web, '/stop', {});
    expect((await answer).filter(({ event }) => event === 'approval')).toHaveLength(2);
    await expect.poll(() => opened.page.locator('.message.tool.bad').count()).toBe(1);
  });

  it('takes no click that began before it was shown, even below another question', async () => {
    await opened.serve({ scenarios: SCENARIOS });
    const questions = ['first', 'second'].map((id) => ({
      ...{ type: 'question', id, digest: id },
      request: { callId: id, toolName: 'run_shell', effect: { summary: id, paths: [] }, reason: 'The rules ask.' },
      answers: [{ key: 'y', label: 'Yes, once', answer: { type: 'once' } }],
    }));
    const waiting = [...questions.entries()];
    const answered: unknown[] = [];
    await opened.context.route('**/events?*', async (route) => {
      const [number, question] = waiting.shift() ?? [];
      // A stream that has ended is asked for again after a second.
      if (question !== undefined) await route.fulfill({ body: `id: ${number}\ndata: ${JSON.stringify(question)}\n\n` });
    });
    await opened.context.route('**/approval', async (route) => {
      answered.push(route.request().postDataJSON().id);
      await route.fulfill({ json: {} });
    });
    await opened.newTab();
    await opened.question().first().waitFor();
    await opened.page.clock.pauseAt(Date.now() + 3_600_000);
    while ((await opened.question().count()) < 2) await opened.page.clock.runFor(20);
    const click = async (index: number, waitMs = 0) => {
      await opened.page.clock.runFor(waitMs);
      await opened.question().nth(index).getByRole('button', { name: 'Yes, once' }).click();
      return answered;
    };
    expect(await click(1)).toEqual([]);
    expect(await click(1, 200)).toEqual([]);
    await click(0, 200);
    await expect.poll(() => answered).toEqual(['first']);
    await click(1, 400);
    await expect.poll(() => answered).toEqual(['first', 'second']);
  });

  it('adds the texts in its fields to the message if they are not sent with an answer', async () => {
    await opened.open({ scenarios: SCENARIOS });
    const other = await opened.newTab();
    await opened.send('a long command');
    await opened.waitForQuestion(other);
    await opened.waitForQuestion();
    const field = opened.question().getByLabel('No, and what to do instead');
    await field.fill('not here');
    await opened.page.reload();
    await opened.waitForQuestion();
    expect(await opened.message()).toBe('not here');
    await field.fill('rather there');
    await field.press('Escape');
    expect(await opened.page.evaluate('document.activeElement.className')).toBe('question');
    await press('e');
    await opened.page.clock.fastForward(250);
    await opened.page.keyboard.type('; exit');
    await press('Escape');
    expect(await opened.question().locator('.edit').getAttribute('open')).toBeNull();
    await opened.question(other).getByRole('button', { name: 'No (n)' }).click();
    await opened.agentMessages().getByText('That was all.').waitFor();
    expect(await opened.message()).toBe(`not here\nrather there\n${COMMAND}; exit`);
  });

  it('is answered once, by one of several tabs', async () => {
    await opened.open({ scenarios: SCENARIOS });
    const other = await opened.newTab();
    await opened.send('hello world');
    await opened.waitForQuestion(other);
    const first = opened.question().filter({ hasText: 'write_file' });
    await first.waitFor();
    await opened.question(other).getByRole('button', { name: 'No (n)' }).click();
    await first.waitFor({ state: 'detached' });
    await other.locator('.message.tool.bad').waitFor();
    await opened.page.locator('.message.tool.bad').waitFor();
  });
});

it('the page shows a form of a server with its fields, and an address, and sends the answers', async () => {
  const args = [path.join(import.meta.dirname, '../support/mcp/full-server.mjs')];
  await opened.open({
    scenarios: SCENARIOS,
    config: {
      mcp: { servers: { shop: { command: process.execPath, args } } },
      safety: { permission_mode: 'full-access', sandbox: false },
    },
  });
  const answer = chatOf(opened.web, 'order it');
  await opened.waitForQuestion();
  expect(await opened.question().innerText()).toContain('The server shop asks you');
  // The rule of a field is the same text as in the terminal, with its limits and its pattern.
  expect(await opened.question().innerText()).toContain('Your name (a text; at least 2 characters)');
  await opened.question().getByRole('button', { name: 'Send (y)' }).click();
  await opened.question().getByText('Your name must be given.').waitFor();
  await opened.question().getByLabel('Your name').fill('Ada');
  await opened.question().getByLabel('colour').selectOption('green');
  await opened.question().getByRole('button', { name: 'Send (y)' }).click();
  await opened.question().getByText('https://login.example/start?a=1').waitFor();
  await opened.waitForQuestion();
  await opened.question().getByRole('button', { name: 'No (n)' }).click();
  expect(JSON.stringify(await answer)).toContain('Ordered.');
  expect(opened.web.llm.requests.slice(-2).map(({ request }) => request?.results)).toEqual([
    ['{"order":{"action":"accept","content":{"name":"Ada","count":3,"colour":"green","gift":false}}}'],
    ['{"page":{"action":"decline"}}'],
  ]);
  // The form without a name was refused.
  expect(opened.takeFailures()).toHaveLength(1);
});
