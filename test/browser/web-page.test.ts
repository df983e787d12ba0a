import type { Response } from 'playwright-core';
import { expect, it } from 'vitest';
import type { MockScenario } from '../../mock-llm-server/testing.ts';
import { longSessionLog } from '../support/agent/long-session.ts';
import { temporaryDirectory, writeFiles } from '../support/processes/temporary-directory.ts';
import { createBrowserPage } from '../support/screens/browser-page.ts';
import { askPage, chatOf, framesOf, readUntil } from '../support/screens/web-client.ts';
import type { TestPageOptions } from '../support/screens/web-page.ts';
import { PAGE_SCENARIOS } from '../support/stories/page-scenarios.ts';

/** A text that runs a script if the page takes it as HTML anywhere. */
const HOSTILE =
  '"><img src=x onerror="window.hacked=1"><script>window.hacked=2</script><svg onload=window.hacked=3>[a](javascript:window.hacked=4) ![b](http://evil.example/c.png)';
/** The same, as the name of a file. */
const HOSTILE_NAME = '<img src=x onerror=window.hacked=5>.txt';

const SCENARIOS: readonly MockScenario[] = [
  ...PAGE_SCENARIOS,
  {
    name: 'hostile',
    trigger: 'be hostile',
    steps: [
      {
        response: {
          content: `# ${HOSTILE}\n\n${HOSTILE}\n\n<b onclick=x>bold</b>\n\n| ${HOSTILE} |\n| --- |\n| x |`,
          tool_calls: [
            { name: 'write_file', arguments: { path: HOSTILE_NAME, content: `${HOSTILE}\n` } },
            { name: 'run_shell', arguments: { command: `cat *.txt # ${HOSTILE}` } },
            { name: HOSTILE, arguments: { path: HOSTILE } },
            {
              name: 'update_tasks',
              arguments: { tasks: [{ content: HOSTILE, status: 'pending', activeForm: HOSTILE }] },
            },
          ],
        },
      },
      { response: { content: 'That was all.' } },
    ],
  },
  {
    name: 'write',
    trigger: 'hello world',
    steps: [
      {
        response: {
          content: 'I write **hello.py**.',
          tool_calls: [{ name: 'write_file', arguments: { path: 'hello.py', content: "print('Hello')\n" } }],
        },
      },
      { response: { tool_calls: [{ name: 'bash', arguments: { command: 'cat hello.py' } }] } },
      { response: { content: 'Done!' } },
    ],
  },
];

const opened = createBrowserPage();

function open(options: Partial<TestPageOptions> = {}): Promise<void> {
  return opened.open({ scenarios: SCENARIOS, ...options });
}

it('the page marks the words that a change replaces, even in the diff of a command', async () => {
  const workspace = temporaryDirectory();
  writeFiles(workspace, { 'app.js': 'const a = 1;\n' });
  await open({ workspace });
  await opened.send('two, please');
  await opened.waitForQuestion();
  await opened.question().locator('mark').nth(1).waitFor();
  expect(await opened.question().locator('mark').allInnerTexts()).toEqual(['1', '2']);
  expect(await opened.question().locator('.diff pre').innerText()).toContain('-const a = 1;\n+const a = 2;');
  await opened.page.keyboard.press('y');
  await opened.agentMessages().getByText('It is two.').waitFor();
  await opened.send('/diff');
  await opened.page.locator('.message.output .added mark').getByText('2').waitFor();
});

it('the page shows hostile texts of the model, of tools and in names of files as text', async () => {
  await open({ options: { permissionMode: 'full-access' } });
  await opened.send('be hostile');
  await opened.agentMessages().getByText('That was all.').waitFor();
  for (const summary of await opened.page.locator('.message.tool summary').all()) {
    const details = summary.locator('..');
    if ((await details.getAttribute('open')) === null) await summary.click();
  }
  await opened.page.locator('#sessions-btn').click();
  await opened.page.locator('dialog .sessions').waitFor();
  expect(await opened.page.locator('#messages').innerText()).toContain('<script>window.hacked=2</script>');
  expect(await opened.page.locator('.message.tool').first().innerText()).toContain(HOSTILE_NAME);
  expect(await opened.page.locator('#tasks').innerText()).toContain('<img src=x');
  expect(await opened.page.locator('main img, main script, main svg, main b, main a[href^="javascript"]').count()).toBe(
    0,
  );
  expect(await opened.page.evaluate('window.hacked')).toBeUndefined();
});

