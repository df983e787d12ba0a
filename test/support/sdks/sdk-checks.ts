import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MockLlm, startMockLlm } from '../../../mock-llm-server/testing.ts';
import { withoutBackoff } from '../fakes/without-backoff.ts';
import { propertySettings, verdictSettings } from '../random/property.ts';
import { anyReply, decodeAlone, fetchOfReply } from '../wires/any-reply.ts';
import { type OptionalCheck, SDK_GAPS } from './sdk-gaps.ts';
import { AWKWARD, PERSON, SCENARIOS, TEXT, THOUGHT } from './sdk-scenarios.ts';
import { type SdkClient, type SdkUnderTest, STATUSES } from './sdk-under-test.ts';

const RESULT = 'Content: "漢字 🙂"\n\\';

interface Checked {
  readonly sdk: SdkUnderTest;
  /** A client of `sdk`, without retries. */
  readonly client: SdkClient;
  readonly server: MockLlm;
}

type SdkCheck = (checked: Checked) => Promise<void>;

/** Thrown when a check needs a feature that the SDK does not have. */
class UnsupportedBySdk extends Error {}

function needs<T>(check: OptionalCheck, value: T | undefined): T {
  if (value === undefined) throw new UnsupportedBySdk(check);
  return value;
}

/** The reason why a check does not apply to the SDK; `undefined` when it does. */
function reasonOf({ name }: SdkUnderTest, check: string): string | undefined {
  return SDK_GAPS.find(([sdk, gap]) => sdk === name && gap === check)?.[2];
}

