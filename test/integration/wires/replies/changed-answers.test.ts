import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../../src/agent/errors.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../../../src/agent/ports/language-model.ts';
import { withTextCalls } from '../../../../src/providers/text-calls/with-text-calls.ts';
import type { CreateModel } from '../../../../src/providers/wire-options.ts';
import { loadWire, WIRE_NAMES, WIRES, type Wire } from '../../../../src/providers/wires.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';
import { mutatedJson } from '../../../support/random/mutated-json.ts';
import { propertySettings, verdictSettings } from '../../../support/random/property.ts';
import { realServerAnswers } from '../../../support/recorded/real-servers.ts';
import { FRAMES } from '../../../support/replies/frames.ts';

/** An answer with its frames, each with the blank line or the line feed that ends it. */
interface Answer {
  readonly wire: Wire;
  readonly type: string;
  readonly frames: readonly string[];
}

const recorded = realServerAnswers()
  .filter(({ status, type }) => status === 200 && /event-stream|ndjson/.test(type))
  .map(({ wire, type, body }): Answer => {
    const end = type.includes('ndjson') ? /(?<=\n)/ : /(?<=\n\n)/;
    return { wire, type, frames: body.replaceAll('\r\n', '\n').split(end) };
  });

// No recorded server speaks Gemini's wire.
const made = WIRE_NAMES.flatMap((wire): readonly Answer[] => {
  const { type, text, call, end, reasons } = FRAMES[wire];
  const called = [...text('I look.'), ...call('read_file', { path: 'notes.txt' }), ...end(reasons.calls)];
  return [
    { wire, type, frames: [...text('Hello 漢🙂'), ...end(reasons.stop)] },
    { wire, type, frames: called },
  ];
});

const ANSWERS: readonly Answer[] = [...made, ...recorded];
const creators = new Map<Wire, CreateModel>(
  await Promise.all(WIRE_NAMES.map(async (wire) => [wire, await loadWire(wire)] as const)),
);

const request: ModelRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'hello' }],
  tools: [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' }, effect: 'read' }],
};

/** The content of an answer as it was read. */
interface Reading {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  readonly calls: readonly string[];
  readonly end: string;
  readonly thrown?: unknown;
}

type Wrap = (model: LanguageModel) => LanguageModel;

