import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../mock-llm-server/server/app.ts';

/**
 * Requests that were sent to the services, and the refusals that came back, on 2026-08-30 (OpenAI, gpt-5.6-terra),
 * 2026-08-31 (Anthropic, claude-sonnet-5) and 2026-09-23, as the tests of two public projects state them:
 * https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter/tree/main/test (`*-validation-parity.test.mjs`), and
 * the validation tests of the gateway "stdapi". The rows are the words of the services; the projects state no licence.
 */
const MeasuredSchema = z.strictObject({
  service: z.enum(['openai', 'anthropic']),
  path: z.string(),
  name: z.string(),
  body: z.record(z.string(), z.unknown()),
  status: z.int(),
  message: z.string(),
  param: z.string().nullish(),
  code: z.string().nullish(),
});

const ROWS = readFileSync(path.join(import.meta.dirname, 'measured-refusals.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => MeasuredSchema.parse(JSON.parse(line)));

const scenarios = { ...createScenarioSet([]), defaultResponse: 'Hello.' };

describe('requests that a service refused when they were sent to it', () => {
  it.each(ROWS.map((row) => [`${row.path}: ${row.name}`, row] as const))(
    'are refused in its words: %s',
    async (_title, { service, path: route, body, status, message, param, code }) => {
      const app = createMockServer({ scenarios });
      const answer = await app.request(`/as/${service}${route}`, {
        method: 'POST',
        headers: { 'anthropic-version': '2023-06-01' },
        body: JSON.stringify(body),
      });
      const { error } = z.object({ error: z.record(z.string(), z.unknown()) }).parse(await answer.json());
      expect([answer.status, error]).toEqual([
        status,
        { type: 'invalid_request_error', message, ...(service === 'openai' && { param, code }) },
      ]);
    },
  );
});
