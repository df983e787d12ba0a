import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import { readMachine } from '../../../src/adapters/machine.ts';
import { createWiring } from '../../../src/app/wiring.ts';
import { readHostArguments } from '../../../src/cli/host/host-arguments.ts';
import { runHost } from '../../../src/cli/host/run-host.ts';
import { HOST_SCENARIOS } from '../../agents/host/scenarios.ts';
import { createFakeHost, type FakeHost } from '../../support/fake-host.ts';
import { joinPieces, keyFields, readTranscript, type Transcript } from '../../support/host-transcript.ts';
import { StreamJsonLineSchema } from '../../support/stream-json-schema.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

// Each file is a conversation of the Claude Agent SDK 0.3.329 with the built command, recorded while the checks of
// `npm run test:agents claude-agent-sdk` ran: all that the SDK has written, and the key fields of all that it has read.
const DIRECTORY = path.join(import.meta.dirname, 'fixtures/hosts');

type Line = FakeHost['lines'][number];

/** Starts a host's agent in this process, in a new directory, over a mock model. */
async function start(args: readonly string[], host: FakeHost, endpoint: string): Promise<number> {
  const home = temporaryDirectory();
  const workspace = temporaryDirectory();
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    ANTHROPIC_BASE_URL: endpoint,
    ANTHROPIC_API_KEY: 'sk-test',
  };
  const warn = async () => {};
  const startMockModel = () => Promise.reject(new Error('no embedded mock'));
  const resolvePath = (file: string) => path.resolve(workspace, file);
  const machine = { ...(await readMachine({ startMockModel, warn })), home, environment, resolvePath };
  return runHost(readHostArguments([...args, '--no-sandbox']), {
    wiring: createWiring(machine),
    machine,
    user: { write: host.write, warn, onStop: () => () => {}, readInput: async () => '' },
    openInput: host.openInput,
    version: '1.2.3',
  });
}

/** True for a line that a host may have waited for before it wrote the next one. */
function isAwaited({ type, block }: Line): boolean {
  return AWAITED.has(String(type)) || (type === 'assistant' && isCall(block));
}

const AWAITED = new Set(['result', 'control_request', 'control_response']);

function isCall(block: unknown): boolean {
  return typeof block === 'object' && block !== null && 'type' in block && block.type === 'tool_use';
}

/** Writes the lines of the host, each as soon as it has read what it had read then. Returns all that it has read. */
async function play({ args, lines }: Transcript, endpoint: string) {
  const host = createFakeHost();
  const ended = start(args, host, endpoint);
  const questions: string[] = [];
  for (const line of lines) {
    if ('out' in line) {
      if (!isAwaited(line.out)) continue;
      const read = await host.waitFor((printed) => isAwaited(keyFields(printed)));
      if (read['type'] === 'control_request') questions.push(String(read['request_id']));
    } else if ('end' in line) {
      host.end();
    } else {
      host.send(JSON.stringify(line.in).replace(/"agent_(\d+)"/, (_id, n) => JSON.stringify(questions[Number(n) - 1])));
    }
  }
  return { exitCode: await ended, printed: host.lines };
}

describe('the conversations of the Claude Agent SDK', () => {
  const files = readdirSync(DIRECTORY);

  it.for(files)('%s goes as it was recorded', async (file) => {
    await using server = await startMockLlm({ scenarios: HOST_SCENARIOS });
    const transcript = readTranscript(path.join(DIRECTORY, file));
    const { printed, exitCode } = await play(transcript, server.url);
    for (const line of printed) expect(StreamJsonLineSchema.safeParse(line)).toMatchObject({ success: true });
    const expected = transcript.lines.flatMap((line) => ('out' in line ? [line.out] : []));
    expect(joinPieces(printed.map(keyFields))).toEqual(expected);
    expect(exitCode).toBe(0);
  });
});