/** Reads an answer whose bytes come in these pieces. */
async function read({ wire, type }: Answer, pieces: readonly Uint8Array[], wrap: Wrap = (model) => model) {
  const create = creators.get(wire);
  if (create === undefined) throw new Error(`there is no wire ${wire}`);
  const plain = create({
    ...{ provider: 'server', label: 'The server', endpoint: 'http://server.test', wire: WIRES[wire].title },
    ...{ model: 'm', maxTokens: 100, timeoutMs: 60_000, clock: createManualClock() },
    fetch: async () => ({
      ...{ ok: true, status: 200, headers: { get: (name) => (name === 'content-type' ? type : null) } },
      body: (async function* () {
        yield* pieces;
      })(),
    }),
  });
  const events: ModelEvent[] = [];
  let thrown: unknown;
  try {
    for await (const event of wrap(withTextCalls(plain)).stream(request, new AbortController().signal)) {
      events.push(event);
    }
  } catch (error) {
    thrown = error;
  }
  const calls = new Map<number, string>();
  for (const event of events) {
    if (event.type !== 'tool_call_delta') continue;
    calls.set(event.index, `${calls.get(event.index) ?? ''}${event.name ?? ''}${event.arguments}`);
  }
  const textOf = (kind: ModelEvent['type']): string =>
    events.map((event) => (event.type === kind && 'text' in event ? event.text : '')).join('');
  return {
    ...{ events, thrown, calls: [...calls.values()] },
    text: `${textOf('text_delta')}\0${textOf('reasoning_delta')}`,
    end: events.flatMap((event) => (event.type === 'finish' ? [event.reason] : [])).join(' '),
  } satisfies Reading;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const whole = (answer: Answer, wrap?: Wrap) => read(answer, [bytesOf(answer.frames.join(''))], wrap);

/** What no answer of a server may lead to, whatever its bytes are. */
function faultsOf({ events, thrown, end }: Reading): readonly string[] {
  const last = events.at(-1)?.type === 'finish';
  const message = thrown instanceof ModelError ? thrown.message : '';
  return [
    ...(thrown !== undefined && !(thrown instanceof ModelError) ? [`another error: ${thrown}`] : []),
    ...(end.includes(' ') ? ['several ends'] : []),
    ...(end !== '' && !last ? ['an event behind the end'] : []),
    ...((end === '') === (thrown === undefined) ? ['neither one end nor one error'] : []),
    ...(thrown !== undefined && !/server|\bm\b/.test(message) ? [`an error without the server: ${message}`] : []),
    ...(/undefined|\[object/.test(message.replaceAll(/received undefined/g, '')) ? [`a bad message: ${message}`] : []),
  ];
}

const anyAnswer = fc.constantFrom(...ANSWERS);

/** The bytes of a text in pieces of random sizes. */
const pieced = (text: string, sizes: readonly number[]): readonly Uint8Array[] => {
  const bytes = bytesOf(text);
  const pieces: Uint8Array[] = [];
  for (let start = 0, count = 0; start < bytes.length; count += 1) {
    const size = sizes[count % sizes.length] ?? 1;
    pieces.push(bytes.subarray(start, start + size));
    start += size;
  }
  return pieces;
};

/** Additions between and in frames that say nothing. */
const NOISE = [
  ': ping\n\n',
  ':\n\n',
  'data:\n\n',
  'event: ping\n\n',
  'event: keepalive\ndata: {}\n\n',
  'retry: 100\n\n',
];
const noisy = fc
  .record({
    answer: anyAnswer,
    sizes: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 }),
    noise: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...NOISE)), { maxLength: 4 }),
    adds: fc.boolean(),
    lines: fc.boolean(),
  })
  .map(({ answer, sizes, noise, adds, lines }) => {
    const isLines = answer.type.includes('ndjson');
    const frames = [...answer.frames].map((frame) =>
      adds ? frame.replace(/^((?:data: )?\{)(?=")/m, '$1"x_unknown":{"a":[null,1]},') : frame,
    );
    if (!isLines) for (const [place, text] of noise) frames.splice(place % frames.length, 0, text);
    const text = frames.join('');
    return { answer, pieces: pieced(lines && !isLines ? text.replaceAll('\n', '\r\n') : text, sizes) };
  });

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Frames of which one has changed values, is missing, comes twice or comes earlier. */
const FIELDS = ['id', 'type', 'index', 'delta', 'content', 'tool_calls', 'error', 'usage', 'finish_reason', 'output'];
const broken = anyAnswer.chain((answer) => {
  const places = answer.frames.flatMap((frame, place) => (/^(?:event: .*\n)?(?:data: )?\{/.test(frame) ? [place] : []));
  const place = fc.constantFrom(...(places.length > 0 ? places : [0]));
  const at = (change: (frames: string[], index: number) => void) =>
    place.map((index) => {
      const frames = [...answer.frames];
      change(frames, index);
      return { answer, pieces: [bytesOf(frames.join(''))] };
    });
  const values = place.chain((index) => {
    const frame = answer.frames[index] ?? '';
    const start = frame.indexOf('{');
    const json = frame.slice(start).trimEnd();
    const changed = isJson(json) ? mutatedJson([json], FIELDS) : fc.constant(json);
    return changed.map((text) => {
      const frames = [...answer.frames];
      frames[index] = frame.slice(0, Math.max(0, start)) + text + (answer.type.includes('ndjson') ? '\n' : '\n\n');
      return { answer, pieces: [bytesOf(frames.join(''))] };
    });
  });
  return fc.oneof(
    { arbitrary: values, weight: 6 },
    at((frames, index) => frames.splice(index, 1)),
    at((frames, index) => frames.splice(index, 0, frames[index] ?? '')),
    at((frames, index) => frames.splice(Math.max(0, index - 1), 0, ...frames.splice(index, 1))),
  );
});

const cut = anyAnswer.chain((answer) => {
  const bytes = bytesOf(answer.frames.join(''));
  return fc.integer({ min: 0, max: bytes.length }).map((length) => ({ answer, pieces: [bytes.subarray(0, length)] }));
});

/** The faults that a check of all changed answers finds, with a model that has a fault of its own. */
const checks = {
  noise: (wrap?: Wrap) =>
    fc.asyncProperty(noisy, async ({ answer, pieces }) => {
      const [plain, other] = [await whole(answer), await read(answer, pieces, wrap)];
      expect({ ...shown(other), faults: faultsOf(other) }).toEqual({ ...shown(plain), faults: [] });
    }),
  values: (wrap?: Wrap) =>
    fc.asyncProperty(broken, async ({ answer, pieces }) => {
      const reading = await read(answer, pieces, wrap);
      expect(faultsOf(reading)).toEqual([]);
    }),
  cuts: (wrap?: Wrap) =>
    fc.asyncProperty(cut, async ({ answer, pieces }) => {
      const [plain, reading] = [await whole(answer), await read(answer, pieces, wrap)];
      expect(faultsOf(reading)).toEqual([]);
      // An answer that ends is all of it: nothing of a cut one is taken for the whole.
      if (reading.end !== '') expect({ ...shown(reading) }).toEqual({ ...shown(plain) });
    }),
};

function shown({ text, calls, end, thrown }: Reading) {
  return { text, calls, end, error: thrown instanceof ModelError ? thrown.code : undefined };
}

const each = (change: (event: ModelEvent, stream: readonly ModelEvent[]) => readonly ModelEvent[]): Wrap => {
  return (model) => ({
    ...model,
    async *stream(asked, signal) {
      const before: ModelEvent[] = [];
      for await (const event of model.stream(asked, signal)) {
        yield* change(event, before);
        before.push(event);
      }
    },
  });
};

/** Faults that the checks must find. */
const CONTROLS: readonly (readonly [name: string, check: keyof typeof checks, wrap: Wrap])[] = [
  ['a second end', 'values', each((event) => (event.type === 'finish' ? [event, event] : [event]))],
  ['a lost end', 'cuts', each((event) => (event.type === 'finish' ? [] : [event]))],
  ['a lost piece', 'noise', each((event, before) => (before.length === 2 ? [] : [event]))],
  [
    'a call that runs twice',
    'noise',
    each((event) => (event.type === 'tool_call_delta' ? [event, { ...event, index: event.index + 9 }] : [event])),
  ],
  [
    'an error of the program',
    'values',
    each((event) => {
      if (event.type === 'usage') throw new TypeError('x is undefined');
      return [event];
    }),
  ],
];

describe('an answer of a server whose bytes are changed', () => {
  it.each(['noise', 'values', 'cuts'] as const)('is read without a fault: %s', async (name) => {
    await fc.assert(checks[name](), propertySettings(400));
  });

  it.each(CONTROLS)('would show %s', async (_name, check, wrap) => {
    const { failed } = await fc.check(checks[check](wrap), verdictSettings(400));
    expect(failed).toBe(true);
  });
});
