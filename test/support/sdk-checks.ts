import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Protocol } from '../../mock-llm-server/conversation.ts';
import { type MockLlm, type MockScenario, startMockLlm } from '../../mock-llm-server/testing.ts';

/** One answer of the model as an SDK hands it to its user. */
export interface SdkAnswer {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly usage: { readonly input: number | undefined; readonly output: number | undefined };
}

/** What happens while an answer is streamed. */
export interface SdkStream {
  readonly onText?: (piece: string) => void;
  readonly onArguments?: (piece: string) => void;
  readonly signal?: AbortSignal;
}

/** An SDK pointed at the mock server over one protocol, with retries switched off. */
export interface SdkClient {
  /** Asks once and offers `read_file {path}` and `write_file {path, content}`. */
  generate(prompt: string): Promise<SdkAnswer>;
  /** The same, streamed. Rejects or resolves when it is aborted. */
  stream(prompt: string, on?: SdkStream): Promise<SdkAnswer>;
  /** Goes on until the model calls no more tools; every call gets `result`. Returns the last text. */
  play(prompt: string, result: string): Promise<string>;
  /** Asks for JSON of a schema, without tools. */
  object(prompt: string, schema: object): Promise<unknown>;
  /** The status in an error of the class that the SDK has for it; undefined for any other error. */
  statusOf(error: unknown): number | undefined;
}

/** An SDK over one protocol. `open` gets the address of the server, without a path. */
export interface SdkUnderTest {
  readonly name: string;
  readonly protocol: Protocol;
  open(url: string): SdkClient;
}

const TEXT = 'Hello – 漢字 🙂, "quoted", \\ and\na new line.';
const AWKWARD = { path: 'a "b"/ü.txt', content: '漢字 🙂 👩‍👩‍👧 \\ "\n</tag> {{"}' };
const RESULT = 'It holds: "漢字 🙂"\n\\';
const STATUSES = [400, 401, 403, 404, 429, 500, 503, 529] as const;
const PERSON = {
  title: 'person',
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name', 'age'],
  additionalProperties: false,
};

const SCENARIOS: readonly MockScenario[] = [
  { name: 'text', trigger: 'say hello', steps: [{ response: { content: TEXT } }] },
  {
    name: 'single',
    trigger: 'read one',
    steps: [
      { response: { tool_calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] } },
      { response: { content: 'Result: {{tool_result 1}}' } },
    ],
  },
  {
    name: 'parallel',
    trigger: 'read both',
    steps: [
      {
        response: {
          content: 'Both.',
          tool_calls: [
            { name: 'read_file', arguments: { path: 'a.txt' } },
            { name: 'read_file', arguments: { path: 'b.txt' } },
          ],
        },
      },
      { response: { content: 'Results: {{tool_result 1}}{{tool_result 2}}' } },
    ],
  },
  {
    name: 'awkward',
    trigger: 'write it',
    // The text as it is sent: braces would be a template in the short form.
    steps: [
      {
        response: {
          tool_calls: [
            { function: { name: 'write_file', arguments: JSON.stringify(AWKWARD).replaceAll('{{', '{{{{') } },
          ],
        },
      },
    ],
  },
  {
    name: 'endless',
    trigger: 'never end',
    steps: [{ response: { content: 'word '.repeat(50) }, fault: { stall: 'forever' } }],
  },
  {
    name: 'scripted-person',
    trigger: 'who is it',
    steps: [{ response: { content: '{"name":"Ada \\"漢字\\" 🙂","age":36}' } }],
  },
  ...STATUSES.map((status) => ({
    name: `status-${status}`,
    trigger: `fail with ${status}`,
    steps: [{ response: { content: 'Never said.' }, fault: { status } }],
  })),
];

interface Checked {
  readonly client: SdkClient;
  readonly server: MockLlm;
}

