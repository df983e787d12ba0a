import { expect, it } from 'vitest';
import type { MockScenario } from '../../mock-llm-server/testing.ts';
import { temporaryDirectory, writeFiles } from '../support/processes/temporary-directory.ts';
import { createBrowserPage } from '../support/screens/browser-page.ts';
import { violations } from '../support/screens/violations.ts';
import type { TestPageOptions } from '../support/screens/web-page.ts';
import { PAGE_SCENARIOS } from '../support/stories/page-scenarios.ts';

const SCENARIOS: readonly MockScenario[] = [
  ...PAGE_SCENARIOS,
  {
    name: 'table',
    trigger: 'make a table',
    steps: [{ response: { content: `| a | b | c | d |\n| - | - | - | - |\n|${' documentation |'.repeat(4)}` } }],
  },
];

const opened = createBrowserPage();

function open(options: Partial<TestPageOptions> = {}): Promise<void> {
  return opened.open({ scenarios: SCENARIOS, ...options });
}

it('the page shows the settings completely, even in a narrow window', async () => {
  await open();
  await opened.page.click('#settings-btn');
  await opened.page.locator('dialog .table').nth(1).waitFor();
  const tables = "[...document.querySelectorAll('dialog .table')]";
  for (const width of [360, 420, 900]) {
    await opened.page.setViewportSize({ width, height: 640 });
    const wide = await opened.page.evaluate(
      `${tables}.filter((table) => table.scrollWidth > table.clientWidth).length`,
    );
    expect(wide).toBe(0);
  }
});

it('the page continues a line of the help below its second column, and below its first if the page is narrow', async () => {
  await open();
  await opened.send('/help');
  const row = opened.page.locator('.message.note .columns').filter({ hasText: '/rewind' });
  await row.waitFor();
  const indentAt = async (width: number) => {
    await opened.page.setViewportSize({ width, height: 700 });
    return opened.page.evaluate<number>(`{
      const range = document.createRange();
      const rows = [...document.querySelectorAll('.message.note .columns')];
      range.selectNodeContents(rows.find(({ textContent }) => textContent.startsWith('/rewind')));
      const [first, ...others] = range.getClientRects();
      others.find(({ top }) => top > first.bottom - 2).left - first.left;
    }`);
  };
  expect(await indentAt(900)).toBeGreaterThan(100);
  expect(await indentAt(390)).toBeLessThan(30);
});

it('a narrow page does not split words of tables', async () => {
  await open();
  await opened.page.setViewportSize({ width: 400, height: 700 });
  await opened.send('make a table');
  const word = opened.page.locator('.message.agent td').first();
  await word.waitFor();
  // A table is rewritten with each piece of the answer.
  await expect.poll(async () => (await word.boundingBox())?.height ?? Infinity).toBeLessThan(50);
});

it('the page works with the keyboard alone', async () => {
  await open();
  await opened.page.keyboard.type('how are you');
  await opened.page.keyboard.press('Shift+Enter');
  await opened.page.keyboard.press('Enter');
  await opened.agentMessages().getByText("I'm doing well").waitFor();
  await opened.page.keyboard.press('ArrowUp');
  expect(await opened.page.inputValue('#message-input')).toBe('how are you\n');
  await opened.page.keyboard.press('ArrowDown');
  await expect.poll(() => opened.page.locator('#announcements').textContent()).toBe('The answer is complete.');
});

it.each(['light', 'dark'] as const)('the page has no accessibility violation in %s colours', async (colorScheme) => {
  const workspace = temporaryDirectory();
  writeFiles(workspace, { 'app.js': 'const a = 1;\n' });
  await open({ workspace });
  await opened.page.emulateMedia({ colorScheme });
  await opened.send('markdown please');
  await opened.agentMessages().getByRole('heading', { name: 'The end' }).waitFor();
  await opened.send('/nonsense');
  await expect.poll(opened.message).toBe('/nonsense');
  await opened.send('two, please');
  await opened.question().locator('mark').nth(1).waitFor();
  expect(await violations(opened)).toEqual([]);
  await opened.page.click('#settings-btn');
  await opened.page.locator('dialog table').first().waitFor();
  expect(await violations(opened)).toEqual([]);
});
