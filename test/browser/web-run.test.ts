import { expect, it } from 'vitest';
import type { MockScenario } from '../../mock-llm-server/testing.ts';
import { writeFiles } from '../support/processes/temporary-directory.ts';
import { createBrowserPage } from '../support/screens/browser-page.ts';
import { askPage } from '../support/screens/web-client.ts';
import type { TestPageOptions } from '../support/screens/web-page.ts';

const SCENARIOS: readonly MockScenario[] = [
  {
    name: 'sleep',
    trigger: 'sleep',
    steps: [{ response: { tool_calls: [{ name: 'run_shell', arguments: { command: 'sleep 30' } }] } }],
  },
  {
    name: 'wait',
    trigger: 'wait for the file',
    steps: [
      {
        response: {
          tool_calls: [{ name: 'run_shell', arguments: { command: 'until [ -e go ]; do sleep 0.1; done' } }],
        },
      },
      { waits_for: 'use tabs', response: { content: 'Then I use tabs.' } },
    ],
  },
  { name: 'chat', trigger: 'how are you', steps: [{ response: { content: "I'm doing well, thank you." } }] },
];

const opened = createBrowserPage();

function open(options: Partial<TestPageOptions> = {}): Promise<void> {
  return opened.open({ scenarios: SCENARIOS, ...options });
}

it('the page stops a run, and removes a queued message', async () => {
  await open({ options: { permissionMode: 'full-access' } });
  await opened.send('sleep');
  await opened.page.locator('#stop-btn').waitFor();
  await opened.send('how are you');
  await opened.page.getByRole('button', { name: 'Remove: how are you' }).click();
  await opened.page.locator('#queue li').waitFor({ state: 'detached' });
  await opened.page.keyboard.type('a');
  await opened.page.click('#stop-btn');
  await opened.page.locator('#stop-btn').waitFor({ state: 'hidden' });
  await opened.page.keyboard.type('b');
  expect(await opened.message()).toBe('ab');
  await opened.page.locator('.message.note').getByText('stopped', { exact: false }).first().waitFor();
});

it('the page asks before Clear stops a run, and loses no queued message', async () => {
  await open({ options: { permissionMode: 'full-access' } });
  await opened.send('sleep');
  await opened.page.locator('.message.tool').waitFor();
  await opened.send('how are you');
  await opened.page.locator('#queue li').waitFor();
  await opened.page.click('#clear-btn');
  await opened.page.getByRole('button', { name: 'Stop and clear' }).waitFor();
  expect(await opened.page.locator('#stop-btn').isVisible()).toBe(true);
  await opened.page.click('#clear-btn');
  await opened.page.locator('.message').first().waitFor({ state: 'detached' });
  await opened.page.getByRole('button', { name: 'Clear', exact: true }).waitFor();
  expect(await opened.message()).toBe('how are you');
});

it('the page clears when the run ends right after the press, and withdraws its question when the run ends later', async () => {
  await open({ options: { permissionMode: 'full-access' } });
  const clock = opened.page.clock;
  const clear = opened.page.getByRole('button', { name: 'Clear', exact: true });
  const pressAndStop = async (passedMs: number) => {
    await clock.resume();
    await opened.send('sleep');
    await opened.page.locator('.message.tool').waitFor();
    await clock.pauseAt((await opened.page.evaluate<number>('Date.now()')) + 1000);
    await clear.click();
    await clock.runFor(passedMs);
    await opened.page.getByRole('button', { name: 'Stop and clear' }).waitFor();
    await askPage(opened.web, '/stop', {});
    await expect.poll(() => clock.runFor(2).then(() => clear.count())).toBe(1);
  };
  await pressAndStop(1000);
  expect(await opened.page.locator('.message.user').count()).toBe(1);
  await clear.click();
  await expect.poll(() => clock.runFor(10).then(() => opened.page.locator('.message').count())).toBe(0);
  await pressAndStop(0);
  await expect.poll(() => clock.runFor(10).then(() => opened.page.locator('.message').count())).toBe(0);
});

