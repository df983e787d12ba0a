import { expect, it } from 'vitest';
import { createJournal } from '../../../mock-llm-server/journal.ts';
import { createMockServer } from '../../../mock-llm-server/server.ts';
import { scenarioSet } from './builders.ts';
import { WIRE_CASES } from './wire-requests.ts';

const key = `sk-${'0123456789'.repeat(4)}`;
const STEPS = {
  'a fixed answer': { response: { content: 'Fixed.' } },
  'a template in the text': { response: { content: 'You said {{last_user}}' } },
  'a template in arguments': { response: { tool_calls: [{ name: 'x', arguments: { text: '{{last_user}}' } }] } },
  'a template in an intent': { intent: 'shell', command: '{{last_user}}' },
};

const rows = WIRE_CASES.flatMap((wireCase) =>
  Object.entries(STEPS).map(([what, step]) => ({ ...wireCase, what, step })),
);

it.each(rows)('notes no key of a request over $protocol: $what', async ({ request, step }) => {
  const journal = createJournal();
  const lines: string[] = [];
  const scenarios = scenarioSet({ scenarios: [{ name: 's', trigger: 'go', steps: [step] }] });
  const app = createMockServer({ scenarios, journal, log: (line) => lines.push(line) });
  const url = `${request.path}?${new URLSearchParams(request.query)}`;
  const body: unknown = JSON.parse(request.body.replace('"go"', `"go ${key}"`));
  // Named where a body may have it: Responses answers with it.
  const withMore = { ...(typeof body === 'object' && body), model: `m-${key}`, metadata: { of: key }, user: key };
  const response = await app.request(url, { method: 'POST', headers: request.headers, body: JSON.stringify(withMore) });
  expect([await response.text(), response.status]).toEqual([
    expect.any(String),
    step === STEPS['a template in an intent'] ? 400 : 200,
  ]);
  expect(journal.entries).toHaveLength(1);
  expect(JSON.stringify([journal.entries, lines])).not.toContain('0123456789');
});
