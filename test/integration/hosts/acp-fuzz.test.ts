import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createWiring } from '../../../src/app/wiring.ts';
import { messageStream } from '../../../src/hosts/acp/message-stream.ts';
import { serveAcp } from '../../../src/hosts/acp/serve.ts';
import { readMachine } from '../../../src/node/machine.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { LONG, propertySettings } from '../../support/random/property.ts';

const Response = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string().min(1) }).optional(),
});

/** Sends lines to a server until each has an answer. */
async function talk(lines: readonly string[]): Promise<readonly z.infer<typeof Response>[]> {
  const machine = {
    ...(await readMachine({ startMockModel: () => Promise.reject(new Error('no mock')), warn: async () => {} })),
    home: temporaryDirectory(),
  };
  const answers: z.infer<typeof Response>[] = [];
  const stop = new AbortController();
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const write = async (text: string): Promise<boolean> => {
    const answer = Response.parse(JSON.parse(text));
    answers.push(answer);
    if (answers.length === lines.length) stop.abort();
    return true;
  };
  const options = { provider: 'mock', dryRun: false };
  const ports = { wiring: createWiring(machine), machine, options, version: '1', afterTurn: async () => {} };
  const serving = serveAcp(
    messageStream(input.readable, write, () => stop.abort()),
    ports,
    stop.signal,
  );
  const writer = input.writable.getWriter();
  for (const line of lines) await writer.write(new TextEncoder().encode(`${line}\n`));
  await serving;
  return answers;
}

const request = (id: string | number, method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const INITIALIZE = { protocolVersion: 1, clientCapabilities: {} };

const METHODS = [
  'session/new',
  'session/load',
  'session/resume',
  'session/close',
  'session/prompt',
  'session/set_mode',
];
const junk = fc.jsonValue({ maxDepth: 3 });
/** Parameters of a request, of which none opens a session. */
const params = fc.oneof(
  junk,
  fc.record(
    {
      sessionId: fc.oneof(fc.constant('no-such-session'), junk),
      cwd: fc.oneof(fc.constant('relative'), fc.constant('/no/such/directory'), junk),
      mcpServers: fc.oneof(fc.constant([]), junk),
      prompt: fc.oneof(fc.constant([{ type: 'text', text: 'x' }]), fc.constant([{ type: 'text' }]), junk),
      modeId: fc.oneof(fc.constant('ask'), junk),
    },
    { requiredKeys: [] },
  ),
);
/** Frames that cannot be answered with a result. */
const frame = fc.oneof(
  fc.tuple(fc.constantFrom(...METHODS), params).map(([method, given]) => request('known', method, given)),
  fc.tuple(fc.string(), params).map(([method, given]) => request('unknown', `x/${method}`, given)),
  fc.constantFrom(
    '{',
    '{"jsonrpc":"2.0",',
    'nonsense',
    '\u0000',
    '{"id":"a"}}',
    '[]',
    '[1]',
    '7',
    'null',
    '"text"',
    '{}',
  ),
  fc.tuple(params, fc.nat(40)).map(([given, cut]) => request('cut', 'session/prompt', given).slice(0, 30 + cut - 40)),
);

it('a server answers each of many malformed frames with an error, and continues', async () => {
  const frames = fc
    .sample(frame, { ...propertySettings(), numRuns: LONG ? 10_000 : 400 })
    .filter((line) => line.trim() !== '');
  const answers = await talk([
    request('early', 'session/new', { cwd: '/', mcpServers: [] }),
    request('first', 'initialize', INITIALIZE),
    ...frames,
    request('last', 'initialize', INITIALIZE),
  ]);
  // Every frame was answered, or `talk` would not have returned.
  const answered = answers.filter(({ error }) => error === undefined).map(({ id }) => id);
  // The control: a well-formed frame is answered with a result.
  expect(answered).toEqual(['first', 'last']);
});
