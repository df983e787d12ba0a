import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { expect, it, onTestFinished } from 'vitest';
import { mockServerEntry } from '../../support/processes/entry.ts';
import { runBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

const NGINX =
  '<html>\n<head><title>502 Bad Gateway</title></head>\n<body>\n<center><h1>502 Bad Gateway</h1></center>\n' +
  '<hr><center>nginx/1.27.4</center>\n</body>\n</html>\n';
const CHALLENGE =
  '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title></head>' +
  '<body>Enable JavaScript and cookies to continue</body></html>';
const BLOCKED =
  '<!DOCTYPE html><html><head><title>Microsoft</title></head><body><h2>The request is blocked.</h2></body></html>';
const ENVOY = 'upstream connect error or disconnect/reset before headers. reset reason: connection termination';
const LIMITED = '{"error":{"message":"Rate limit exceeded","type":"rate_limit_error"}}';
const once = { times: 1 };
const DATED = { status: 429, retry_after: 1, headers: { 'Retry-After': '{{retry_date}}' }, ...once };
const HOURS = { status: 429, headers: { 'retry-after': '18000' } };
const RESET = { 'x-ratelimit-reset-requests': '6m0s', 'x-ratelimit-remaining-requests': '0' };
const TEAPOT = { status: 418, headers: { 'Content-Type': 'application/problem+json' }, body: '{"title":"Teapot"}' };

/** The fault of a report, the type of its answer, the exit code of ybs, and a text in its one line about the fault. */
const ROWS: readonly (readonly [report: string, fault: object, type: string, code: number, line: string])[] = [
  [
    'nearai/ironclaw#1994',
    { status: 502, body: NGINX, ...once },
    'text/html',
    0,
    '(502: 502 Bad Gateway nginx/1.27.4).',
  ],
  ['vllm-project/aibrix#1103', { status: 503, body: ENVOY, ...once }, 'text/plain', 0, `(503: ${ENVOY}).`],
  ['vitali87/code-graph-rag#142', { status: 403, body: CHALLENGE }, 'text/html', 1, 'web page (403: Just a moment...'],
  ['acheong08/ChatGPT#58', { status: 200, body: BLOCKED }, 'text/html', 1, 'answered with text/html instead of'],
  ['mattpocock/sandcastle#568', { status: 200, body: '', ...once }, 'text/plain', 0, 'ended its answer before it was'],
  ['agentgateway/agentgateway#1340', { status: 400, body: '' }, 'text/plain', 1, 'refused the request (400).'],
  ['openvang/vanguarstew#954', { status: 200, body: LIMITED, ...once }, 'application/json', 0, 'Rate limit exceeded)'],
  ['elizaOS/eliza#22162', DATED, 'application/json', 0, 'Please try again in 1s.'],
  ['1jehuang/jcode#1183', HOURS, 'application/json', 1, 'It asks to wait 300 min'],
  ['vectorize-io/hindsight#3508', { status: 429, headers: RESET }, 'application/json', 1, 'It asks to wait 6 min'],
  [
    'a page for the login',
    { status: 302, headers: { location: '/login' }, body: '' },
    'text/plain',
    1,
    '/login (302).',
  ],
  ['a type of its own', TEAPOT, 'application/problem+json', 1, '(418: Teapot).'],
];

it.each(ROWS)(
  'the server sends the bytes of %s, and ybs says so in one line',
  async (_report, fault, type, code, line) => {
    const file = path.join(temporaryDirectory(), 'faults.json');
    const scenario = (name: string) => ({ name, trigger: name, steps: [{ response: { content: 'Done.' }, fault }] });
    writeFileSync(file, JSON.stringify({ scenarios: [scenario('raw'), scenario('agent')] }));
    const server = execa(process.execPath, [mockServerEntry, '--port', '0', '--scenarios', file], { reject: false });
    onTestFinished(async () => {
      server.kill();
      await server;
    });
    const [started] = await server
      .iterable()
      [Symbol.asyncIterator]()
      .next()
      .then(({ value }) => [String(value)]);
    const url = String(JSON.parse(String(started)).url);

    const before = Date.now();
    const response = await fetch(`${url}/v1/chat/completions`, {
      ...{ method: 'POST', redirect: 'manual', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'raw' }] }),
    });
    const { body, status, headers = {} } = Object(fault);
    expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({ status, type });
    for (const [name, text] of Object.entries(headers)) {
      if (text !== '{{retry_date}}') expect(response.headers.get(name)).toBe(text);
      else expect(Date.parse(String(response.headers.get(name)))).toBeGreaterThanOrEqual(before + 1_000);
    }
    if (body !== undefined) expect(await response.text()).toBe(body);

    const result = await runBin([
      '--provider',
      'openai-compatible',
      '--endpoint',
      `${url}/v1`,
      '--model',
      'm',
      'agent',
    ]);
    const lines = `${result.stdout}\n${result.stderr}`.split('\n');
    expect({ code: result.code, isDone: lines.includes('Done.') }).toEqual({ code, isDone: code === 0 });
    expect(lines.filter((each) => each.includes(line))).toHaveLength(1);
  },
);
