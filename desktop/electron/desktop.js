/** @import { DesktopPorts, ServerProcess } from './desktop.d.ts' */

/**
 * Starts the server, waits until it listens, and shows its page in a window. Quitting ends the server.
 *
 * @param {DesktopPorts} ports
 */
export async function runDesktop({ app, BrowserWindow, startServer, openExternal, showError }) {
  const server = startServer();
  app.on('window-all-closed', () => app.quit());
  app.on('quit', () => server.kill());
  try {
    const [address] = await Promise.all([addressOf(server), app.whenReady()]);
    const window = new BrowserWindow({
      width: 900,
      height: 700,
      webPreferences: { nodeIntegration: false, contextIsolation: true, sandbox: true },
    });
    const { origin } = new URL(address);
    // The window shows only the page; links open in the browser of the user.
    window.webContents.setWindowOpenHandler(({ url }) => {
      if (/^(?:https?|mailto):/.test(url)) openExternal(url);
      return { action: 'deny' };
    });
    window.webContents.on('will-navigate', (event, url) => {
      if (new URL(url).origin !== origin) event.preventDefault();
    });
    await window.loadURL(address);
  } catch (error) {
    await app.whenReady();
    showError(error instanceof Error ? error.message : String(error));
    app.quit();
  }
}

/**
 * The address that the server prints when it listens.
 *
 * @param {ServerProcess} server
 * @returns {Promise<string>}
 */
function addressOf(server) {
  return new Promise((resolve, reject) => {
    server.on('error', ({ message }) =>
      reject(new Error(`ybs cannot be started: ${message}. Install it, then try again.`)),
    );
    readAddress(server.stdout).then(resolve, reject);
  });
}

/** @param {AsyncIterable<Uint8Array>} output */
async function readAddress(output) {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const [, address] = /^Open (\S+)\n/m.exec(text) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('ybs ended before its page could be opened. Run ybs web in a terminal to see why.');
}
