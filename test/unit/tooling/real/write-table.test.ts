import { describe, expect, it } from 'vitest';
import type { ServerResult } from '../../../../tooling/real/results.ts';
import { withTable } from '../../../../tooling/real/write-table.ts';

const PAGE = `# Page

<!-- real servers: written by npm run test:real -- --write-table -->

| \`ollama\` | 1 | ollama-chat | 2026-01-01 | 2 of 2 | – | – |
| \`vllm\` | 1 | openai-chat | 2026-01-01 | 0 of 2 | all | – |

<!-- /real servers -->

End.
`;

const RAN: ServerResult = {
  server: { name: 'vllm', version: '2' },
  outcome: {
    type: 'ran',
    results: [
      {
        address: { wire: 'openai-chat' },
        check: 'a text',
        outcome: { type: 'failed', reason: 'no' },
        seconds: 1,
      },
      { address: { wire: 'openai-chat' }, check: 'a call', outcome: { type: 'fact', number: 2 }, seconds: 1 },
      { address: { wire: 'openai-chat' }, check: 'stories', outcome: { type: 'passed', facts: [2, 5] }, seconds: 1 },
      { address: { wire: 'openai-chat' }, check: 'an end', outcome: { type: 'not run', reason: 'no' }, seconds: 1 },
    ],
  },
};

const TEXTS = {
  checks: ['a text', 'a call', 'stories', 'an end'],
  facts: [
    { number: 2, server: 'vllm', version: '2', date: '2026-02-02', fact: 'It has none.', seen: [] },
    { number: 5, server: 'vllm', version: '2', date: '2026-02-02', fact: 'It is blue.', seen: [] },
    { number: 25, server: 'ollama', version: '1', date: '2026-02-02', fact: 'It is green.', seen: [] },
  ],
  day: '2026-03-03',
};

describe('the table of real servers', () => {
  it('replaces the rows of the servers that ran, and keeps the others', () => {
    const page = withTable(PAGE, [RAN], TEXTS);
    expect(page.split('\n').filter((line) => line.startsWith('| `'))).toEqual([
      '| `ollama` | 1 | ollama-chat | 2026-01-01 | 2 of 2 | – | – |',
      '| `vllm` | 2 | openai-chat | 2026-03-03 | 1 of 4 | a text | a call (fact 2); parts of: stories (fact 2, fact 5); an end |',
    ]);
    expect(page).toContain('Fact 2, seen with vllm 2 on 2026-02-02: It has none.');
    expect(page).toContain('Fact 5, seen with vllm 2 on 2026-02-02: It is blue.');
    expect(page).not.toContain('Fact 25');
    expect(page.startsWith('# Page\n')).toBe(true);
    expect(page.endsWith('<!-- /real servers -->\n\nEnd.\n')).toBe(true);
    expect(withTable(page, [RAN], TEXTS)).toBe(page);
  });

  it('keeps the rows of a server that is missing or did not start, and rejects a page without the block', () => {
    const missing: ServerResult = { ...RAN, outcome: { type: 'missing', reason: 'no' } };
    expect(withTable(PAGE, [missing], TEXTS)).toContain('| `vllm` | 1 | openai-chat | 2026-01-01 | 0 of 2 | all | – |');
    expect(() => withTable('# Page', [RAN], TEXTS)).toThrow('the page has no block');
  });
});
