import { expect, it } from 'vitest';
import { type DesktopPorts, runDesktop, type ShellWindow } from '../../../desktop/electron/desktop.js';

type WindowHandlers = Parameters<ShellWindow['webContents']['setWindowOpenHandler']>[0];

/** A fake of Electron, and of a server that prints `output` in these pieces. */
function fakeDesktop(output: readonly string[], failure?: Error) {
  const log: string[] = [];
  const listeners = new Map<string, () => void>();
  let openHandler: WindowHandlers | undefined;
  let navigate: ((event: { preventDefault(): void }, url: string) => void) | undefined;
  const ports: DesktopPorts = {
    app: {
      whenReady: async () => log.push('ready'),
      on: (event, listener) => listeners.set(event, listener),
      quit: () => log.push('quit'),
    },
    BrowserWindow: class {
      readonly webContents: ShellWindow['webContents'] = {
        setWindowOpenHandler: (handler) => {
          openHandler = handler;
        },
        on: (_event, listener) => {
          navigate = listener;
        },
      };
      constructor(options: object) {
        log.push(`window ${JSON.stringify(options)}`);
      }
      async loadURL(address: string) {
        log.push(`load ${address}`);
      }
    },
    startServer: () => ({
      stdout: (async function* () {
        for (const piece of output) yield new TextEncoder().encode(piece);
        if (failure !== undefined) await new Promise(() => {});
      })(),
      on: (_event, listener) => failure !== undefined && listener(failure),
      kill: () => log.push('kill'),
    }),
    openExternal: (address) => log.push(`browser ${address}`),
    showError: (message) => log.push(`error ${message}`),
  };
  return {
    ports,
    log,
    emit: (event: string) => listeners.get(event)?.(),
    open: (url: string) => openHandler?.({ url }),
    navigate(url: string) {
      let isPrevented = false;
      navigate?.({ preventDefault: () => (isPrevented = true) }, url);
      return isPrevented;
    },
  };
}

const ADDRESS = 'http://127.0.0.1:8765/#t=abc';

it('the shell waits for the server, and shows its page in a window without access to Node', async () => {
  const { ports, log } = fakeDesktop(['Open http://127.0.', '0.1:8765/#t=abc', '\nCtrl-C ends the server.\n']);
  await runDesktop(ports);
  expect(log).toEqual([
    'ready',
    'window {"width":900,"height":700,"webPreferences":{"nodeIntegration":false,"contextIsolation":true,"sandbox":true}}',
    `load ${ADDRESS}`,
  ]);
});

it('the shell ends the server when it quits, which closing the last window does', async () => {
  const { ports, log, emit } = fakeDesktop([`Open ${ADDRESS}\n`]);
  await runDesktop(ports);
  emit('window-all-closed');
  emit('quit');
  expect(log.slice(-2)).toEqual(['quit', 'kill']);
});

it('the shell opens links in the browser, and never leaves the page', async () => {
  const { ports, log, open, navigate } = fakeDesktop([`Open ${ADDRESS}\n`]);
  await runDesktop(ports);
  expect(open('https://example.com/a')).toEqual({ action: 'deny' });
  expect(open('file:///etc/passwd')).toEqual({ action: 'deny' });
  expect(log.filter((row) => row.startsWith('browser'))).toEqual(['browser https://example.com/a']);
  expect(navigate('http://127.0.0.1:8765/')).toBe(false);
  expect(navigate('http://evil.example/')).toBe(true);
});

it.each<[string, readonly string[], Error | undefined, string]>([
  ['cannot be started', [], new Error('spawn ybs ENOENT'), 'error ybs cannot be started: spawn ybs ENOENT.'],
  ['ends at once', ['ybs: something\n'], undefined, 'error ybs ended before its page could be opened.'],
])('the shell reports the reason when the server %s', async (_name, output, failure, message) => {
  const { ports, log } = fakeDesktop(output, failure);
  await runDesktop(ports);
  expect(log.at(-2)).toContain(message);
  expect(log.at(-1)).toBe('quit');
});