it('the page renders Markdown as elements', async () => {
  await open();
  await opened.send('markdown please');
  await opened.agentMessages().getByRole('heading', { name: 'The end' }).waitFor();
  const answer = opened.agentMessages();
  expect(await answer.getByRole('link').first().getAttribute('rel')).toBe('noopener noreferrer');
  expect(await answer.locator('.markdown p').first().innerText()).toBe(
    'Some emphasis, code and a link (https://example.com/a).',
  );
  expect(await answer.locator('.markdown p').nth(1).innerText()).toBe(
    'op\\u{202e}en (https://example.com/b?\\u{2067}) \\u{200f} \\u{1b}',
  );
  expect(await answer.locator('ol > li').count()).toBe(2);
  expect(await answer.locator('ul li').allInnerTexts()).toEqual(['nested', '☑ done', '☐ open']);
  expect(await answer.getByRole('cell').allInnerTexts()).toEqual(['a', '1']);
  expect(await answer.getByRole('cell', { name: '1' }).getAttribute('class')).toBe('right');
  expect(await answer.locator('blockquote').innerText()).toBe('quoted');
  expect(await answer.locator('pre code').innerText()).toBe('const answer = 42;');
  await answer.locator('pre code .k-num').getByText('42').waitFor();
});

it('the page shows the same in each tab, and after a reload, before which it says that it loads', async () => {
  await open();
  const other = await opened.newTab();
  await opened.send('how are you');
  for (const tab of [opened.page, other]) await tab.locator('.message.agent').getByText("I'm doing well").waitFor();
  const welcome = opened.page.locator('#welcome');
  await opened.page.route('**/conversation/conversation.js', async (route) => {
    await opened.page.locator('#status').getByText('Ready').waitFor();
    await welcome.getByText('Loading …').waitFor();
    await route.continue();
  });
  await opened.page.reload();
  await welcome.waitFor({ state: 'hidden' });
  await opened.agentMessages().getByText("I'm doing well").waitFor();
  expect(await opened.page.locator('.message').allInnerTexts()).toEqual(
    await other.locator('.message').allInnerTexts(),
  );
});

it('the page continues after a lost connection, without losing or repeating anything', async () => {
  await open();
  await chatOf(opened.web, 'how are you');
  await chatOf(opened.web, 'markdown please');
  const frames = framesOf(await askPage(opened.web, '/events?after=0'));
  const ends = { count: 0 };
  const read = await readUntil(frames, ({ data }) => data['type'] === 'message_end' && ++ends.count === 2);
  const text = read
    .map(({ event, id, data }) => {
      return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
    })
    .join('');
  const seen: string[] = [];
  const tab = await opened.context.newPage();
  await tab.clock.install();
  await tab.route('**/events*', async (route) => {
    seen.push(new URL(route.request().url()).search);
    // The connection ends within an event, after the first message.
    if (seen.length > 1) await route.continue();
    else await route.fulfill({ contentType: 'text/event-stream', body: text.slice(0, text.indexOf('Some *emph')) });
  });
  await tab.goto(opened.web.address);
  await tab.locator('.message.agent').getByText("I'm doing well").waitFor();
  await tab.getByText('The connection to ybs is lost.').waitFor();
  await tab.clock.fastForward(1000);
  await tab.locator('.message.agent').getByRole('heading', { name: 'The end' }).waitFor();
  expect(await tab.locator('.message').count()).toBe(4);
  expect(seen).toEqual([expect.stringMatching(/^\?after=0&/), expect.stringMatching(/^\?after=[1-9]\d+&/)]);
});

it('the page asks for the address when it has no token', async () => {
  await open();
  const other = await opened.context.newPage();
  await other.goto(opened.web.url);
  await other.getByText('Open the address that ybs printed').first().waitFor();
  await other.getByLabel('Address or token').fill(opened.web.address);
  await other.keyboard.press('Enter');
  await other.locator('#status').getByText('Ready').waitFor();
  expect(await other.evaluate('document.activeElement.id')).toBe('message-input');
  expect(other.url()).toBe(`${opened.web.url}/`);
});

it('the page connects when the address with the token replaces the one without it', async () => {
  await open();
  const other = await opened.context.newPage();
  await other.goto(opened.web.url);
  await other.getByText('Open the address that ybs printed').first().waitFor();
  await other.goto(opened.web.address);
  await other.locator('#status').getByText('Ready').waitFor();
  await expect.poll(() => other.url()).toBe(`${opened.web.url}/`);
});

it('the page connects even when the address arrives while it still loads', async () => {
  await open();
  const other = await opened.context.newPage();
  // The browser reports the new address only after the modules have been run.
  await other.route('**/conversation/conversation.js*', async (route) => {
    const response = await route.fetch();
    const hash = new URL(opened.web.address).hash;
    await route.fulfill({ response, body: `${await response.text()}\nlocation.hash ||= '${hash}';\n` });
  });
  await other.goto(opened.web.url);
  await other.locator('#status').getByText('Ready').waitFor();
  await expect.poll(() => other.url()).toBe(`${opened.web.url}/`);
});

