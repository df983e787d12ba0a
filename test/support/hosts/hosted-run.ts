import path from 'node:path';
import { createWiring } from '../../../src/app/wiring.ts';
import { isStartCommandLine, readHostArguments, readStartArguments } from '../../../src/cli/host/host-arguments.ts';
import { runHost } from '../../../src/cli/host/run-host.ts';
import { readMachine } from '../../../src/node/machine.ts';
import { temporaryDirectory } from '../processes/temporary-directory.ts';
import type { FakeHost } from './fake-host.ts';

/**
 * Starts the agent of a host in this process, without a sandbox, in a new home directory and workspace unless they are
 * given. Resolves to its exit code.
 */
export async function startHosted(
  args: readonly string[],
  host: Pick<FakeHost, 'openInput' | 'write'>,
  environment: Readonly<Record<string, string>>,
  home: string = temporaryDirectory(),
  workspace: string = temporaryDirectory(),
): Promise<number> {
  const warn = async () => {};
  const machine = {
    ...(await readMachine({ startMockModel: () => Promise.reject(new Error('no embedded mock')), warn })),
    home,
    environment: { PATH: process.env['PATH'], HOME: home, ...environment },
    resolvePath: (file: string) => path.resolve(workspace, file),
  };
  const read = isStartCommandLine(args) ? readStartArguments : readHostArguments;
  return runHost(read([...args, '--no-sandbox']), {
    wiring: createWiring(machine),
    machine,
    user: { write: host.write, warn, onStop: () => () => {}, readInput: async () => '' },
    openInput: host.openInput,
    version: '1.2.3',
    keepMemorySmall: async () => {},
  });
}
