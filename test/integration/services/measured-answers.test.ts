import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../mock-llm-server/server/app.ts';

/**
 * Requests that were sent to real servers on 2026-12-01, with the status that came back: llama.cpp 11434, vLLM 0.32.0
 * and Ollama 0.17.4, each with a model whose weights are a script. A row is one deviation from a request that agents
 * send: refused ones and their accepted neighbours alike.
 */
const MeasuredSchema = z.strictObject({
  service: z.enum(['llamacpp', 'vllm', 'ollama']),
  path: z.string(),
  name: z.string(),
  body: z.record(z.string(), z.unknown()),
  status: z.int(),
});

const ROWS = readFileSync(path.join(import.meta.dirname, 'measured-answers.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => MeasuredSchema.parse(JSON.parse(line)));

const scenarios = { ...createScenarioSet([]), defaultResponse: 'Hello.' };

it.each([...new Set(ROWS.map(({ service }) => service))])('%s is as strict as the real server', async (service) => {
  const app = createMockServer({ scenarios });
  const rows = ROWS.filter((row) => row.service === service);
  const answers = await Promise.all(
    rows.map(async ({ path: route, body, ...row }) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      return { ...row, status: (await app.request(`/as/${service}${route}`, init)).status };
    }),
  );
  expect(answers).toEqual(rows.map(({ name, status }) => ({ service, name, status })));
});
