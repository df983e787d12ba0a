import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../mock-llm-server/scenario/format/faults/fault-format.ts';
import { withoutBackoff } from '../../support/fakes/without-backoff.ts';
import { ANTHROPIC_SDKS } from '../../support/sdks/anthropic.ts';
import { GOOGLE_GENAI_SDKS } from '../../support/sdks/google-genai.ts';
import { OLLAMA_SDKS } from '../../support/sdks/ollama.ts';
import { OPENAI_SDKS } from '../../support/sdks/openai.ts';
import type { SdkUnderTest } from '../../support/sdks/sdk-under-test.ts';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const content = 'One two three four five six.';
const error = { status: 429, message: 'Too many tokens.', code: 'rate_limit_exceeded' } as const;

/** The fault of each scenario, by the trigger of the scenario. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'fail in the middle': { ...error, at: { pieces: 2 } },
  'fail at once': { status: 400, message: 'Too long.', code: 'context_length_exceeded', at: { pieces: 0 } },
  'fail with a type': { status: 529, message: 'Busy.', type: 'overloaded_error', at: 'before_finish' },
  'too long': { status: 400, message: 'Too long.', code: 'context_length_exceeded', type: 'invalid_request_error' },
  'hang up before the headers': { reset: true, at: 'before_headers' },
  'hang up once': { reset: true, at: 'before_headers', times: 1 },
  'hang up at the start': { reset: true, at: { pieces: 0 } },
  'hang up in a word': { reset: true, at: { characters: 5 } },
  'hang up after the text': { reset: true, at: 'before_finish' },
  'hang up before the end': { reset: true, at: 'after_finish' },
};

const served = serveScenarios(
  Object.entries(FAULTS).map(([name, fault]) => ({
    name,
    trigger: { regex: `^${name}$` },
    steps: [{ response: { content }, fault }],
  })),
);

// Not over a WebSocket, where an error is an event of a connection that stays open: openai-responses-socket.test.ts.
const SDKS = [...OPENAI_SDKS, ...ANTHROPIC_SDKS, ...GOOGLE_GENAI_SDKS, ...OLLAMA_SDKS]
  .filter(({ name }) => !name.includes('WebSocket'))
  .map((sdk) => [sdk.name, sdk] as const);

const clientOf = (sdk: SdkUnderTest, maxRetries = 0) => sdk.open(served.url, { maxRetries });

/** The texts of a stream until its end or its failure. */
async function read(sdk: SdkUnderTest, prompt: string): Promise<{ readonly text: string; readonly error: unknown }> {
  let text = '';
  const onText = (piece: string) => {
    text += piece;
  };
  const reading = clientOf(sdk).stream(prompt, { onText });
  return reading.then(
    () => ({ text, error: undefined }),
    (failure: unknown) => ({ text, error: failure }),
  );
}

const isReset = (error: unknown) =>
  error instanceof Error && (error.message === 'terminated' || error.message === 'aborted');

describe.each(SDKS)('%s', (name, sdk) => {
  it.each<readonly [string, string, string]>([
    ['fail in the middle', 'One two', 'Too many tokens.'],
    ['fail at once', '', 'Too long.'],
    ['fail with a type', content, 'Busy.'],
  ])('throws the error event of a stream after the preceding texts: %s', async (prompt, text, message) => {
    const result = await read(sdk, prompt);
    expect(result).toMatchObject({ text, error: { message: expect.stringContaining(message) } });
  });

  it.each<readonly [string, string]>([
    ['hang up at the start', ''],
    ['hang up in a word', 'One t'],
    ['hang up after the text', content],
  ])('receives the text before a reset: %s', async (prompt, text) => {
    const result = await read(sdk, prompt);
    expect(result).toMatchObject({ text, error: expect.toSatisfy(isReset) });
  });

  it('receives the whole text before a reset at the end, which only a client that reads beyond the last event notices', async () => {
    const { text, error: failure } = await read(sdk, 'hang up before the end');
    expect([text, isReset(failure)]).toEqual([content, name !== 'ollama']);
  });

  it('receives no response when the connection is reset before the headers', async () => {
    const failed = await read(sdk, 'hang up before the headers');
    expect(failed).toMatchObject({ text: '', error: expect.any(Error) });
    await expect(clientOf(sdk).generate('hang up before the headers')).rejects.toThrow(/fetch failed|Connection error/);
    expect(served.lines()).toHaveLength(2);
  });
});

describe('an error with a code and a type', () => {
  it.each(SDKS.slice(0, 2))('reaches the fields of %s, with a status and in a stream', async (_name, sdk) => {
    const fields = { code: 'context_length_exceeded', type: 'invalid_request_error' };
    await expect(clientOf(sdk).generate('too long')).rejects.toMatchObject({ status: 400, ...fields });
    expect((await read(sdk, 'fail at once')).error).toMatchObject({ status: undefined, ...fields });
  });

  it.each(ANTHROPIC_SDKS)('reaches the type of $name, with a status and in a stream', async (sdk) => {
    const type = 'invalid_request_error';
    await expect(clientOf(sdk).generate('too long')).rejects.toMatchObject({ status: 400, type });
    const { error: failure } = await read(sdk, 'fail with a type');
    expect(failure).toMatchObject({ status: undefined, type: 'overloaded_error' });
  });

  it.each(GOOGLE_GENAI_SDKS)('reaches the status of $name', async (sdk) => {
    expect((await read(sdk, 'fail in the middle')).error).toMatchObject({ name: 'ApiError', status: 429 });
  });

  it.each(OLLAMA_SDKS)('reaches the status and the message of $name', async (sdk) => {
    await expect(clientOf(sdk).generate('too long')).rejects.toMatchObject({ status_code: 400, message: 'Too long.' });
  });
});

it.each(SDKS.slice(0, 3))(
  'the client %s repeats a request whose connection was reset before the headers',
  async (name, sdk) => {
    expect(await withoutBackoff(() => clientOf(sdk, 1).generate('hang up once'))).toMatchObject({ text: content });
    expect([name, served.answers().at(-1)]).toEqual([name, '200 hang up once step 0']);
  },
);
