import { expect, it } from 'vitest';
import { classifyInStream } from '../../../../src/providers/http/classify-failure.ts';
import { isErrorValue, isPage, readServerError } from '../../../../src/providers/http/server-error.ts';

/** Bodies of errors, and the service that sends this shape. */
const shapes: readonly (readonly [service: string, body: object, message: string, status?: number])[] = [
  ['OpenAI', { error: { message: 'Oops.', type: 'x', code: null } }, 'Oops'],
  ['Ollama', { error: 'Oops.' }, 'Oops'],
  ['FastAPI', { detail: 'Oops.' }, 'Oops'],
  ['FastAPI, invalid', { detail: [{ loc: ['body', 'x'], msg: 'Oops.' }] }, 'body.x: Oops'],
  ['mistral.rs', { message: 'Oops.' }, 'Oops'],
  ['Gemini, as a list', [{ error: { code: 503, message: 'Oops.', status: 'UNAVAILABLE' } }], 'Oops', 503],
  ['Cloudflare', { success: false, errors: [{ code: 5006, message: 'Oops.' }] }, 'Oops'],
  ['MiniMax', { base_resp: { status_code: 1008, status_msg: 'Oops.' } }, 'Oops'],
  ['Fastify', { statusCode: 400, error: 'Bad Request', message: 'Oops.' }, 'Oops', 400],
  ['RFC 9457', { type: 'about:blank', title: 'Bad', status: 429, detail: 'Oops.' }, 'Oops', 429],
  ['Apigee', { fault: { faultstring: 'Oops.' } }, 'Oops'],
  ['OpenRouter', { error: { message: 'Provider returned error', code: 429, metadata: { raw: 'Oops.' } } }, 'Oops', 429],
  [
    'LiteLLM',
    { error: { message: 'litellm.Error: X - {"error":{"message":"Oops.","code":503}}\n\nmore' } },
    'Oops',
    503,
  ],
  ['one without words', { errors: [' '] }, '{"errors":[" "]}'],
  ['an unknown one', { error: { oops: 1 } }, '{"oops":1}'],
  ['an empty one', {}, ''],
];

it.each(shapes)('reads the error of %s', (_service, body, message, status) => {
  expect(readServerError(JSON.stringify(body))).toMatchObject({ message, status });
});

it.each([
  // LiteLLM 1.108.7, with the status 500
  [
    'data: {"error": {"message": "Error processing stream start", "type": "internal_server_error", "param": null, "code": "500"}}\n\ndata: [DONE]\n\n',
    'Error processing stream start',
  ],
  ['event: error\r\ndata: {"type":"error","error":{"message":"Overloaded"}}\r\n\r\n', 'Overloaded'],
  ['data: the slot died\n\n', 'data: the slot died'],
])('reads the error in a body that is a stream: %s', (body, message) => {
  expect(readServerError(body).message).toBe(message);
});

it.each([
  [{ error: 'Oops' }, true],
  [{ error: { message: 'Oops' }, choices: [] }, true],
  [{ object: 'error', message: 'Oops' }, true],
  [{ type: 'error', message: 'Oops' }, true],
  [{ detail: 'Oops' }, true],
  [{ error: '', choices: [] }, false],
  [{ error: {}, choices: [] }, false],
  [{ error: null }, false],
  [{ base_resp: { status_code: 0, status_msg: 'success' } }, false],
  [{ message: { content: 'a' }, done: false }, false],
  [{ type: 'ping' }, false],
  [{}, false],
])('tells whether %j is an error', (value, expected) => {
  expect(isErrorValue(value)).toBe(expected);
});

/** Words of services that no row of test/support/recorded/reported-errors.jsonl has, and the code that they stand for. */
const words: readonly (readonly [service: string, text: string, code: string])[] = [
  [
    'vLLM, older',
    "The decoder prompt (length 9000) is longer than the model's context length of 8192",
    'context_overflow',
  ],
  ['llama-cpp-python', 'Requested tokens (9000) exceed context window of 8192', 'context_overflow'],
  ['Vertex', 'the input token count is 40000 but the model only supports up to 32000', 'context_overflow'],
  [
    'Anthropic',
    "This request would exceed your organization's rate limit of 40,000 input tokens per minute",
    'rate_limit',
  ],
  ['LiteLLM', 'No connected db.', 'auth'],
];

it.each(words)('recognizes the words of %s: %s', (_service, text, code) => {
  expect(classifyInStream(readServerError(text))).toMatchObject({ code });
});

it.each([
  [413, 'context_overflow'],
  [408, 'network'],
  [403, 'auth'],
  [418, 'bad_request'],
  [503, 'overloaded'],
])('classifies the status %i within a stream as %s', (code, expected) => {
  expect(classifyInStream(readServerError(JSON.stringify({ error: { code, message: 'Oops.' } })))).toMatchObject({
    code: expected,
  });
});

it('recognizes that a server has loaded no model', () => {
  const text = 'No models loaded. Please load a model.';
  expect(classifyInStream(readServerError(text))).toMatchObject({ type: 'no_model' });
});

it('reads a text in JSON, and a blank one as no error', () => {
  expect(readServerError('"Oops."')).toMatchObject({ message: 'Oops' });
  expect(readServerError('" "')).toMatchObject({ message: '" "', kind: '' });
});

it('names binary data instead of showing it', () => {
  expect(readServerError('\0\u0001PNG')).toMatchObject({ message: 'binary data' });
});

it.each([
  ['a page with comments', '<!-- a --> <!--[if IE]> <html> <![endif]-->\n<p>Blocked</p>', 'Blocked', true],
  ['a page with an unclosed script', '<html>Blocked<script>if (a < b) run()', 'Blocked', true],
  ['many comments before a text', `${'<!---->'.repeat(9_000)}x`, /^<!---->/, false],
  ['many unclosed comments', `<html>${'<!--'.repeat(16_000)}`, '', true],
  ['many unclosed scripts', `<html>${'<script '.repeat(8_000)}`, '', true],
  ['many unclosed tags', `<html>${'<'.repeat(64_000)}`, /^<{4000}…$/, true],
  ['a token of a vocabulary', '<unk> token', '<unk> token', false],
  ['thinking', '<think>hm</think>', '<think>hm</think>', false],
  ['an error in a tag', '<error>invalid key</error>', '<error>invalid key</error>', false],
  ['an error of AWS', '<Error><Code>AccessDenied</Code></Error>', /^<Error><Code>AccessDenied/, false],
])('tells a page from other text, and reads its words: %s', (_name, body, message, page) => {
  expect(isPage(body)).toBe(page);
  expect(readServerError(body).message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
});
