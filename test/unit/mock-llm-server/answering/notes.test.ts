import { describe, expect, it } from 'vitest';
import { PROTOCOLS } from '../../../../mock-llm-server/conversation/conversation.ts';
import { createJournal } from '../../../../mock-llm-server/journal/journal.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { verifyJournal } from '../../../../mock-llm-server/verify/report.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';
import { askedAbout } from '../ask-protocols.ts';

const read = {
  tool_calls: [
    { name: 'read', arguments: {} },
    { name: 'read', arguments: {} },
  ],
};
const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } });

describe('a call of a tool', () => {
  it.each(PROTOCOLS)(
    'that a client without tools gets is an expectation of its step that is not met, over %s',
    async (protocol) => {
      const { ask, journal, lines } = askedAbout(read);
      await ask(protocol, false);
      expect(journal.entries.at(-1)?.unmet).toEqual([{ field: 'tools', wanted: 'read', found: '', implied: true }]);
      expect(lines.join()).toContain('(tools: expected read, found nothing)');
      const [name = '', problem] = ['only', 'request 1, step 0 of "only": tools: expected read, found nothing'];
      expect(verifyJournal(journal, [])).toMatchObject({
        passed: false,
        problems: [{ kind: 'expectation', scenario: name, message: problem }],
      });
    },
  );

  it.each([
    [['read'], undefined],
    [['mcp__files__read'], 'mcp__files__read'],
    [['a', 'b', 'c', 'd', 'e', 'f'], 'a, b, c, d, e, …'],
  ])('is compared with the tools %j of the request', async (names, found) => {
    const { ask, journal } = askedAbout(read);
    await ask('openai-chat', false, { tools: names.map(tool) });
    expect(journal.entries.at(-1)?.unmet).toEqual(found && [{ field: 'tools', wanted: 'read', found, implied: true }]);
  });

  it('may be unknown on purpose', async () => {
    const steps = [{ expect: { tools: [] }, response: read }];
    const journal = createJournal();
    const app = createMockServer({
      scenarios: scenarioSet({ scenarios: [{ name: 's', trigger: 'go', steps }] }),
      journal,
    });
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'go' }] });
    expect((await app.request('/v1/chat/completions', { method: 'POST', body })).status).toBe(200);
    expect(journal.entries.at(-1)?.unmet).toBeUndefined();
  });

  it.each([
    [{ additionalProperties: false }, ['the schema of read forbids the arguments line, to']],
    [{ required: ['path', 'lines'] }, ['the schema of read requires the arguments lines']],
    [{ required: ['path'] }, undefined],
  ])('with arguments that a schema with %j forbids, or without required ones, has a note', async (more, notes) => {
    const { ask, journal } = askedAbout({ tool_calls: [{ name: 'read', arguments: { path: 'a', line: 1, to: 2 } }] });
    const parameters = { type: 'object', properties: { path: { type: 'string' } }, ...more };
    await ask('openai-chat', false, { tools: [{ type: 'function', function: { name: 'read', parameters } }] });
    expect(journal.entries.at(-1)?.notes).toEqual(notes);
  });

  it('of a server of the Model Context Protocol may have the name that the client writes', async () => {
    const { ask, journal } = askedAbout({ tool_calls: [{ name: 'files__read' }] });
    await ask('openai-chat', false, { tools: [tool('mcp__files__read')] });
    expect(journal.entries.at(-1)?.unmet).toBeUndefined();
  });
});
