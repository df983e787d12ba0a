/** The part of a child process that the shell uses. */
export interface ServerProcess {
  readonly stdout: AsyncIterable<Uint8Array>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  kill(): unknown;
}

/** The part of a window of Electron that the shell uses. */
export interface ShellWindow {
  readonly webContents: {
    setWindowOpenHandler(handler: (details: { readonly url: string }) => { readonly action: 'deny' }): void;
    on(event: 'will-navigate', listener: (event: { preventDefault(): void }, url: string) => void): unknown;
  };
  loadURL(address: string): Promise<void>;
}

/** The parts of Electron and of Node.js that the shell uses. */
export interface DesktopPorts {
  readonly app: {
    whenReady(): Promise<unknown>;
    on(event: 'window-all-closed' | 'quit', listener: () => void): unknown;
    quit(): void;
  };
  readonly BrowserWindow: new (options: object) => ShellWindow;
  /** Starts `ybs web`. */
  readonly startServer: () => ServerProcess;
  readonly openExternal: (address: string) => unknown;
  readonly showError: (message: string) => void;
}

/** Starts the server, waits until it listens, and shows its page in a window. Quitting ends the server. */
export function runDesktop(ports: DesktopPorts): Promise<void>;