it('the page puts the queued messages before the one that is being typed when Escape stops the run', async () => {
  await open({ options: { permissionMode: 'full-access' } });
  const other = await opened.newTab();
  await opened.send('sleep');
  await opened.page.locator('.message.tool').waitFor();
  for (const text of ['how are you', 'and you']) await opened.send(text);
  await opened.page.locator('#queue li').nth(1).waitFor();
  await opened.page.keyboard.type('a draft');
  await opened.page.keyboard.press('Escape');
  await opened.page.locator('#stop-btn').waitFor({ state: 'hidden' });
  expect(await opened.message()).toBe('how are you\nand you\na draft');
  expect(await opened.page.locator('#queue li').count()).toBe(0);
  expect(await other.inputValue('#message-input')).toBe('');
  expect(await opened.page.locator('.message.user').count()).toBe(1);
});

it('the page puts queued messages back one after the other when a command is among them', async () => {
  await open({ options: { permissionMode: 'full-access' } });
  await opened.send('sleep');
  await opened.page.locator('.message.tool').waitFor();
  await opened.send("!printf 'one\\033[31m\\001'");
  await opened.page.fill('#message-input', 'how are you');
  await opened.page.keyboard.press('Control+Enter');
  await opened.page.locator('#queue').getByText('Waits: how are you').waitFor();
  await opened.page.keyboard.press('Escape');
  await opened.page.locator('#queue').getByText('Comes next: how are you').waitFor();
  expect(await opened.message()).toBe("!printf 'one\\033[31m\\001'");
  await opened.page.keyboard.press('Enter');
  await opened.page.locator('.message.output').getByText('one␁', { exact: true }).waitFor();
  expect(await opened.message()).toBe('how are you');
  await opened.page.keyboard.press('Enter');
  await opened.agentMessages().getByText("I'm doing well").waitFor();
});

it.each([
  ['steer', ['Enter', 'Control+Enter']],
  ['queue', ['Control+Enter', 'Enter']],
])(
  'the page gives one message to the next request and lets the other wait, with Enter as %s',
  async (setting, [next = '', later = '']) => {
    await open({ options: { permissionMode: 'full-access' }, config: { ui: { enter_during_run: setting } } });
    await opened.send('wait for the file');
    await opened.page.locator('.message.tool').waitFor();
    const sent: readonly (readonly [string, string, string])[] = [
      ['how are you', later, 'Waits: how are you'],
      ['use tabs', next, 'For the next request: use tabs'],
      ['use four spaces', next, 'For the next request: use four spaces'],
    ];
    for (const [text, key, shown] of sent) {
      await opened.page.fill('#message-input', text);
      await opened.page.keyboard.press(key);
      await opened.page.locator('#queue').getByText(shown).waitFor();
    }
    await opened.page.getByRole('button', { name: 'Remove: use four spaces' }).click();
    await opened.page.locator('#queue').getByText('four spaces').waitFor({ state: 'detached' });
    writeFiles(opened.web.workspace, { go: '' });
    await opened.agentMessages().getByText('Then I use tabs.').waitFor();
    await opened.agentMessages().getByText("I'm doing well").waitFor();
    const texts = ['wait for the file', 'use tabs', 'how are you'].map((text) => `You\n${text}`);
    expect(await opened.page.locator('.message.user').allInnerTexts()).toEqual(texts);
  },
);

it('the page keeps the queued messages when the server is restarted', async () => {
  const own = { token: 'none' };
  await open({ own, options: { permissionMode: 'full-access' } });
  await opened.send('sleep');
  await opened.page.locator('.message.tool').waitFor();
  await opened.send('how are you');
  await opened.page.locator('#queue li').waitFor();
  await opened.page.reload();
  await opened.page.locator('#queue li').waitFor();
  const { port } = new URL(opened.web.url);
  await opened.web.close();
  await opened.page.locator('#status').getByText('The connection to ybs is lost.').waitFor();
  await opened.send('a message');
  // The box is empty until the request has failed.
  await expect.poll(opened.message).toBe('a message');
  expect(await opened.page.locator('.message.problem').count()).toBe(0);
  await opened.serve({ scenarios: SCENARIOS, own: { ...own, port } });
  await opened.page.clock.fastForward(1000);
  await expect.poll(opened.message).toBe('how are you\na message');
  await opened.page.locator('.message.note').getByText('ybs has begun another session. /load session-').waitFor();
  await opened.page.locator('#status').getByText('Ready').waitFor();
  opened.takeFailures();
});

