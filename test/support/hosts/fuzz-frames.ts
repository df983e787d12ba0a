import fc from 'fast-check';
import { drive, type HostCommand } from '../../../src/hosts/drive.ts';
import { createStreamJson } from '../../../src/hosts/stream-json/stream-json.ts';
import { createLineWriter, type WriteLine } from '../../../src/hosts/write-lines.ts';
import { createYumeJson } from '../../../src/hosts/yume/yume-json.ts';
import { answers, createFakeAgent, type FakeRun } from '../fakes/fake-agent.ts';
import { mutatedJson } from '../random/mutated-json.ts';
import { createFakeHost } from './fake-host.ts';
import { LINE_PROBLEMS } from './host-lines.ts';

const STREAM_JSON = [
  { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'go' }] }, parent_tool_use_id: null },
  { type: 'control_request', request_id: 'r', request: { subtype: 'initialize', systemPrompt: [''], hooks: {} } },
  { type: 'control_request', request_id: 'r', request: { subtype: 'set_permission_mode', mode: 'plan' } },
  { type: 'control_request', request_id: 'r', request: { subtype: 'set_model', model: 'm' } },
  { type: 'control_request', request_id: 'r', request: { subtype: 'interrupt' } },
  { type: 'control_response', response: { subtype: 'success', request_id: 'q', response: { behavior: 'allow' } } },
].map((frame) => JSON.stringify(frame));

const YUME_JSON = [
  { type: 'user', content: 'go' },
  { type: 'interrupt' },
  { type: 'set_permission_mode', mode: 'plan' },
  { type: 'tool_approval', id: 'q', approved: true, input: { file_path: 'a' }, message: null },
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
  'approved',
  'input',
  '__proto__',
];

/** A line that a broken host may write: a truncated one, one with changed parts, or one that is not JSON. */
const anyLine = (valid: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    mutatedJson(valid, FIELDS),
    fc.tuple(fc.constantFrom(...valid), fc.nat(80)).map(([text, end]) => text.slice(0, end)),
    fc.string(),
    fc.json(),
    fc.nat(2_000).map((depth) => '['.repeat(depth)),
    fc.nat(2_000).map((depth) => `{"type":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`),
  );

const RUN: FakeRun = [
  { type: 'turn_start', turn: 1, model: { provider: 'mock', wire: 'openai-chat', model: 'm' } },
  ...answers('ok'),
];

type FormatName = 'stream-json' | 'yume-json';

/** The input of a host by format: valid lines to change, and a valid request with what its answer has. */
const HOSTS = {
  'stream-json': {
    valid: STREAM_JSON,
    prompt: { type: 'user', message: { role: 'user', content: 'the last prompt' } },
    request: { type: 'control_request', request_id: 'alive', request: { subtype: 'unheard_of' } },
    answer: '"request_id":"alive"',
  },
  'yume-json': {
    valid: YUME_JSON,
    prompt: { type: 'user', content: 'the last prompt' },
    request: { type: 'set_permission_mode', mode: 'alive' },
    answer: 'There is no permission mode \\"alive\\"',
  },
} as const;

/** Half of a character in JSON, which yume-json replaces. */
const HALF_CHARACTER = /\\ud[89a-f][0-9a-f]{2}/gi;

/** The outcome of the lines of a broken host. */
export interface FuzzReport {
  readonly lines: number;
  /** Lines that are neither a prompt nor an answer, and that ybs did not answer. */
  readonly silent: readonly string[];
  /** Answers that the decoder gave and the host did not read, and lines that do not fit their schema. */
  readonly problems: readonly string[];
  /** The valid request and the valid prompt after all lines were answered. */
  readonly alive: boolean;
}

/** Options of the test. */
interface FuzzOptions {
  readonly name: FormatName;
  readonly count: number;
  readonly seed: number;
  /** Breaks the decoder, for a control. */
  readonly damage?: (command: HostCommand) => HostCommand;
}

/** Writes `count` lines of a broken host, and then a valid request and a valid prompt. Every line ybs prints is checked. */
export async function fuzzFrames({
  name,
  count,
  seed,
  damage = (command) => command,
}: FuzzOptions): Promise<FuzzReport> {
  const { valid, prompt, request, answer } = HOSTS[name];
  const lines = fc.sample(anyLine(valid), { numRuns: count, seed }).map((line) => line.replaceAll(/[\r\n]/g, ' '));
  const host = createFakeHost();
  const stream = conversation(name, createLineWriter(host.write));
  const fake = createFakeAgent(Array.from({ length: count + 1 }, () => RUN));
  // Like a real run, one that is interrupted at once also begins with the message.
  const run: typeof fake.run = async function* (given, signal) {
    yield { type: 'user_message', text: 'go' };
    yield* fake.run(given, signal);
  };
  const agent = { ...fake, run, record: { ...fake.record, id: idOf(0) } };
  const silent: string[] = [];
  const replies: object[] = [];
  const format = {
    ...stream.format,
    async decode(frame: Parameters<typeof stream.format.decode>[0]) {
      const command = damage(await stream.format.decode(frame));
      if (command.type === 'reply') replies.push(...command.lines);
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
  host.send(request, prompt);
  host.end();
  await outcome;
  const read = new Set(host.lines.map((line) => JSON.stringify(line)));
  const unread = replies
    .map((line) => JSON.stringify(line))
    .filter((line) => !read.has(line.replaceAll(HALF_CHARACTER, '\ufffd')) && !read.has(line));
  const isAlive = host.lines.some((line) => JSON.stringify(line).includes(answer));
  return {
    lines: lines.length,
    silent,
    problems: [...unread.map((line) => `not read: ${line}`), ...LINE_PROBLEMS[name](host.lines)],
    alive: isAlive && fake.inputs.at(-1) === 'the last prompt',
  };
}

function conversation(name: FormatName, writeLine: WriteLine) {
  const now = () => 0;
  if (name === 'yume-json') return createYumeJson({ asksHost: true }, { writeLine, now });
  let ids = 0;
  const newId = () => {
    ids += 1;
    return idOf(ids);
  };
  const ports = { writeLine, newId, now, version: '1', warn: async () => true, wait: async () => {} };
  return createStreamJson({ partial: false, asksHost: true }, ports);
}

function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
