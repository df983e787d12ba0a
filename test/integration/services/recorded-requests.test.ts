import type { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../mock-llm-server/server/app.ts';
import { REQUEST_FILES, type RecordedRequest, readRequests } from '../../support/recorded/requests.ts';

const scenarios = { ...createScenarioSet([]), defaultResponse: 'Hello.' };

/** The refusal of a request; undefined if it is answered. */
async function refusalOf(
  app: Hono,
  prefix: string,
  { path: stored, body, service }: RecordedRequest,
): Promise<string | undefined> {
  // The older files lack the queries.
  const isBare = stored.startsWith('/openai/deployments/') && !stored.includes('?');
  const whole = isBare ? `${stored}?api-version=2025-04-01-preview` : stored;
  // The paths of Vertex AI are stored as those of the Gemini API.
  const route = service === 'vertex' ? whole.replace('/v1beta/models/', '/v1beta1/publishers/google/models/') : whole;
  const headers = { 'anthropic-version': '2023-06-01' };
  const answer = await app.request(`${prefix}${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.status < 400) return undefined;
  const text = await answer.text();
  // The answer that such a request continues is stored elsewhere, and a text is no call of a tool.
  if (/previous_response_not_found|The default_response is text/.test(text)) return undefined;
  const rule = answer.headers.get('x-mock-rule')?.split(';')[0] ?? 'no rule';
  return `${prefix}${route} ${answer.status} ${rule} ${text.slice(0, 300)}`;
}

describe.each(REQUEST_FILES)('the requests of %s', (file) => {
  const requests = readRequests(file);
  // Probes of one server: wrong on purpose, so that only the rules of that server must accept them.
  const isProbe = file.startsWith('real-servers');

  it(`are ${requests.length} that services accepted, and none is refused, by model and path or by its service`, async () => {
    const app = createMockServer({ scenarios });
    const refusals: string[] = [];
    for (const request of requests) {
      const { service } = request;
      const byName = isProbe ? undefined : await refusalOf(app, '', request);
      const byService = service === null ? undefined : await refusalOf(app, `/as/${service}`, request);
      const found = [byName, byService].filter((refusal) => refusal !== undefined);
      refusals.push(...found.filter((refusal) => !isProbe || !refusal.includes(' no rule ')));
    }
    expect(refusals).toEqual([]);
    expect(requests.length).toBeGreaterThan(20);
  });
});
