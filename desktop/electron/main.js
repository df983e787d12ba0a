import { spawn } from 'node:child_process';
import { app, BrowserWindow, dialog, shell } from 'electron';
import { runDesktop } from './desktop.js';

// npm installs the command as a script of the shell on Windows.
const options = { stdio: ['ignore', 'pipe', 'inherit'], shell: process.platform === 'win32' };

await runDesktop({
  app,
  BrowserWindow,
  startServer: () => spawn('ybs', ['web', '--port', '0'], options),
  openExternal: (address) => shell.openExternal(address),
  showError: (message) => dialog.showErrorBox('ybs', message),
});
