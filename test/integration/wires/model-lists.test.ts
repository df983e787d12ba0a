import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Wire } from '../../../src/providers/wires.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { jsonReply, pieceReply, type RawReply, startRawServer } from '../../support/replies/raw-server.ts';

const text = (body: string, options: Parameters<typeof pieceReply>[1] = {}) =>
  pieceReply([body], { type: 'application/json', ...options });
const page = (status: number) =>
  pieceReply(['<!doctype html><html><head><title>Console</title></head><body>Sign in</body></html>'], {
    status,
    type: 'text/html',
  });

/** A list of models, and what is printed of it. */
type Row = readonly [name: string, source: string, reply: RawReply, shows: readonly string[], wire?: Wire];

const READ: readonly Row[] = [
  [
    'entries alone',
    'songquanpeng/one-api#128',
    jsonReply([{ id: 'alpha', object: 'model', permission: { id: 'p' }, parent: null }]),
    ['alpha'],
  ],
  [
    'entries alone with their windows',
    'maximhq/bifrost#6711',
    jsonReply([{ id: 'alpha', organization: 'x', context_length: 131072 }]),
    ['alpha', '131,072'],
  ],
  [
    'a number of its own beside the name',
    'cloudflare/cloudflare-docs',
    jsonReply({ success: true, result: [{ id: 'c837b2ac-4d9b-4d37-8811-34de60f0c44f', name: '@cf/alpha' }] }),
    ['@cf/alpha'],
  ],
  ['names alone', 'no report; beside the others', jsonReply(['alpha', 'beta']), ['alpha', 'beta']],
  ['names in data', 'no report; beside the others', jsonReply({ data: ['alpha', 'beta'] }), ['alpha', 'beta']],
  [
    'entries by their names',
    'maximhq/bifrost#666',
    jsonReply({ alpha: { context_length: 4096 }, beta: {} }),
    ['alpha', '4,096', 'beta'],
  ],
  [
    'entries by their names in data',
    'no report; beside the others',
    jsonReply({ data: { alpha: {}, beta: {} } }),
    ['alpha', 'beta'],
  ],
  ['entries in models', 'CNSeniorious000/oai2ollama#5', jsonReply({ models: [{ id: 'alpha' }] }), ['alpha']],
  ['the name that LiteLLM uses', 'cline/kanban#406', jsonReply({ data: [{ model_name: 'alpha' }] }), ['alpha']],
  [
    'an entry that lacks a field',
    'zed-industries/zed#23764',
    jsonReply({
      data: [
        { id: 'alpha', type: 'llm', state: 'loaded', max_context_length: 131072, loaded_context_length: 4096 },
        { id: 'beta', type: 'vlm' },
      ],
    }),
    ['alpha', '4,096', 'beta'],
  ],
  [
    'null among the entries',
    'no report; beside the others',
    jsonReply({ data: [null, { id: 'alpha' }, 7] }),
    ['alpha'],
  ],
  ['a number as a name', 'no report; beside the others', jsonReply({ data: [{ id: 7 }] }), ['7']],
  ['null for none', 'tinyhumansai/openhuman#2794', jsonReply({ object: 'list', data: null }), ['offers no models']],
  ['no entries', 'ogx-ai/ogx#4031', jsonReply({ data: [] }), ['offers no models']],
  [
    'gzip that nobody asked for',
    'psf/requests#2446',
    pieceReply([gzipSync('{"data":[{"id":"alpha"}]}')], {
      type: 'application/json',
      headers: { 'content-encoding': 'gzip' },
    }),
    ['alpha'],
  ],
  ['a byte order mark', 'no report; beside the others', text('\ufeff{"data":[{"id":"alpha"}]}'), ['alpha']],
  [
    'the type of plain text',
    'no report; beside the others',
    text('{"data":[{"id":"alpha"}]}', { type: 'text/plain' }),
    ['alpha'],
  ],
  [
    '20,000 models',
    'no report; beside the others',
    jsonReply({ data: Array.from({ length: 20_000 }, (_, index) => ({ id: `model-${index}` })) }),
    ['model-19999'],
  ],
  [
    'entries of LM Studio, without a time',
    'JetBrains/koog#139',
    jsonReply({ data: [{ id: 'alpha', object: 'model', owned_by: 'organization_owner' }], object: 'list' }),
    ['alpha'],
  ],
  [
    'two lists of llama.cpp in one answer',
    '1jehuang/jcode#447',
    jsonReply({
      models: [
        { name: '/models/alpha.gguf', model: '/models/alpha.gguf', type: 'model', capabilities: ['completion'] },
      ],
      object: 'list',
      data: [
        { id: '/models/alpha.gguf', object: 'model', owned_by: 'llamacpp', meta: { vocab_type: 2, n_ctx: 262144 } },
      ],
    }),
    ['/models/alpha.gguf', '262,144'],
  ],
  [
    'models of a router, one of which is loaded',
    'ggml-org/llama.cpp#18035',
    jsonReply({
      data: ['alpha', 'beta'].map((id) => {
        const args = ['/opt/llama-server', '--host', '127.0.0.1', '--jinja', '--ctx-size', '65536', '--port', '0'];
        const value = id === 'alpha' ? 'loaded' : 'unloaded';
        return { id, object: 'model', owned_by: 'llamacpp', in_cache: false, status: { value, args } };
      }),
      object: 'list',
    }),
    ['alpha  loaded, 65,536', 'beta   65,536'],
  ],
  [
    'a window in effect, below that of the model',
    'cyber-ai-agent/dsh-cyber#152',
    jsonReply({ data: [{ id: 'alpha', max_context_length: 131072, effective_context_length: 32768 }] }),
    ['32,768'],
  ],
  [
    'a number of a tokenizer without a limit',
    'jundot/omlx#1525',
    text('{"data":[{"id":"alpha","max_model_len":1000000000000000019884624838656}]}'),
    ['32,000 tokens (assumed)'],
  ],
  ['null of Ollama', 'ollama/ollama', jsonReply({ models: null }), ['offers no models'], 'ollama-chat'],
  [
    'the other name of Ollama',
    'no report; beside the others',
    jsonReply({ models: [{ model: 'alpha' }] }),
    ['alpha  loaded'],
    'ollama-chat',
  ],
  [
    'a list in the form of OpenAI from Ollama',
    'no report; beside the others',
    jsonReply({ data: [{ id: 'alpha' }] }),
    ['alpha'],
    'ollama-chat',
  ],
  [
    'a model without a name, of Gemini',
    'no report; beside the others',
    jsonReply({ models: [{ displayName: 'x' }, { name: 'models/alpha', inputTokenLimit: 4096 }] }),
    ['alpha', '4,096'],
    'gemini',
  ],
  [
    'a list in the form of OpenAI from Gemini',
    'no report; beside the others',
    jsonReply({ data: [{ id: 'alpha' }] }),
    ['alpha'],
    'gemini',
  ],
  [
    'entries alone, of Anthropic',
    'no report; beside the others',
    jsonReply([{ id: 'alpha' }]),
    ['alpha'],
    'anthropic-messages',
  ],
  [
    'the list of a gateway',
    'no report; beside the others',
    jsonReply({ code: 0, data: { list: [{ id: 'alpha' }] } }),
    ['alpha'],
  ],
  [
    'a list within a list',
    'no report; beside the others',
    jsonReply({ success: true, data: { data: [{ id: 'alpha' }] } }),
    ['alpha'],
  ],
];

