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
      { address: { wire: 'openai-chat' }, check: 'an end', outcome: { type: 'not run', reason: 'no' }, seconds: 1 },
    ],
  },
};

const TEXTS = {
  checks: ['a text', 'a call', 'an end'],
  facts: [{ number: 2, server: 'vllm', version: '2', date: '2026-02-02', fact: 'It has none.', seen: [] }],
  day: '2026-03-03',
};

describe('the table of real servers', () => {
  it('replaces the rows of the servers that ran, and keeps the others', () => {
    const page = withTable(PAGE, [RAN], TEXTS);
    expect(page.split('\n').filter((line) => line.startsWith('| `'))).toEqual([
      '| `ollama` | 1 | ollama-chat | 2026-01-01 | 2 of 2 | – | – |',
      '| `vllm` | 2 | openai-chat | 2026-03-03 | 0 of 3 | a text | a call (fact 2); an end |',
    ]);
    expect(page).toContain('Fact 2, seen with vllm 2 on 2026-02-02: It has none.');
    expect(page.startsWith('# Page\n')).toBe(true);
    expect(page.endsWith('<!-- /real servers -->\n\nEnd.\n')).toBe(true);
    expect(withTable(page, [RAN], TEXTS)).toBe(page);
  });

  it('keeps the rows of a server that is missing or did not start, and refuses a page without the block', () => {
    const missing: ServerResult = { ...RAN, outcome: { type: 'missing', reason: 'no' } };
    expect(withTable(PAGE, [missing], TEXTS)).toContain('| `vllm` | 1 | openai-chat | 2026-01-01 | 0 of 2 | all | – |');
    expect(() => withTable('# Page', [RAN], TEXTS)).toThrow('the page has no block');
  });
});
