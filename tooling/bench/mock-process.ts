import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import * as z from 'zod';

const bin = path.join(import.meta.dirname, '../../dist/mock-llm-server.js');
const ListeningSchema = z.object({ event: z.literal('listening'), url: z.string() });

/** The built mock server in its own process. */
export interface MockProcess {
  /** Its address without a path. */
  readonly url: string;
  /** Returns its journal since the last call and clears it. */
  takeJournal(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts the built mock server with these scenario files. Rejects if it does not start. */
export async function startMockProcess(scenarios: readonly string[]): Promise<MockProcess> {
  if (!existsSync(bin)) throw new Error('dist/ is missing. Build it first: npm run build');
  const args = [bin, '--port', '0', '--no-watch', ...scenarios.flatMap((file) => ['--scenarios', file])];
  const server = execa(process.execPath, args, { stdin: 'ignore', stderr: 'ignore', reject: false });
  for await (const line of createInterface({ input: server.stdout })) {
    const { url } = ListeningSchema.parse(JSON.parse(line));
    const journal = new URL('/__mock/journal', url);
    return {
      url,
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
  throw new Error(`the mock server did not start: ${(await server).shortMessage}`);
}
