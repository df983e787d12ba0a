// A server without a library that does what servers in public reports do. The first argument names the mechanism.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , mode = '', file = ''] = process.argv;
const print = (line) => process.stdout.write(`${line}\n`);
const send = (message) => {
  const isNewer = mode.startsWith('slow-') && message.result !== undefined;
  const result = isNewer
    ? { result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...message.result } }
    : {};
  print(JSON.stringify({ jsonrpc: '2.0', ...message, ...result }));
};
const tool = (name, more = {}) => ({ name, description: `About ${name}.`, inputSchema: { type: 'object' }, ...more });
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const hidden = `safe\u001b[31m\u001b]0;title\u0007\u202e\u200b${[...'obey'].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')}\u{1f3f4}${String.fromCodePoint(0xe0061, 0xe0062, 0xe007f)} end`;

if (mode === 'banner') {
  print('Starting server v1.2.3 …');
  print('[INFO] {"not": json');
  print(JSON.stringify({ level: 'info', message: 'ready' }));
  print('[]');
}
if (mode === 'orphan') {
  // What a launcher starts, which ignores TERM and the end of its input.
  const child = spawn(
    process.execPath,
    ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6)", 'left-behind', file],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  process.stderr.write(`child ${child.pid}\n`);
}
if (mode === 'fails-at-once') {
  process.stderr.write('loading\nError: TOKEN is missing\n  at 0\n  at a\n  at b\n  at c\nv26\n');
  process.exit(3);
}
process.stderr.write('first line of stderr\n');

/** The tools of a page. */
function listTools(cursor) {
  switch (mode) {
    case 'pages':
    case 'numbered-pages': {
      const next = Math.min(Number(cursor ?? 0) + 1, 3);
      const nextCursor = mode === 'pages' ? String(next) : next;
      return { tools: [tool(`t${cursor ?? 0}`), tool('same')], nextCursor };
    }
    case 'endless':
      return { tools: [tool('only')], nextCursor: `${Number(cursor ?? 0) + 1}` };
    case 'empty-cursor':
      return { tools: [tool('a')], nextCursor: '' };
    case 'no-cursor': {
      if (cursor !== undefined) throw new Error('invalid cursor');
      return { tools: [tool('a')], nextCursor: JSON.parse(file) };
    }
    case 'malformed':
      return {
        tools: [
          tool('good', {
            inputSchema: {
              $schema: 'https://json-schema.org/draft/2020-12/schema',
              type: 'object',
              properties: { a: { $ref: '#/$defs/A' }, b: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
              $defs: { A: { type: 'string' } },
            },
          }),
          { description: 'no name' },
          tool('array', { inputSchema: [] }),
          tool('text', { inputSchema: { type: 'string' } }),
          tool('none', { inputSchema: undefined }),
          null,
          tool('broken', { inputSchema: 'x' }),
        ],
      };
    case 'names':
      return { tools: ['a.b/c', 'a_b_c', 'x'.repeat(128), 'read_file', '_private', 'ünï'].map((name) => tool(name)) };
    case 'texts':
      return {
        tools: [
          tool('t', {
            description: hidden,
            inputSchema: { type: 'object', properties: { a: { type: 'string', description: hidden } } },
          }),
        ],
      };
    case 'rug':
      return { tools: [tool('t', JSON.parse(readFileSync(file, 'utf8')))] };
    case 'schema':
      return { tools: [tool('t', { inputSchema: JSON.parse(readFileSync(file, 'utf8')) })] };
    case 'many':
      return { tools: Array.from({ length: 30 }, (_, index) => tool(`tool_${index}`)) };
    default:
      return { tools: [tool('t')] };
  }
}

function call(id, { arguments: args = {}, _meta }) {
  switch (mode) {
    case 'huge':
      return text('x'.repeat(args.bytes));
    case 'result':
      return args.result;
    case 'texts':
      return text(hidden);
    case 'shell':
      return text(String(spawnSync(args.command, { shell: true, encoding: 'utf8' }).output));
    case 'environment':
      return text(JSON.stringify(process.env));
    case 'probe': {
      const read = (name) => {
        try {
          return readFileSync(`${file}/${name}`, 'utf8').trim();
        } catch {
          return `no ${name}`;
        }
      };
      const found = [read('granted/a.txt'), read('beside.txt'), process.env.MY_TOKEN ?? 'no token'];
      fetch('http://127.0.0.1:9').catch(({ cause }) =>
        send({ id, result: text([...found, cause.code === 'ECONNREFUSED' ? 'network' : 'no network'].join('\n')) }),
      );
      return undefined;
    }
    case 'die':
      process.stderr.write('fatal: out of luck\n');
      process.exit(7);
      return undefined;
    case 'progress': {
      let count = 0;
      const timer = setInterval(() => {
        count += 1;
        if (_meta?.progressToken === undefined) return;
        send({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, progress: count } });
        if (count < 8) return;
        clearInterval(timer);
        send({ id, result: text('slow but done') });
      }, 250);
      return undefined;
    }
    case 'ask-early':
      return text(JSON.stringify(early));
    case 'ask-endless':
      ask(function again({ result, error }) {
        if (error === undefined) ask(again);
        else send({ id, result: text(`${result?.action}: ${error.message}`) });
      });
      return undefined;
    case 'ask-page': {
      calls += 1;
      if (calls > 1) return text(`calls: ${calls}`);
      const elicitations = [{ mode: 'url', elicitationId: 'e1', message: 'Pay first', url: 'https://pay.example/' }];
      send({ id, error: { code: -32042, message: 'URL elicitation required', data: { elicitations } } });
      return undefined;
    }
    case 'silent-call':
    case 'orphan':
      return undefined;
    default:
      return text(`called with ${JSON.stringify(args)}`);
  }
}

