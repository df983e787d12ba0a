import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { INDEX, promiseIndex, promiseProblems, quotationsOf, sentencesOf } from '../../../../tooling/docs/promises.ts';

const PAGE = `# Title

One thing [holds](a.md). ybs keeps **it**: always. [docs/b.md](docs/b.md) says more.

- **A lead.** An item.

| Head | Row |
| --- | --- |
| a | \`b\` |

\`\`\`sh
code. More.
\`\`\`
`;

describe('the promises', () => {
  it('are all sentences of README.md and docs/security.md, each with a test or a reason why it has none', () => {
    expect(promiseProblems()).toEqual([]);
  });

  it('are listed in the index of test/behaviour', () => {
    const file = path.join(import.meta.dirname, '../../../..', INDEX);
    expect(readFileSync(file, 'utf8'), `${INDEX} is out of date: run npm run docs`).toBe(promiseIndex());
  });

  it('are read without headings, code and descriptions of other pages', () => {
    expect(sentencesOf('a.md', PAGE).map(({ text }) => text)).toEqual([
      'One thing holds.',
      'ybs keeps it: always.',
      'An item.',
      'a | `b`',
    ]);
  });

  it.each([
    ['test/behaviour/a.md', '## First\n\n## Second\n\n> x.md: It [holds](y).\n\n## Third\n', 'Second'],
    ['test/behaviour/a.test.ts', "it('one');\n  // > x.md: It holds.\n  it.runIf(true)('two', 'other');\n", 'two'],
  ])('are quoted in %s', (file, text, title) => {
    expect(quotationsOf(file, text)).toEqual([{ page: 'x.md', text: 'It holds.', file, title }]);
  });
});
