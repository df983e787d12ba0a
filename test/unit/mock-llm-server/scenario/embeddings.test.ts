import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createFetchRecorder } from '../../../../mock-llm-server/record/record-fetch.ts';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { createScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { embeddingOf } from '../../../../mock-llm-server/wire/embeddings.ts';

const RowSchema = z.object({
  source: z.string(),
  path: z.string(),
  request: z.record(z.string(), z.unknown()),
  response: z.record(z.string(), z.unknown()),
});
const ROWS = readFileSync(new URL('../record/fixtures/recorded-embeddings.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => RowSchema.parse(JSON.parse(line)));

/** The scenario file of recorded requests for embeddings. */
async function record(rows: readonly Omit<z.infer<typeof RowSchema>, 'source'>[]): Promise<string> {
  const recorder = createFetchRecorder([]);
  for (const { path, request, response } of rows) {
    const body = (async function* () {
      yield Buffer.from(JSON.stringify(response));
    })();
    const headers = new Headers({ 'content-type': 'application/json' });
    const fetch = recorder.wrap(async () => ({ status: 200, ok: true, headers, body }));
    const answer = await fetch(`http://127.0.0.1${path}`, { method: 'POST', body: JSON.stringify(request) });
    for await (const _chunk of answer.body ?? []);
  }
  const run = { story: { prompts: ['go'] }, workspace: new Map(), expected: undefined, agent: 'any' };
  return String((await recorder.finish(run)).files.get('scenario.json'));
}

function serve(text: string) {
  const app = createMockServer({
    scenarios: createScenarioSet([{ file: 'f', content: parseScenarioFile(text, 'f') }]),
  });
  return async (path: string, request: object, headers = {}): Promise<unknown> =>
    (await app.request(path, { method: 'POST', body: JSON.stringify(request), headers })).json();
}

describe('recorded embeddings', () => {
  it.each(ROWS.map((row) => [row.path, row.source, row] as const))(
    'of %s are sent again: %s',
    async (path, _source, row) => {
      const post = serve(await record([row]));
      expect(await post(path, row.request)).toEqual(row.response);
      const reordered = Object.fromEntries(Object.entries(row.request).toReversed());
      expect(await post(path, reordered)).toEqual(row.response);
    },
  );

  it('of several requests are in one file, and a later answer to an equal request replaces the earlier', async () => {
    const path = '/v1/embeddings';
    const answer = (vector: readonly number[]) => ({ object: 'list', data: [{ embedding: vector, index: 0 }] });
    const rows = [
      { path, request: { model: 'm', input: 'a' }, response: answer([1, 0]) },
      { path, request: { model: 'm', input: 'b' }, response: answer([0, 1]) },
      { path, request: { input: 'a', model: 'm' }, response: answer([0.5, 0.5]) },
    ];
    const text = await record(rows);
    expect(text).toContain('"embedding": [0.5, 0.5]');
    const post = serve(text);
    expect(await post(path, { model: 'm', input: 'a' })).toEqual(answer([0.5, 0.5]));
    expect(await post('/openai/deployments/d/embeddings', { model: 'm', input: 'b' })).toEqual(answer([0, 1]));
    // The server computes the vectors of any other text.
    expect(await post(path, { model: 'm', input: 'c' })).toMatchObject({ data: [{ embedding: embeddingOf('c') }] });
  });

  it('can be added for one test while the server runs', async () => {
    const text = JSON.stringify({ scenarios: [{ name: 'a', trigger: 'a', steps: [{ response: { content: 'a' } }] }] });
    const app = createMockServer({
      scenarios: createScenarioSet([{ file: 'f', content: parseScenarioFile(text, 'f') }]),
    });
    const [row] = ROWS;
    const file = {
      scenarios: [],
      embeddings: [{ path: '/embeddings', request: { input: 'a' }, response: { data: [] } }],
    };
    const added = await app.request('/__mock/scenarios?test=one', { method: 'PUT', body: JSON.stringify(file) });
    expect([added.status, row === undefined]).toEqual([200, false]);
    const ask = (test: string) =>
      app.request('/v1/embeddings', { method: 'POST', body: '{"input":"a"}', headers: { 'x-test-id': test } });
    expect(await (await ask('one')).json()).toEqual({ data: [] });
    expect((await ask('two')).status).toBe(400);
  });
});
