import { type MockLlm, type MockScenario, startMockLlm } from '../../../mock-llm-server/testing.ts';
import type { Machine, SessionOptions } from '../../../src/app/settings.ts';
import { createWiring } from '../../../src/app/wiring.ts';
import { webCommand } from '../../../src/cli/subcommands/serving/web-command.ts';
import { readMachine } from '../../../src/node/machine.ts';
import { temporaryDirectory, writeFiles } from '../processes/temporary-directory.ts';

/** Options of a page under test. */
export interface TestPageOptions {
  /** A list, or the directory of a story. */
  readonly scenarios: readonly MockScenario[] | string;
  readonly options?: Partial<SessionOptions>;
  /** Options of `ybs web` itself. */
  readonly own?: Readonly<Record<string, string>>;
  /** The configuration file of the user. */
  readonly config?: object;
  readonly workspace?: string;
  readonly home?: string;
}

/** A page that `ybs web` serves in this process, over a mock model. */
export interface TestPage extends AsyncDisposable {
  /** The address that ybs has printed. */
  readonly address: string;
  /** The origin of the page, without a slash at its end. */
  readonly url: string;
  readonly token: string;
  readonly workspace: string;
  readonly home: string;
  readonly llm: MockLlm;
  readonly warnings: readonly string[];
  /** Ends the server, as Ctrl-C does. Resolves to the exit code. */
  close(): Promise<number>;
}

/** Starts `ybs web` on a free port. */
export async function startTestPage({
  scenarios,
  options = {},
  own = {},
  workspace = temporaryDirectory(),
  home = temporaryDirectory(),
  config,
}: TestPageOptions): Promise<TestPage> {
  if (config !== undefined) writeFiles(home, { '.ybs.json': JSON.stringify(config) });
  const llm = await startMockLlm({ scenarios });
  const machine = await testMachine(home);
  const warnings: string[] = [];
  const stops = new Set<() => void>();
  let ended: Promise<number> | undefined;
  const printed = await new Promise<string>((resolve, reject) => {
    const user = {
      write: async (text: string) => {
        resolve(text);
        return true;
      },
      warn: async (message: string) => warnings.push(message),
      onStop(listener: () => void) {
        stops.add(listener);
        return () => stops.delete(listener);
      },
    };
    const request = pageRequest(workspace, llm.url, options, own);
    ended = webCommand(request, { wiring: createWiring(machine), machine, user });
    ended.catch(async (error: unknown) => {
      await llm.close();
      reject(error);
    });
  });
  const [, address = ''] = /^Open (\S+)$/m.exec(printed) ?? [];
  const { origin: url, hash } = new URL(address);
  const close = async (): Promise<number> => {
    for (const stop of stops) stop();
    const code = await ended;
    await llm.close();
    return code ?? -1;
  };
  return {
    address,
    url,
    token: hash.replace('#t=', ''),
    workspace,
    home,
    llm,
    warnings,
    close,
    [Symbol.asyncDispose]: async () => void (await close()),
  };
}

/** A machine with this home, and without the variables of the tests. */
export async function testMachine(home: string): Promise<Machine> {
  const startMockModel = () => Promise.reject(new Error('no mock'));
  return {
    ...(await readMachine({ startMockModel, warn: async () => {} })),
    home,
    environment: { PATH: process.env['PATH'], HOME: home },
  };
}

/** The request of a command line that serves the page on a free port. */
export function pageRequest(
  workspace: string,
  endpoint: string,
  options: Partial<SessionOptions> = {},
  own: Readonly<Record<string, string>> = {},
): Parameters<typeof webCommand>[0] {
  const fixed = { outputFormat: 'text', dryRun: false, provider: 'mock', noSandbox: true } as const;
  return {
    options: { ...fixed, endpoint, cwd: workspace, ...options },
    ownOptions: new Map(Object.entries({ port: '0', ...own }).map(([name, value]) => [name, [value]])),
  };
}