it('the page lists the sessions and continues one of them', async () => {
  const [home, elsewhere] = [temporaryDirectory(), temporaryDirectory()];
  writeFiles(home, { '.config/ybs/sessions/session-20260101-000000-0000.jsonl': longSessionLog(elsewhere, 10) });
  await open({ home });
  await opened.send('how are you');
  await opened.agentMessages().getByText("I'm doing well").waitFor();
  await opened.page.click('#clear-btn');
  await opened.agentMessages().waitFor({ state: 'detached' });
  await opened.page.click('#sessions-btn');
  await opened.page
    .locator('dialog .sessions li')
    .filter({ hasText: ` · in ${elsewhere}` })
    .waitFor();
  await opened.page.locator('dialog').getByRole('button', { name: 'how are you' }).click();
  await opened.agentMessages().getByText("I'm doing well").waitFor();
  expect(await opened.page.locator('dialog').count()).toBe(0);
  await opened.page.keyboard.type('next');
  expect(await opened.page.inputValue('#message-input')).toBe('next');
});

it('the page shows the settings with their origins, and changes the mode and the level of a tool', async () => {
  await open({ config: { ui: { color: false } } });
  await opened.page.click('#settings-btn');
  const dialog = opened.page.locator('dialog');
  await dialog.getByText('ui.color').waitFor();
  expect(await dialog.getByRole('row', { name: 'ui.color' }).innerText()).toContain('.ybs.json');
  const mode = dialog.getByRole('combobox', { name: 'Permission mode' });
  const level = dialog.getByRole('combobox', { name: 'Level of run_shell' });
  const focus = () => opened.page.evaluate('document.activeElement.ariaLabel');
  await mode.focus();
  await opened.page.keyboard.press('End');
  expect(await mode.inputValue()).toBe('full-access');
  await level.selectOption('denied');
  await level.press('Enter');
  await dialog.getByText('run_shell is denied for this session').waitFor();
  await expect.poll(focus).toBe('Level of run_shell');
  expect(await mode.inputValue()).toBe('ask');
  await mode.selectOption('plan');
  await dialog.getByRole('button', { name: 'Apply: Permission mode' }).click();
  await opened.page.locator('#status').getByText('plan').waitFor();
  await expect.poll(focus).toBe('Permission mode');
  await opened.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

it('the page gives the reason if a setting cannot be changed', async () => {
  await open();
  await opened.send('hello world');
  await opened.waitForQuestion();
  await opened.page.keyboard.press('a');
  await opened.question().getByText('cat hello.py').first().waitFor();
  await opened.page.click('#settings-btn');
  const dialog = opened.page.locator('dialog');
  await dialog.getByRole('button', { name: 'Clear: ' }).waitFor();
  await askPage(opened.web, '/setting', { command: 'approvals', argument: 'clear' });
  await dialog.getByRole('button', { name: 'Clear: ' }).click();
  await dialog.getByText('There is no entry 1.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Clear: ' }).count()).toBe(0);
  expect(opened.takeFailures()).toEqual([expect.stringContaining('400')]);
});

it('the page remains small in a session of 10,000 events', async () => {
  const [workspace, home] = [temporaryDirectory(), temporaryDirectory()];
  const log = longSessionLog(workspace, 10_000);
  writeFiles(home, { '.config/ybs/sessions/session-20260101-000000-0000.jsonl': log });
  await open({ workspace, home, options: { continue: true } });
  await opened.page.locator('.message.agent').last().getByText('answer 2499').waitFor();
  expect(await opened.page.locator('.message').count()).toBeLessThanOrEqual(200);
  await opened.send('how are you');
  await opened.agentMessages().last().getByText("I'm doing well").waitFor();
  expect(await opened.page.locator('.message').count()).toBeLessThanOrEqual(200);
  await opened.page.getByRole('button', { name: 'Show earlier messages' }).click();
  expect(await opened.page.locator('.message').count()).toBe(400);
});

it('the page is small at the first view, and requests the session with six files, which a browser loads in parallel', async () => {
  await open();
  const tab = await opened.context.newPage();
  const responses: Response[] = [];
  const paths: string[] = [];
  tab.on('request', (request) => paths.push(new URL(request.url()).pathname));
  tab.on('response', (response) => {
    if (!response.url().includes('/events')) responses.push(response);
  });
  await tab.goto(opened.web.address);
  await tab.locator('#status').getByText('Ready').waitFor();
  await tab.locator('#message-input[aria-autocomplete]').waitFor();
  expect(paths.slice(0, paths.indexOf('/events')).filter((path) => path !== '/')).toHaveLength(6);
  const files = await Promise.all(responses.map((response) => response.body()));
  const bytes = files.reduce((total, { length }) => total + length, 0);
  expect(files.length).toBeGreaterThan(12);
  expect(bytes).toBeLessThan(100_000);
});
