import { expect, it } from 'vitest';
import { classifyError, classifyInStream } from '../../../../src/providers/http/classify-failure.ts';
import { failureCode, failureMessage } from '../../../../src/providers/http/failure.ts';
import { HttpFailure } from '../../../../src/providers/http/fetch-stream.ts';
import { readServerError } from '../../../../src/providers/http/server-error.ts';

const others: readonly string[] = [
  '',
  'Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Used 29000',
  'max_tokens is too large: 100000',
  'Missing required parameter: messages',
  'registry.ollama.ai/library/gemma:2b does not support tools',
  'The context of this tool call is invalid',
];

it('reads the error that Ollama wraps into a message, and leaves other messages alone', () => {
  const inner = { error: { message: 'It broke.', type: 'server_error', code: 500 } };
  const read = (error: string) => readServerError(JSON.stringify({ error }));
  expect(read(JSON.stringify(inner))).toEqual({ message: 'It broke', kind: '500 server_error', status: 500 });
  expect(read('{broken')).toEqual({ message: '{broken', kind: '', status: undefined });
});

// test/support/recorded/reported-errors.jsonl has the words of many services.
it('recognizes the context overflow of Moonshot', () => {
  const text = 'Invalid request: Your request exceeded model token limit: 8192';
  expect(classifyInStream(readServerError(text))).toMatchObject({ code: 'context_overflow' });
});

it.each(others)('does not take %j for a context overflow', (text) => {
  expect(classifyInStream(readServerError(text))).not.toMatchObject({ code: 'context_overflow' });
});

const plain = (text: string) => text;

it.each([
  ['<html>Enable JavaScript and try again later</html>', 'no_stream'],
  ['upstream connect error or disconnect/reset before headers', 'status'],
])('classifies a text in place of an answer: %j', (body, type) => {
  expect(classifyError(new HttpFailure(200, new Headers(), 'text/html', body), plain).type).toBe(type);
});

it('classifies a port that fetch blocks', () => {
  const error = new Error('Connection error.', {
    cause: new TypeError('fetch failed', { cause: new Error('bad port') }),
  });
  expect(classifyError(error, plain)).toEqual({ type: 'blocked_port' });
});

it('adds a code that the innermost message does not contain', () => {
  const inner = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  const error = new TypeError('fetch failed', { cause: inner });
  expect(classifyError(error, plain)).toEqual({ type: 'connection', detail: 'UND_ERR_SOCKET other side closed' });
});

it('reports the innermost cause, with its code once', () => {
  const inner = Object.assign(new Error('getaddrinfo EAI_AGAIN llm.test'), { code: 'EAI_AGAIN', hostname: 'llm.test' });
  const error = new Error('Connection error.', { cause: new TypeError('fetch failed', { cause: inner }) });
  expect(classifyError(error, plain)).toEqual({
    type: 'connection',
    detail: 'getaddrinfo EAI_AGAIN llm.test',
  });
});

it('tells a name that no machine has from one that cannot be looked up at the moment', () => {
  const inner = Object.assign(new Error('getaddrinfo ENOTFOUND llm.test'), { code: 'ENOTFOUND', hostname: 'llm.test' });
  expect(classifyError(new TypeError('fetch failed', { cause: inner }), plain)).toEqual({
    ...{ type: 'no_host', host: 'llm.test' },
  });
  const nameless = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  expect(classifyError(nameless, plain)).toMatchObject({ type: 'connection' });
});

// Ollama 0.17.4; vLLM (langchain4j/langchain4j#3475); llama.cpp (ggml-org/llama.cpp#12279); OpenRouter (openrouter.ai/docs).
it.each([
  [400, '{"error":"registry.ollama.ai/library/smol:latest does not support tools"}'],
  [
    400,
    '{"object":"error","message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}',
  ],
  [500, '{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}'],
  [404, '{"error":{"message":"No endpoints found that support tool use. Try disabling \\"read_file\\".","code":404}}'],
])('knows a server that takes no tools for a model: %i %s', (status, body) => {
  const failure = classifyError(new HttpFailure(status, new Headers(), 'application/json', body), plain);
  expect(failure).toMatchObject({ type: 'status', code: 'bad_request' });
  expect(failureMessage(failure, { label: 'It', endpoint: 'http://127.0.0.1:6000/v1', model: 'm' })).toMatch(
    /Use another model, or let this one write its calls as text: ybs config set llm\.tool_protocol xnl$/,
  );
});

// Errors of Node.js and undici: public reports about agents behind proxies and gateways of companies, and its documents.
it.each([
  [
    'microsoft/foundry-dev-tools#226',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'unable to get local issuer certificate',
    /ca_file/,
  ],
  [
    'caozhiyuan/copilot-api#245',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'unable to verify the first certificate',
    /ca_file/,
  ],
  ['nodejs.org/api/tls.html', 'SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', /ca_file/],
  ['nodejs.org/api/tls.html', 'CERT_HAS_EXPIRED', 'certificate has expired', /clock/],
  [
    'nodejs.org/api/errors.html',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    "Hostname/IP does not match certificate's altnames: Host: x.test.",
    /check the host/,
  ],
  [
    'alejandroll10/zeropaper#213',
    'UND_ERR_ABORTED',
    'Proxy response (407) !== 200 when HTTP Tunneling (through the proxy at 127.0.0.1:1)',
    /user and the password/,
  ],
  ['nodejs.org/api/http2.html', 'HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/, RTSP/ or ICE/', /HTTP\/2/],
  [
    'nodejs.org/api/http2.html',
    'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL',
    'tlsv1 alert no application protocol',
    /HTTP\/2/,
  ],
])('knows a fault that the next connection has, too (%s: %s)', (_source, code, message, advice) => {
  const failure = classifyError(Object.assign(new Error(message), { code }), plain);
  expect(failure).toEqual({ type: 'lasting', detail: expect.stringContaining(message), advice: expect.any(String) });
  const server = { label: 'It', endpoint: 'https://x.test/v1', model: 'm' };
  expect(failureCode(failure, {})).toBe('unreachable');
  expect(failureMessage(failure, server)).toMatch(advice);
});

it('knows a server of HTTP/2 alone by its answer to HTTP/1.1', () => {
  const error = new HttpFailure(403, new Headers(), '', 'Missing ALPN Protocol, expected `h2` to be available.');
  expect(classifyError(error, plain)).toMatchObject({ type: 'lasting', advice: expect.stringContaining('HTTP/2') });
});

it('knows a proxy that wants a password for a plain request', () => {
  const error = new HttpFailure(407, new Headers(), 'text/html', '<html><h1>Proxy Authentication Required</h1></html>');
  expect(classifyError(error, plain)).toMatchObject({
    type: 'lasting',
    advice: expect.stringContaining('HTTPS_PROXY'),
  });
});

it('classifies a thrown value that is not an error', () => {
  expect(classifyError('gone', plain)).toEqual({ type: 'connection', detail: 'gone' });
  expect(classifyError(new Error(''), plain)).toEqual({ type: 'connection', detail: '' });
});

it.each([
  ['403 Forbidden', { type: 'page' }],
  ['Invalid API key', { type: 'status', code: 'auth' }],
  ['Service temporarily unavailable', { type: 'status', code: 'overloaded' }],
])('classifies a page with the status 403 by its words: %s', (words, expected) => {
  const body = `<html>\r\n<head><title>${words}</title></head>\r\n<body><center>nginx</center></body>\r\n</html>\r\n`;
  expect(classifyError(new HttpFailure(403, new Headers(), 'text/html', body), plain)).toMatchObject(expected);
});
