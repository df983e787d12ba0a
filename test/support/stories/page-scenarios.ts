import type { MockScenario } from '../../../mock-llm-server/testing.ts';

/** Scenarios of the web page: an answer with every construct of Markdown, a change of a file, and a short answer. */
export const PAGE_SCENARIOS: readonly MockScenario[] = [
  {
    name: 'markdown',
    trigger: 'markdown please',
    steps: [
      {
        response: {
          content: [
            'Some *emphasis*, `code` and [a link](https://example.com/a).',
            '[op\u202Een](https://example.com/b?\u2067) `\u200F` \u{1b}',
            '1. one\n2. two\n   - nested',
            '- [x] done\n- [ ] open',
            '| Name | Value |\n| --- | ---: |\n| a | 1 |',
            '> quoted',
            '```js\nconst answer = 42;\n```',
            '## The end',
          ].join('\n\n'),
        },
      },
    ],
  },
  {
    name: 'edit',
    trigger: 'two, please',
    steps: [
      { response: { tool_calls: [{ name: 'read_file', arguments: { path: 'app.js' } }] } },
      {
        response: {
          tool_calls: [{ name: 'edit_file', arguments: { path: 'app.js', old_string: '= 1', new_string: '= 2' } }],
        },
      },
      { response: { content: 'It is two.' } },
    ],
  },
  { name: 'chat', trigger: 'how are you', steps: [{ response: { content: "I'm doing well, thank you." } }] },
];
