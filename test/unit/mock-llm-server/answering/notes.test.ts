import { describe, expect, it } from 'vitest';
import { PROTOCOLS } from '../../../../mock-llm-server/conversation/conversation.ts';
import { verifyJournal } from '../../../../mock-llm-server/verify/report.ts';
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
    'that a client without tools gets is noted once in the journal and in a report, over %s',
    async (protocol) => {
      const { ask, journal, lines } = askedAbout(read);
      await ask(protocol, false);
      const message = 'the answer calls read, but the request offers no tools';
      expect(journal.entries.at(-1)?.notes).toEqual([message]);
      expect(lines.join()).toContain(`(${message})`);
      expect(verifyJournal(journal, [])).toMatchObject({ passed: true, notes: [{ request: 1, message }] });
    },
  );

  it.each([
    [['read'], undefined],
    [['mcp__files__read'], ['the answer calls read, but the request offers mcp__files__read']],
    [['a', 'b', 'c', 'd', 'e', 'f'], ['the answer calls read, but the request offers a, b, c, d, e, …']],
  ])('is compared with the tools %j of the request', async (names, notes) => {
    const { ask, journal } = askedAbout(read);
    await ask('openai-chat', false, { tools: names.map(tool) });
    expect(journal.entries.at(-1)?.notes).toEqual(notes);
  });

  it('of a server of the Model Context Protocol may have the name that the client writes', async () => {
    const { ask, journal } = askedAbout({ tool_calls: [{ name: 'files__read' }] });
    await ask('openai-chat', false, { tools: [tool('mcp__files__read')] });
    expect(journal.entries.at(-1)?.notes).toBeUndefined();
  });
});