let calls = 0;
let early;
// In one mode, the first question is answered after the second one has arrived.
let answerLate = () => {};
const asked = new Map();

/** Asks the user, and passes the answer on. */
function ask(then) {
  const id = `q${asked.size}`;
  asked.set(id, then);
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
  send({ id, method: 'elicitation/create', params: { mode: 'form', message: 'Who?', requestedSchema } });
}

/** With the mode `raw`, the file with the bytes in place of an answer, by method; `$ID` is the id of the request. */
const raw = mode === 'raw' ? JSON.parse(readFileSync(file, 'utf8')) : {};

/** Writes one text, or several one after the other, each perhaps many times, in Base64, or to the other stream. */
function writeRaw(written, id) {
  for (const each of [written].flat()) {
    const { text = each, times = 1, base64, to = 'stdout' } = Object(each);
    const whole = typeof each === 'string' ? each : base64 ? Buffer.from(base64, 'base64') : text.repeat(times);
    process[to].write(typeof whole === 'string' ? whole.replaceAll('$ID', JSON.stringify(id)) : whole);
  }
}

let isFirst = true;
createInterface({ input: process.stdin }).on('line', function read(line) {
  // A launcher that loads its program, until the file exists.
  if (mode === 'gated' && !existsSync(file)) return setTimeout(() => read(line), 20);
  const message = JSON.parse(line);
  const { id, method, params = {} } = message;
  if (mode === 'raw' && raw[method] !== undefined) return writeRaw(raw[method], id);
  if (method === undefined) return asked.get(id)?.(message);
  if (isFirst && method !== 'initialize' && mode === 'exits-first') process.exit(1);
  isFirst = false;
  if (id === undefined || mode === 'silent') return;
  switch (method) {
    case 'initialize': {
      answerLate();
      if (mode === 'slow-modern') return send({ id, error: { code: -32600, message: 'no handshake' } });
      const more = ['prompts', 'no-prompts', 'resources', 'no-templates'].includes(mode)
        ? { prompts: {}, resources: {} }
        : {};
      const capabilities = mode === 'no-tools' ? {} : { tools: { listChanged: true }, ...more };
      const serverInfo = { name: mode, version: '1' };
      const said = mode === 'texts' ? { instructions: `${hidden}\n${'x'.repeat(4_000)}` } : {};
      send({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo, ...said } });
      return;
    }
    case 'server/discover':
      if (mode === 'silent-first') return;
      if (mode.startsWith('slow-')) {
        const result = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
        answerLate = () => send({ id, result: { ...result, serverInfo: { name: mode, version: '1' } } });
        return;
      }
      send({ id, error: { code: -32601, message: 'Method not found' } });
      return;
    case 'prompts/list':
      if (mode !== 'prompts') return send({ id, error: { code: -32603, message: 'no prompts today' } });
      return send({
        id,
        result: {
          prompts: [
            { name: params.cursor ?? 'first', arguments: [{ name: 'a', required: true }, { name: 'b' }] },
            {},
            { name: 'x\u200b'.repeat(80) },
          ],
          nextCursor: params.cursor === undefined ? 'second' : 'second',
        },
      });
    case 'resources/list':
    case 'resources/templates/list': {
      const page = Number(params.cursor ?? 0);
      const key = method === 'resources/list' ? 'resources' : 'resourceTemplates';
      if (mode === 'no-templates' && key !== 'resources') return send({ id, error: { code: -32601, message: 'no' } });
      return send({
        id,
        result: { [key]: [{ uri: `r://${page}`, name: `n${page}` }], nextCursor: `${Math.min(page + 1, 3)}` },
      });
    }
    case 'tools/list':
      if (mode === 'ask-early') ask(({ result }) => (early = result));
      if (mode === 'no-tools') return send({ id, error: { code: -32601, message: 'Method not found' } });
      send({ id, result: listTools(params.cursor) });
      return;
    case 'tools/call': {
      const result = call(id, params);
      if (result !== undefined) send({ id, result });
      return;
    }
    default:
      send({ id, error: { code: -32601, message: 'Method not found' } });
  }
});
if (mode !== 'orphan') process.stdin.on('end', () => process.exit(0));
