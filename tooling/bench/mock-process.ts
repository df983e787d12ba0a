import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import * as z from 'zod';
import { requireBuild } from './measure.ts';

const ListeningSchema = z.object({ url: z.string() });

/** The built mock server in its own process. */
export interface MockProcess {
  /** Its address without a path. */
  readonly url: string;
  readonly pid: number | undefined;
  /** Returns its journal since the last call and clears it. */
  takeJournal(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts the built mock server with these arguments. Rejects if it does not start. */
export async function startServer(args: readonly string[]): Promise<MockProcess> {
  const bin = path.join(requireBuild(), 'mock-llm-server.js');
  const options = { stdin: 'ignore', stderr: 'ignore', reject: false } as const;
  const server = execa(process.execPath, [bin, ...args], options);
  for await (const line of createInterface({ input: server.stdout })) {
    const { url } = ListeningSchema.parse(JSON.parse(line));
    const journal = new URL('/__mock/journal', url);
    return {
      url,
      pid: server.pid,
      async takeJournal() {
        const entries: unknown = await (await fetch(journal)).json();
        await fetch(journal, { method: 'DELETE' });
        return entries;
      },
      async stop() {
        server.kill('SIGTERM');
        await server;
      },
    };
  }
  throw new Error(`mock-llm-server ${args.join(' ')} did not start: ${(await server).shortMessage}`);
}

/** Starts the built mock server with these scenario files. Rejects if it does not start. */
export function startMockProcess(scenarios: readonly string[]): Promise<MockProcess> {
  return startServer(['--port', '0', '--no-watch', ...scenarios.flatMap((file) => ['--scenarios', file])]);
}

/** Starts the built mock server with one answer, to the prompt `say hello`; `directory` gets its scenario file. */
export function startHelloMock(directory: string): Promise<MockProcess> {
  const steps = [{ response: { content: 'Hello from the mock.' } }];
  const file = path.join(directory, 'answer.json');
  writeFileSync(file, JSON.stringify({ scenarios: [{ name: 'answer', trigger: 'say hello', steps }] }));
  return startMockProcess([file]);
}
