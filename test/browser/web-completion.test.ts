import { beforeEach, expect, it } from 'vitest';
import { temporaryDirectory, writeFiles } from '../support/processes/temporary-directory.ts';
import { createBrowserPage } from '../support/screens/browser-page.ts';
import { violations } from '../support/screens/violations.ts';

const opened = createBrowserPage();

beforeEach(async () => {
  const workspace = temporaryDirectory();
  writeFiles(workspace, { 'notes.md': 'Remember the milk.\n', 'notes/a.md': '', 'only.md': '' });
  await opened.open({ scenarios: [], workspace });
  // The completion is loaded after the page is ready.
  await opened.page.locator('#message-input[aria-autocomplete]').waitFor();
});

const press = (key: string) => opened.page.keyboard.press(key);
const text = () => opened.page.inputValue('#message-input');
const options = () => opened.page.getByRole('option');
const focused = () => opened.page.evaluate('document.activeElement.id');
const announced = () => opened.page.locator('#announcements').textContent();

async function type(typed: string): Promise<void> {
  await opened.page.fill('#message-input', typed);
}

it('Tab offers paths, of which the arrow keys choose and Enter takes one', async () => {
  await type('Read @file:n');
  await press('Tab');
  await options().first().waitFor();
  expect(await text()).toBe('Read @file:notes');
  expect(await options().allInnerTexts()).toEqual(['@file:notes.md', '@file:notes/']);
  const active = async () => opened.page.getAttribute('#message-input', 'aria-activedescendant');
  expect(await opened.page.getAttribute(`#${await active()}`, 'aria-selected')).toBe('true');
  expect(await announced()).toBe('2 completions');
  expect(await violations(opened)).toEqual([]);
  await press('ArrowDown');
  await press('Enter');
  await options().first().waitFor({ state: 'detached' });
  expect(await text()).toBe('Read @file:notes/');
  expect(await opened.page.locator('.message').count()).toBe(0);
  await press('Tab');
  await expect.poll(text).toBe('Read @file:notes/a.md ');
  expect(await focused()).toBe('message-input');
});

it('a click takes a completion; Escape closes the list, and so does another key', async () => {
  await type('/ses');
  await press('Tab');
  await options().getByText('/sessions').click();
  expect(await text()).toBe('/sessions');
  expect(await focused()).toBe('message-input');

  await type('/ses');
  await press('Tab');
  await options().first().waitFor();
  await press('Escape');
  await options().first().waitFor({ state: 'detached' });
  expect(await text()).toBe('/session');
  await press('Tab');
  await options().first().waitFor();
  await opened.page.keyboard.type('s');
  await options().first().waitFor({ state: 'detached' });
  expect(await text()).toBe('/sessions');
});

it('Tab moves the focus if there is nothing to complete', async () => {
  await type('hello');
  await press('Tab');
  expect(await focused()).toBe('send-btn');
  await press('Shift+Tab');
  await type('@file:only.md');
  await press('Tab');
  await expect.poll(announced).toBe('Nothing to complete. Tab moves on.');
  await press('Tab');
  expect(await focused()).toBe('send-btn');
  await press('Shift+Tab');
  await opened.page.route('**/complete', (route) => route.abort());
  await type('@file:on');
  await press('Tab');
  await expect.poll(announced).toBe('ybs does not answer. Tab moves on to the next element.');
  await press('Tab');
  expect(await focused()).toBe('send-btn');
  expect(opened.takeFailures()).toEqual(['Failed to load resource: net::ERR_FAILED']);
});

it('commands are offered while the name of one is typed; Enter sends what is typed, an arrow or a click chooses', async () => {
  await opened.page.keyboard.type('/sess');
  await options().first().waitFor();
  expect(await options().allInnerTexts()).toEqual([
    expect.stringContaining('/session '),
    expect.stringContaining('/sessions '),
  ]);
  expect(await opened.page.getAttribute('#message-input', 'aria-activedescendant')).toBeNull();
  expect(await violations(opened)).toEqual([]);
  await press('ArrowDown');
  await press('Enter');
  expect(await text()).toBe('/session');
  await type('/too');
  await options().getByText('/tools').click();
  expect(await text()).toBe('/tools');
  await type('/sess');
  await options().first().waitFor();
  await press('Enter');
  await opened.page.getByText('Unknown command /sess.').waitFor();
  expect(await options().count()).toBe(0);
});

it.each(['drop', 'paste'])('a %s of a file is not opened, and the page tells how to name one', async (type) => {
  const isRefused = await opened.page.evaluate(
    `(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'a.png', { type: 'image/png' }));
      const event = '${type}' === 'paste'
        ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
        : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
      document.querySelector('#message-input').dispatchEvent(event);
      return event.defaultPrevented;
    })()`,
  );
  expect(isRefused).toBe(true);
  expect(await announced()).toBe('Files are not sent from here. Name one of the project, as in @src/app.js');
  expect(await opened.page.getAttribute('#message-input', 'placeholder')).toBe(await announced());
});