it('the page loads the conversation again when the connection was lost before it was loaded', async () => {
  await opened.serve({ scenarios: SCENARIOS });
  await opened.context.route('**/conversation.js', (route) => route.abort(), { times: 1 });
  await opened.newTab();
  await opened.send('how are you');
  await opened.agentMessages().getByText("I'm doing well").waitFor();
  expect(opened.takeFailures()).toEqual(['Failed to load resource: net::ERR_FAILED']);
});

it('the page reports a lost connection only until it is restored', async () => {
  await open();
  await opened.page.locator('#status').getByText('Ready').waitFor();
  await opened.context.setOffline(true);
  await opened.send('how are you');
  await opened.page.locator('#status').getByText('The connection to ybs is lost.').waitFor();
  await expect.poll(opened.message).toBe('how are you');
  await opened.context.setOffline(false);
  await opened.page.clock.fastForward(1000);
  await opened.page.locator('#status').getByText('Ready').waitFor();
  await opened.page.click('#send-btn');
  await opened.agentMessages().getByText("I'm doing well").waitFor();
  expect(await opened.page.locator('.message.problem').count()).toBe(0);
  opened.takeFailures();
});

it('the page crosses out the messages after a step back in every tab, and puts the message into the message box', async () => {
  await open();
  const other = await opened.newTab();
  await opened.send('how are you');
  await opened.agentMessages().getByText("I'm doing well").waitFor();
  await opened.send('/rewind 1');
  await expect.poll(opened.message).toBe('how are you');
  const dropped = async (tab: typeof other) => {
    await tab.locator('.message.note').getByText('no longer part of the conversation').waitFor();
    return tab.locator('.message.dropped').evaluateAll((all) => all.map((node) => node.getAttribute('aria-label')));
  };
  const labels = ['Dropped: You', 'Dropped: ybs'];
  expect(await dropped(opened.page)).toEqual(labels);
  expect(await dropped(other)).toEqual(labels);
  await other.reload();
  expect(await dropped(other)).toEqual(labels);
  expect(await other.locator('.message.note').getByText('summary').count()).toBe(0);
});

it('the page keeps the draft when it is reloaded, and announces no earlier run', async () => {
  await open({ options: { permissionMode: 'full-access' } });
  await opened.send('how are you');
  await opened.agentMessages().getByText("I'm doing well").waitFor();
  await opened.send('sleep');
  await opened.page.locator('.message.tool').waitFor();
  await opened.page.keyboard.type('a draft');
  await opened.page.reload();
  await opened.page.locator('.message.tool').waitFor();
  expect(await opened.message()).toBe('a draft');
  expect(await opened.page.locator('#announcements').textContent()).toBe('');
  await opened.page.click('#stop-btn');
  await expect.poll(() => opened.page.locator('#announcements').textContent()).toBe('Stopped.');
});

it('the page stops a run with Escape wherever the focus is, but not while a dialog is open', async () => {
  await open({ options: { permissionMode: 'full-access' } });
  await opened.page.locator('#welcome').getByText(`The project is ${opened.web.workspace}.`).waitFor();
  await opened.send('sleep');
  await opened.page.locator('.message.tool').waitFor();
  expect(await opened.page.locator('#welcome').isVisible()).toBe(false);
  await opened.page.click('#settings-btn');
  await opened.page.locator('dialog table').first().waitFor();
  await opened.page.keyboard.press('Escape');
  await opened.page.locator('dialog').waitFor({ state: 'detached' });
  expect(await opened.page.locator('#stop-btn').isVisible()).toBe(true);
  await opened.page.locator('#conversation').focus();
  await opened.page.keyboard.press('Escape');
  await opened.page.locator('#stop-btn').waitFor({ state: 'hidden' });
});
