import { describe, expect, it } from 'vitest';
import { openWindow, type WindowMachine, windowPrograms } from '../../../src/web/window-programs.ts';

const MACHINE: WindowMachine = { platform: 'posix', environment: {}, profile: '/home/ada/.cache/ybs/window' };

function rows(machine: Partial<WindowMachine>): readonly string[] {
  return windowPrograms({ ...MACHINE, ...machine }).map(({ program, kind }) => `${kind}: ${program}`);
}

describe('the programs that can show the page', () => {
  it('are browsers with a window for one page, and then the default browser', () => {
    expect(rows({})).toEqual([
      'window: chromium',
      'window: chromium-browser',
      'window: google-chrome',
      'window: google-chrome-stable',
      'window: microsoft-edge',
      'window: brave-browser',
      'tab: xdg-open',
    ]);
    expect(rows({ platform: 'darwin' }).at(0)).toBe(
      'window: /Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    );
    expect(rows({ platform: 'darwin' }).at(-1)).toBe('tab: open');
  });

  it('are in the directories of programs on Windows', () => {
    const environment = { ProgramFiles: 'C:\\Program Files' };
    expect(rows({ platform: 'windows', environment })).toEqual([
      'window: C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe',
      'window: C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
      'tab: rundll32',
    ]);
  });

  it('receive the address and a separate profile', () => {
    const programs = windowPrograms(MACHINE);
    expect(programs[0]?.argsFor('http://a')).toContain('--app=http://a');
    expect(programs[0]?.argsFor('http://a')).toContain('--user-data-dir=/home/ada/.cache/ybs/window');
    expect(programs.at(-1)?.argsFor('http://a')).toEqual(['http://a']);
    expect(
      windowPrograms({ ...MACHINE, platform: 'windows' })
        .at(-1)
        ?.argsFor('http://a'),
    ).toEqual(['url.dll,FileProtocolHandler', 'http://a']);
  });
});

describe('a window', () => {
  /** Opens a window where the programs end with these codes; `entered` are those that open the page. */
  async function open(codes: Readonly<Record<string, number>>, entered: readonly string[] = []) {
    const tried: string[] = [];
    let isEntered = false;
    let addresses = 0;
    const end = await openWindow(windowPrograms(MACHINE), {
      address: () => `http://127.0.0.1/#${++addresses}`,
      isEntered: () => isEntered,
      onTab: async () => void tried.push('the address'),
      async run(program, args) {
        if (codes[program] === undefined) return undefined;
        tried.push(`${program} ${args.find((arg) => arg.includes('http'))}`);
        isEntered = entered.includes(program);
        return codes[program];
      },
    });
    return { end, tried };
  }

  it('is opened by the first program that can open the page', async () => {
    const { end, tried } = await open({ 'google-chrome': 0, 'xdg-open': 0 }, ['google-chrome']);
    expect(end).toBe('closed');
    expect(tried).toEqual(['google-chrome --app=http://127.0.0.1/#3']);
  });

  it('is a tab of the default browser if no program opens the page', async () => {
    const { end, tried } = await open({ chromium: 1, 'xdg-open': 0 });
    expect(end).toBe('in_browser');
    expect(tried).toEqual([
      'chromium --app=http://127.0.0.1/#1',
      'the address',
      expect.stringMatching(/^xdg-open http/),
    ]);
  });

  it('is not opened without a browser', async () => {
    expect((await open({})).end).toBe('unavailable');
    expect((await open({ chromium: 1, 'xdg-open': 3 })).end).toBe('unavailable');
  });
});
