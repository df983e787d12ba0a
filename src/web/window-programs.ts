/** A program that can show the page. */
export interface WindowProgram {
  readonly program: string;
  /** `window`: opens a window of its own and ends with it. `tab`: lets the default browser open a tab, ends at once. */
  readonly kind: 'window' | 'tab';
  readonly argsFor: (address: string) => readonly string[];
}

/** Facts about the machine. */
export interface WindowMachine {
  readonly platform: 'posix' | 'darwin' | 'windows';
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Empty directory for the profile of the window, which has no extension that could read the page. */
  readonly profile: string;
}

const LINUX = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'brave-browser',
];
const DARWIN = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'];
const WINDOWS = ['Microsoft\\Edge\\Application\\msedge.exe', 'Google\\Chrome\\Application\\chrome.exe'];

/** The programs that can show the page, in the order in which they are tried. */
export function windowPrograms(machine: WindowMachine): readonly WindowProgram[] {
  const { profile } = machine;
  const argsFor = (address: string) => [
    `--app=${address}`,
    `--user-data-dir=${profile}`,
    '--window-size=900,700',
    '--no-first-run',
    '--no-default-browser-check',
    // Otherwise a browser downloads components for each new profile, which this page does not need.
    '--disable-component-update',
    '--disable-background-networking',
  ];
  const windows = chromiumPrograms(machine).map((program) => ({ program, kind: 'window', argsFor }) as const);
  return [...windows, defaultBrowser(machine)];
}

function chromiumPrograms({ platform, environment }: WindowMachine): readonly string[] {
  switch (platform) {
    case 'posix':
      return LINUX;
    case 'darwin':
      return DARWIN.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
    case 'windows': {
      const roots = [environment['ProgramFiles(x86)'], environment['ProgramFiles'], environment['LOCALAPPDATA']];
      return WINDOWS.flatMap((file) => roots.flatMap((root) => (root === undefined ? [] : [`${root}\\${file}`])));
    }
  }
}

function defaultBrowser({ platform }: WindowMachine): WindowProgram {
  const opens = (program: string, ...first: readonly string[]): WindowProgram => {
    return { program, kind: 'tab', argsFor: (address) => [...first, address] };
  };
  switch (platform) {
    case 'posix':
      return opens('xdg-open');
    case 'darwin':
      return opens('open');
    case 'windows':
      return opens('rundll32', 'url.dll,FileProtocolHandler');
  }
}

/** Result of the opening: the window was closed again, a browser shows a tab, or no program could be used. */
export type WindowEnd = 'closed' | 'in_browser' | 'unavailable';

export interface WindowPorts {
  /** Runs a program to its end. Resolves to its exit code, or to `undefined` if there is no such program. */
  readonly run: (program: string, args: readonly string[]) => Promise<number | undefined>;
  /** An address that opens the page once. */
  readonly address: () => string;
  /** True if the page was opened with the last address. */
  readonly isEntered: () => boolean;
  /** Called before the default browser is tried, which may end only when the user closes it. */
  readonly onTab: () => Promise<void>;
}

/** Opens the page with the first program that can, and waits until its window is closed. */
export async function openWindow(programs: readonly WindowProgram[], ports: WindowPorts): Promise<WindowEnd> {
  for (const { program, kind, argsFor } of programs) {
    if (kind === 'tab') await ports.onTab();
    const code = await ports.run(program, argsFor(ports.address()));
    // A browser that cannot start, such as without a display, ends without having opened the page.
    if (kind === 'window' && ports.isEntered()) return 'closed';
    if (kind === 'tab' && code === 0) return 'in_browser';
  }
  return 'unavailable';
}
