import fc from 'fast-check';
import { drive } from '../../src/headless/drive.ts';
import { createStreamJson } from '../../src/headless/stream-json/stream-json.ts';
import { createLineWriter } from '../../src/headless/write-lines.ts';
import { answers, createFakeAgent } from './fake-agent.ts';
import { createFakeHost } from './fake-host.ts';
import { mutatedJson } from './mutated-json.ts';
import { StreamJsonLineSchema } from './stream-json-schema.ts';

const VALID = [
  { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'go' }] }, parent_tool_use_id: null },
  { type: 'control_request', request_id: 'r', request: { subtype: 'initialize', systemPrompt: [''], hooks: {} } },
  { type: 'control_request', request_id: 'r', request: { subtype: 'set_permission_mode', mode: 'plan' } },
  { type: 'control_request', request_id: 'r', request: { subtype: 'set_model', model: 'm' } },
  { type: 'control_request', request_id: 'r', request: { subtype: 'interrupt' } },
  { type: 'control_response', response: { subtype: 'success', request_id: 'q', response: { behavior: 'allow' } } },
].map((frame) => JSON.stringify(frame));

const FIELDS = [
  'type',
  'request_id',
  'request',
  'subtype',
  'message',
  'content',
  'mode',
  'response',
  'hooks',
  '__proto__',
];

/** A line that a broken host may write: a cut one, one with changed parts, or none of JSON at all. */
const anyLine: fc.Arbitrary<string> = fc.oneof(
  mutatedJson(VALID, FIELDS),
  fc.tuple(fc.constantFrom(...VALID), fc.nat(80)).map(([text, end]) => text.slice(0, end)),
  fc.string(),
  fc.json(),
  fc.nat(2_000).map((depth) => '['.repeat(depth)),
  fc.nat(2_000).map((depth) => `{"type":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`),
);

/** The outcome of the lines of a broken host. */
export interface FuzzReport {
  readonly lines: number;
  /** Lines that are no prompt and no answer, and got no answer of ybs. */
  readonly silent: readonly string[];
  /** The valid request and the valid prompt after all the lines were served. */
  readonly alive: boolean;
}

/** Writes `count` lines of a broken host, and then a valid request and a valid prompt. Every line ybs prints is checked. */
export async function fuzzFrames(count: number, seed: number): Promise<FuzzReport> {
  const lines = fc.sample(anyLine, { numRuns: count, seed }).map((line) => line.replaceAll(/[\r\n]/g, ' '));
  const host = createFakeHost();
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
  };
  const stream = createStreamJson(
    { partial: false, asksHost: true },
    {
      writeLine: createLineWriter(host.write),
      newId,
      now: () => 0,
      version: '1',
      warn: async () => true,
      wait: async () => {},
    },
  );
  const agent = createFakeAgent(Array.from({ length: count + 1 }, () => answers('ok')));
  const silent: string[] = [];
  const format = {
    ...stream.format,
    decode(frame: Parameters<typeof stream.format.decode>[0]) {
      const command = stream.format.decode(frame);
      const answered = command.type !== 'ignored' && !(command.type === 'reply' && command.lines.length === 0);
      const isQuiet =
        frame.type === 'frame' && ['keep_alive', 'control_cancel_request'].includes(String(frame.value['type']));
      if (!answered && !isQuiet) silent.push(JSON.stringify(frame));
      return command;
    },
  };
  const outcome = drive(format, {
    writeLine: stream.writeLine,
    requests: stream.requests,
    prompts: [],
    openInput: host.openInput,
    openSession: async () => ({ agent, close: async () => {} }),
    setModel: async () => {},
    onStop: () => () => {},
  });
  host.send(...lines);
  host.send(
    { type: 'control_request', request_id: 'alive', request: { subtype: 'mcp_status' } },
    { type: 'user', message: { role: 'user', content: 'the last prompt' } },
  );
  host.end();
  await outcome;
  for (const line of host.lines) {
    if (JSON.stringify(line).includes('"session_id":"id"')) continue;
    StreamJsonLineSchema.parse(line);
  }
  const isAlive = host.lines.some((line) => JSON.stringify(line).includes('"request_id":"alive"'));
  return { lines: lines.length, silent, alive: isAlive && agent.inputs.at(-1) === 'the last prompt' };
}
