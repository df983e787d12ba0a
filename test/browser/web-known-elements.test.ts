import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/processes/temporary-directory.ts';
import { createBrowserPage } from '../support/screens/browser-page.ts';

const opened = createBrowserPage();

// As the tests of the page of lsimons-agent do it: in a clone of that project, without a token and without questions, by
// the name of this machine. They know the title, the heading, Clear, #message-input, #send-btn and the classes of messages.
beforeEach(async () => {
  const workspace = path.join(temporaryDirectory(), 'lsimons-agent');
  mkdirSync(workspace);
  const scenarios = path.join(import.meta.dirname, '../../scenarios/hello-world');
  await opened.serve({
    scenarios,
    workspace,
    own: { token: 'none' },
    options: { permissionMode: 'full-access' },
  });
  await opened.newTab(`${opened.web.url.replace('127.0.0.1', 'localhost')}/`);
  await opened.page.click('button:has-text("Clear")');
});

const messages = (kind: string) => opened.page.locator(`.message.${kind}`);

async function send(text: string): Promise<void> {
  await opened.page.fill('#message-input', text);
  await opened.page.click('#send-btn');
}

it('the title and the heading name the project, an answer is one message, and Clear removes every message', async () => {
  await expect.poll(() => opened.page.title()).toBe('lsimons-agent');
  expect(await opened.page.locator('h1').textContent()).toContain('lsimons-agent');
  await send('how are you');
  // Fails if there are several.
  await messages('agent').waitFor();
  await messages('agent').getByText("I'm doing well").waitFor();
  await opened.page.click('button:has-text("Clear")');
  await expect.poll(() => opened.page.locator('.message').count()).toBe(0);
});

it('each call of a tool is a message with the name that the model has used', async () => {
  await send('hello world');
  await messages('tool').first().getByText('write_file').waitFor();
  await messages('tool').nth(1).getByText('bash').waitFor();
  await messages('agent').last().getByText('Done').waitFor();
  expect(readFileSync(path.join(opened.web.workspace, 'hello.py'), 'utf8')).toBe("print('Hello, World!')");
});