async function failureOf(attempt: Promise<unknown>): Promise<unknown> {
  return attempt.then(
    (value) => expect.fail(`no error, but ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

/** The checks that every SDK must pass, by their names in the documentation. */
export const SDK_CHECKS: readonly (readonly [name: string, check: SdkCheck])[] = [
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
      expect((await client.stream('write it')).calls).toEqual(calls);
    },
  ],
  [
    'pieces of arguments',
    async ({ client }) => {
      const pieces: string[] = [];
      await client.stream('write it', { onArguments: (piece) => pieces.push(piece) });
      expect(JSON.parse(needs('pieces of arguments', pieces.length > 0 ? pieces.join('') : undefined))).toEqual(
        AWKWARD,
      );
    },
  ],
  [
    'reasoning',
    async ({ client }) => {
      const whole = await client.generate('think first');
      expect(needs('reasoning', whole.reasoning)).toBe(THOUGHT);
      expect(await client.stream('think first')).toMatchObject({ reasoning: THOUGHT, text: TEXT });
    },
  ],
  [
    'tool results',
    async ({ client, server }) => {
      expect(await client.play('read one', RESULT)).toBe(`Result: ${RESULT}`);
      expect(await client.play('read both', RESULT)).toBe(`Results: ${RESULT}${RESULT}`);
      const steps = server.requests.slice(-4).map(({ scenario, step }) => `${scenario} ${step}`);
      expect(steps).toEqual(['single 0', 'single 1', 'parallel 0', 'parallel 1']);
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
    'models',
    async ({ client }) => {
      expect(await needs('models', client.models)()).toEqual([expect.stringContaining('mock-model')]);
    },
  ],
  [
    'errors',
    async ({ sdk, client, server }) => {
      for (const status of STATUSES) {
        const before = server.requests.length;
        const [errorClass, fields = {}] = sdk.errors[status];
        for (const send of [client.generate, client.stream]) {
          const failure = await failureOf(send(`fail with ${status}.`));
          expect(failure).toBeInstanceOf(errorClass);
          expect(failure).toMatchObject(fields);
          // Only Anthropic itself has the status 529.
          const isOwn = sdk.protocol === 'anthropic-messages' && !sdk.name.includes('bedrock');
          const sent = status === 529 && !isOwn ? 503 : status;
          expect({ status: client.statusOf(failure), text: String(failure) }).toEqual({
            status: sent,
            text: expect.stringContaining(`On purpose: ${status}`),
          });
        }
        expect(server.requests.length - before).toBe(2);
      }
    },
  ],
  [
    'retry-after',
    async ({ client }) => {
      const secondsOf = needs('retry-after', client.retryAfterOf);
      expect(secondsOf(await failureOf(client.generate('be busy for long')))).toBe(3);
      expect(secondsOf(await failureOf(client.stream('be busy for long')))).toBe(3);
    },
  ],
  [
    'a retry',
    async ({ sdk, server }) => {
      const client = sdk.open(server.url, { maxRetries: 1 });
      const before = server.requests.length;
      const prompt = `${sdk.name}: be busy once`;
      const answers = await withoutBackoff(() =>
        Promise.all([client.generate(prompt), client.stream(`${prompt}, streamed`)]),
      ).catch((error: unknown) => {
        throw server.requests.length - before > 2 ? error : new UnsupportedBySdk('a retry', { cause: error });
      });
      expect(answers).toMatchObject([{ text: 'Now.' }, { text: 'Now.' }]);
      expect(server.requests.length - before).toBe(4);
    },
  ],
  [
    'the explanation of a request that no scenario matches',
    async ({ client, server }) => {
      const before = server.requests.length;
      const failure = await failureOf(client.generate('raed one'));
      expect(client.statusOf(failure)).toBe(400);
      expect(String(failure)).toMatch(/nearest trigger is \\?"read one/);
      expect(server.requests.length - before).toBe(1);
    },
  ],
  [
    'an abort in the middle of a stream',
    async ({ sdk, client }) => {
      const controller = new AbortController();
      const pieces: string[] = [];
      const onText = (piece: string) => {
        pieces.push(piece);
        controller.abort();
      };
      // The server stalls in the middle, so only the abort can end this.
      const failure = await failureOf(client.stream('never end', { onText, signal: controller.signal }));
      expect(failure).toEqual(sdk.aborted);
      expect(pieces.length).toBeGreaterThan(0);
      expect(pieces.length).toBeLessThan(50);
      expect(await client.generate('say hello')).toMatchObject({ text: TEXT });
    },
  ],
  [
    'JSON that matches a schema',
    async ({ client }) => {
      const generated = await client.object('make up a person', PERSON);
      expect(generated).toEqual({ name: expect.any(String), age: expect.any(Number) });
      expect(await client.object('who is it', PERSON)).toEqual({ name: 'Ada "漢字" 🙂', age: 36 });
    },
  ],
  [
    'an arbitrary answer in chunks of any size',
    async ({ sdk }) => {
      needs('an arbitrary answer in chunks of any size', sdk.hasNoFetch === true ? undefined : sdk);
      const sameAnswer = (change?: (chunk: Uint8Array) => Uint8Array) =>
        fc.asyncProperty(anyReply, fc.integer({ min: 1, max: 700 }), async (reply, size) => {
          const fetch = fetchOfReply(sdk.protocol, reply, size, change);
          const answer = await sdk.open('http://127.0.0.1:9', { maxRetries: 0, fetch }).stream('anything');
          // Some SDKs omit empty reasoning.
          const reasoning = reasonOf(sdk, 'reasoning') === undefined ? (answer.reasoning ?? '') : reply.reasoning;
          expect({ ...answer, reasoning }).toEqual({
            reasoning: reply.reasoning,
            text: reply.content,
            calls: reply.toolCalls.map(({ name, arguments: json }) => ({ name, input: JSON.parse(json) })),
            usage: { input: reply.usage.inputTokens, output: reply.usage.outputTokens },
          });
        });
      await fc.assert(sameAnswer(), propertySettings(8));
      // Control: a reader that breaks characters gets a different text.
      expect((await fc.check(sameAnswer(decodeAlone), verdictSettings(20))).failed).toBe(true);
    },
  ],
];

/**
 * Runs all checks on SDKs. Each check has a server of its own, because requests that a failed check leaves behind would
 * count in the next one.
 */
export function checkSdks(sdks: readonly SdkUnderTest[]): void {
  describe.each(sdks.map((sdk) => [sdk.name, sdk] as const))('%s', (_name, sdk) => {
    const rows = SDK_CHECKS.map(([name, check]) => ({ name, check, reason: reasonOf(sdk, name) }));
    const run = async (check: SdkCheck): Promise<readonly string[]> => {
      const server = await startMockLlm({ scenarios: SCENARIOS });
      try {
        await check({ sdk, client: sdk.open(server.url, { maxRetries: 0 }), server });
        return [...new Set(server.requests.map(({ protocol }) => protocol))];
      } finally {
        await server.close();
      }
    };

    it.each(rows.filter(({ reason }) => reason === undefined))('$name', async ({ check }) => {
      const protocols = await run(check);
      expect(protocols).toEqual(protocols.length === 0 ? [] : [sdk.protocol]);
    });

    it.each(rows.filter(({ reason }) => reason !== undefined))('does not support $name: $reason', async ({ check }) => {
      await expect(run(check)).rejects.toBeInstanceOf(UnsupportedBySdk);
    });
  });
}