/** Answers that are errors. */
const REFUSED: readonly Row[] = [
  [
    'a text in place of the list',
    'tinyhumansai/openhuman#2794',
    jsonReply({ object: 'list', data: 'none' }),
    ['invalid answer', 'expected array'],
  ],
  ['another value', 'tinyhumansai/openhuman#2794', jsonReply(7), ['invalid answer']],
  ['a page with the status 200', 'saeedkolivand/ai-job-hunter-app#935', page(200), ['text/html', 'Console']],
  [
    'a page with the type of JSON',
    'no report; beside the others',
    text('<html><body>Sign in</body></html>'),
    ['answered with a page instead of JSON'],
  ],
  ['a page with the status 404', 'no report; beside the others', page(404), ['There is no chat API', 'Console']],
  [
    'an error with the status 200',
    'saeedkolivand/ai-job-hunter-app#935',
    jsonReply({ error: { message: 'Invalid token given', code: 'invalid_api_key' } }),
    ['Invalid token given'],
  ],
  [
    'an error of a gateway with the status 200',
    'new-api',
    jsonReply({ success: false, message: 'No access, token wrong' }),
    ['No access, token wrong'],
  ],
  [
    'an error of MiniMax with the status 200',
    'MiniMax',
    jsonReply({ base_resp: { status_code: 1004, status_msg: 'login fail' } }),
    ['login fail'],
  ],
  ['a list that is cut', 'no report; beside the others', text('{"data":[{"id":"alp'), ['invalid answer', 'not JSON']],
  ['no body', 'Kong/insomnia#9670', text(''), ['invalid answer']],
  [
    'a redirect',
    'no report; beside the others',
    pieceReply([], { status: 302, headers: { location: 'https://login.test/' } }),
    ['redirects to https://login.test/'],
  ],
];

const NAMED = [...READ, ...REFUSED].map((row) => {
  const [name, source, reply, shows, wire = 'openai-chat'] = row;
  return { name, source, reply, code: REFUSED.includes(row) ? 1 : 0, shows, wire };
});

it.each(NAMED)('ybs models reads $name ($source)', async ({ reply, code, shows, wire }) => {
  const { url } = await startRawServer(
    () => reply,
    ({ path: asked }) => (/models|tags|\/api\/ps/.test(asked) ? reply : undefined),
  );
  const place = temporaryDirectory();
  const llm = { provider: 'openai-compatible', api_kind: wire, endpoint: url, model: 'alpha' };
  writeFiles(place, { 'config.json': JSON.stringify({ llm }) });
  const command = (name: string) =>
    runMain([name, '--config', path.join(place, 'config.json')], { directory: temporaryDirectory() });
  const [models, doctor] = [await command('models'), await command('doctor')];
  const shown = models.stdout + models.stderr;
  const report = doctor.stdout + doctor.stderr;
  expect({ code: models.code, missing: shows.filter((part) => !shown.includes(part)) }, shown).toEqual({
    code,
    missing: [],
  });
  expect(/internal|TypeError|undefined/.test(shown + report), report).toBe(false);
  expect(report, report).toMatch(code === 0 ? /answers and offers/ : /✗ (?:provider|key) /);
});