async function failureOf(attempt: Promise<unknown>): Promise<unknown> {
  return attempt.then(
    (value) => expect.fail(`no error, but ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

/** What every SDK must get out of the server, by what it is called in the documents. */
export const SDK_CHECKS: readonly (readonly [name: string, check: (checked: Checked) => Promise<void>])[] = [
  [
    'text',
    async ({ client }) => {
      expect(await client.generate('say hello')).toMatchObject({ text: TEXT, calls: [] });
    },
  ],
  [
    'streamed text',
    async ({ client }) => {
      const pieces: string[] = [];
      const { text } = await client.stream('say hello', { onText: (piece) => pieces.push(piece) });
      expect(text).toBe(TEXT);
      expect(pieces.join('')).toBe(TEXT);
      expect(pieces.length).toBeGreaterThan(3);
    },
  ],
  [
    'a tool call',
    async ({ client }) => {
      const calls = [{ name: 'read_file', input: { path: 'a.txt' } }];
      expect(await client.generate('read one')).toMatchObject({ text: '', calls });
      expect(await client.stream('read one')).toMatchObject({ text: '', calls });
    },
  ],
  [
    'parallel tool calls',
    async ({ client }) => {
      const calls = [
        { name: 'read_file', input: { path: 'a.txt' } },
        { name: 'read_file', input: { path: 'b.txt' } },
      ];
      expect(await client.generate('read both')).toMatchObject({ text: 'Both.', calls });
      expect(await client.stream('read both')).toMatchObject({ text: 'Both.', calls });
    },
  ],
  [
    'arguments with quotes, CJK and emoji',
    async ({ client }) => {
      const calls = [{ name: 'write_file', input: AWKWARD }];
      expect((await client.generate('write it')).calls).toEqual(calls);
      const pieces: string[] = [];
      const { calls: streamed } = await client.stream('write it', { onArguments: (piece) => pieces.push(piece) });
      expect(streamed).toEqual(calls);
      expect(JSON.parse(pieces.join(''))).toEqual(AWKWARD);
    },
  ],
  [
    'tool results',
    async ({ client, server }) => {
      expect(await client.play('read one', RESULT)).toBe(`Result: ${RESULT}`);
      expect(await client.play('read both', RESULT)).toBe(`Results: ${RESULT}${RESULT}`);
      const places = server.requests.slice(-4).map(({ scenario, step }) => `${scenario} ${step}`);
      expect(places).toEqual(['single 0', 'single 1', 'parallel 0', 'parallel 1']);
    },
  ],
  [
    'usage',
    async ({ client }) => {
      const { usage } = await client.generate('say hello');
      expect(usage).toEqual({ input: expect.any(Number), output: expect.any(Number) });
      expect(usage.input).toBeGreaterThan(usage.output ?? Infinity);
      expect(usage.output).toBeGreaterThan(5);
      expect((await client.stream('say hello')).usage.output).toBe(usage.output);
    },
  ],
  [
    'errors',
    async ({ client, server }) => {
      for (const status of STATUSES) {
        const before = server.requests.length;
        expect(client.statusOf(await failureOf(client.generate(`fail with ${status}`)))).toBe(status);
        expect(client.statusOf(await failureOf(client.stream(`fail with ${status}`)))).toBe(status);
        expect(server.requests.length - before).toBe(2);
      }
    },
  ],
  [
    'a miss that explains itself',
    async ({ client, server }) => {
      const before = server.requests.length;
      const failure = await failureOf(client.generate('raed one'));
      expect(client.statusOf(failure)).toBe(400);
      expect(String(failure)).toMatch(/nearest trigger is \\?"read one/);
      expect(server.requests.length - before).toBe(1);
    },
  ],
  [
    'abort in the middle of a stream',
    async ({ client }) => {
      const controller = new AbortController();
      const pieces: string[] = [];
      const onText = (piece: string) => {
        pieces.push(piece);
        controller.abort();
      };
      // The server says nothing after the middle, so nothing but the abort can end this.
      const ended = client.stream('never end', { onText, signal: controller.signal });
      await ended.catch(() => {});
      expect(pieces.length).toBeGreaterThan(0);
      expect(pieces.length).toBeLessThan(50);
      expect(await client.generate('say hello')).toMatchObject({ text: TEXT });
    },
  ],
  [
    'JSON of a schema',
    async ({ client }) => {
      const made = await client.object('make up a person', PERSON);
      expect(made).toEqual({ name: expect.any(String), age: expect.any(Number) });
      expect(await client.object('who is it', PERSON)).toEqual({ name: 'Ada "漢字" 🙂', age: 36 });
    },
  ],
];

/** Runs all checks on some SDKs, in one server on a port of its own. */
export function checkSdks(sdks: readonly SdkUnderTest[]): void {
  let server: MockLlm;
  beforeAll(async () => {
    server = await startMockLlm({ scenarios: SCENARIOS });
  });
  afterAll(() => server.close());

  describe.each(sdks.map((sdk) => [sdk.name, sdk] as const))('%s', (_name, sdk) => {
    it.each(SDK_CHECKS)('%s', async (_check, check) => {
      const before = server.requests.length;
      await check({ client: sdk.open(server.url), server });
      const protocols = new Set(server.requests.slice(before).map(({ protocol }) => protocol));
      expect([...protocols]).toEqual([sdk.protocol]);
    });
  });
}
