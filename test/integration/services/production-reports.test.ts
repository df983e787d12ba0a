import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SERVICE_NAMES } from '../../../mock-llm-server/conversation/conversation.ts';
import { createMockServer } from '../../../mock-llm-server/server/app.ts';
import { keyHeaders, scenarioSet } from '../../support/stories/builders.ts';

const JsonSchema = z.record(z.string(), z.unknown());

/** A public report of an agent that failed with a real service, and the request that it sent. */
const ReportSchema = z.strictObject({
  report: z.url(),
  service: z.enum(SERVICE_NAMES),
  mechanism: z.string(),
  path: z.string().startsWith('/'),
  /** Those beside a key; an empty one is left out. */
  headers: z.record(z.string(), z.string()).optional(),
  /** The request before; `$call`, `$signature`, `$encrypted`, `$message` and `$response` in `body` stand for those of its answer. */
  before: JsonSchema.optional(),
  body: JsonSchema,
  expected: z.union([
    z.strictObject({ status: z.int(), says: z.string() }),
    z.strictObject({ status: z.literal(200), matches: z.string() }),
  ]),
});
type Report = z.infer<typeof ReportSchema>;

const REPORTS = readFileSync(path.join(import.meta.dirname, 'production-reports.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => ReportSchema.parse(JSON.parse(line)));

const call = { name: 'read', arguments: {} };
const scenarios = scenarioSet({
  scenarios: [
    { name: 'thinks', trigger: 'think', steps: [{ response: { reasoning: 'First words.', tool_calls: [call] } }] },
    { name: 'explains', trigger: 'explain', steps: [{ response: { reasoning: 'First words.', content: 'Hello.' } }] },
    { name: 'tells', trigger: 'tell and call', steps: [{ response: { content: 'First.', tool_calls: [call] } }] },
    { name: 'calls', trigger: 'use the tool', steps: [{ response: { tool_calls: [call] } }] },
  ],
  default_response: { content: 'Hello.' },
});

/** Sends the request of a report as the agent sent it. Returns the answer as text, with its status. */
async function play({ service, path: route, headers, before, body }: Report) {
  const app = createMockServer({ scenarios });
  const all = Object.entries({ ...keyHeaders(`/as/${service}${route}`), ...headers });
  const sent = Object.fromEntries(all.filter(([, value]) => value !== ''));
  const send = async (json: string) => {
    const answer = await app.request(`/as/${service}${route}`, { method: 'POST', headers: sent, body: json });
    return { status: answer.status, text: await answer.text() };
  };
  const first = before === undefined ? '' : (await send(JSON.stringify(before))).text;
  const found = (pattern: RegExp) => pattern.exec(first)?.[1] ?? '';
  const request = JSON.stringify(body)
    .replaceAll('$call', found(/"id": ?"(toolu_[^"]+)"/))
    .replaceAll('$signature', found(/"signature": ?"([^"]+)"/))
    .replaceAll('$encrypted', found(/"encrypted_content": ?"([^"]+)"/))
    .replaceAll('$message', found(/"id": ?"(msg_[^"]+)"/))
    .replaceAll('$response', found(/"id": ?"(resp_[^"]+)"/));
  return send(request);
}

describe('reports of agents that failed with a real service', () => {
  it.each(REPORTS.map((row) => [`${row.service}, ${row.mechanism}: ${row.report}`, row] as const))(
    'a test on the server fails as well: %s',
    async (_title, row) => {
      const { status, text } = await play(row);
      const { expected } = row;
      expect([status, text]).toEqual([
        expected.status,
        'says' in expected
          ? expect.stringContaining(JSON.stringify(expected.says).slice(1, -1))
          : expect.stringMatching(new RegExp(expected.matches)),
      ]);
    },
  );

  it('are different ones', () => {
    const urls = REPORTS.map(({ report }) => report);
    expect(new Set(urls).size).toBe(urls.length);
  });
});
