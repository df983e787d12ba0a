import { describe, expect, it } from 'vitest';
import type { AnsweredPrompt } from '../../../../mock-llm-server/drift/check-drift.ts';
import { observePrompt } from '../../../../mock-llm-server/drift/check-drift.ts';
import { createLock } from '../../../../mock-llm-server/drift/lock.ts';
import { createJournal } from '../../../../mock-llm-server/journal/journal.ts';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import type { DriftMode, PromptLock } from '../../../../mock-llm-server/scenario/lock/prompt-lock.ts';
import { createScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';

const content = parseScenarioFile(
  JSON.stringify({
    scenarios: [
      { name: 'go', trigger: 'go', steps: [{ response: { content: 'Done.' } }] },
      { name: 'busy', trigger: 'busy', steps: [{ response: { content: 'x' }, fault: { status: 503 } }] },
    ],
  }),
  'scenario.json',
);

/** Sends a prompt with a system text, and returns the response and the journal of the server. */
async function ask(
  lock: PromptLock | undefined,
  system: string,
  { prompt = 'go', drift }: { readonly prompt?: string; readonly drift?: DriftMode } = {},
) {
  const journal = createJournal();
  const prompts: AnsweredPrompt[] = [];
  const lines: string[] = [];
  const app = createMockServer({
    scenarios: createScenarioSet([{ file: 'scenario.json', content, ...(lock && { lock }) }]),
    journal,
    log: (line) => lines.push(line),
    observePrompt: (seen) => prompts.push(seen),
    ...(drift && { drift }),
  });
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
  ];
  const request = { method: 'POST', body: JSON.stringify({ model: 'm', temperature: 0, messages }) };
  const response = await app.request('/v1/chat/completions', request);
  return { response, body: await response.text(), journal, prompts, lines };
}

async function lockOf(system: string, prompt?: string): Promise<PromptLock> {
  const { prompts } = await ask(undefined, system, prompt === undefined ? {} : { prompt });
  const observed = prompts.map((seen) => ({ scenario: seen.scenario, step: seen.step, parts: observePrompt(seen) }));
  return createLock(observed, { agent: 'any', volatile: [] });
}

describe('a scenario with a lock', () => {
  it('answers, and reports the part that drifted in a header, the journal and the log', async () => {
    const lock = await lockOf('Be brief.');
    expect(lock.steps[0]?.parts.map(({ part }) => part)).toEqual(['system', 'sampling', 'user 1']);
    const { response, body, journal, lines } = await ask(lock, 'Be brief.\nBe kind, naïve, 100 %.');
    expect(JSON.parse(body)).toMatchObject({ choices: [{ message: { content: 'Done.' } }] });
    expect(response.headers.get('x-mock-drift')).toBe('system: +1 -0 lines');
    const diff = '@@ line 1 → 1 @@\n Be brief.\n+Be kind, naïve, 100 %.';
    expect(journal.entries[0]?.drift).toEqual([{ part: 'system', summary: '+1 −0 lines', diff }]);
    expect(journal.drifted()).toBe(1);
    expect(lines).toEqual(['/v1/chat/completions 200 go step 0 (drift: system: +1 −0 lines)']);
    journal.clear();
    expect(journal.drifted()).toBe(0);
  });

  it('reports nothing for the prompt of the lock', async () => {
    const { response, journal, lines } = await ask(await lockOf('Be brief.'), 'Be brief.');
    expect(response.headers.has('x-mock-drift')).toBe(false);
    expect(journal.entries[0]?.drift).toBeUndefined();
    expect(lines).toEqual(['/v1/chat/completions 200 go step 0']);
  });

  it('answers with the same bytes whether the prompt drifted or not', async () => {
    const lock = await lockOf('Be brief.');
    const [drifted, off] = await Promise.all([ask(lock, 'Be long.'), ask(lock, 'Be long.', { drift: 'off' })]);
    expect(drifted.response.headers.has('x-mock-drift')).toBe(true);
    expect(off.response.headers.has('x-mock-drift')).toBe(false);
    expect(drifted.body).toBe(off.body);
  });

  it('reports the drift of a request that a fault answers', async () => {
    const { response, journal } = await ask(await lockOf('Be brief.', 'busy'), 'Be long.', { prompt: 'busy' });
    expect(response.status).toBe(503);
    expect(response.headers.get('x-mock-drift')).toBe('system: +1 -1 lines');
    expect(journal.entries[0]).toMatchObject({ fault: 'fault status 503', drift: [{ part: 'system' }] });
  });

  it('keeps keys out of the journal', async () => {
    const { journal } = await ask(await lockOf('Be brief.'), 'Use sk-abcdefghijklmnop.');
    expect(journal.entries[0]?.drift?.[0]?.diff).toContain('+Use [redacted].');
  });
});
