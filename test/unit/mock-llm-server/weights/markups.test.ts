import { describe, expect, test } from 'vitest';
import type { Markup } from '../../../../mock-llm-server/weights/markups/markup.ts';
import { MARKUPS } from '../../../../mock-llm-server/weights/markups/markups.ts';
import type { ScriptedAnswer } from '../../../../mock-llm-server/weights/script/script.ts';

const read = { name: 'read_file', arguments: '{"path":"a.txt","limit":2}' };
const list = { name: 'list_files', arguments: '{"pattern":"*"}' };

function answer(parts: Partial<ScriptedAnswer>): ScriptedAnswer {
  return { reasoning: undefined, content: '', calls: [], isEndless: false, pieceLength: undefined, ...parts };
}

describe('an answer in a markup', () => {
  // The forms are those of the models' own chat templates.
  test.each([
    ['hermes', answer({ content: 'Hi.' }), 'Hi.'],
    [
      'hermes',
      answer({ reasoning: 'Hm.', content: 'I read.', calls: [read, list] }),
      '<think>Hm.</think>I read.' +
        '<tool_call>\n{"name": "read_file", "arguments": {"path":"a.txt","limit":2}}\n</tool_call>\n' +
        '<tool_call>\n{"name": "list_files", "arguments": {"pattern":"*"}}\n</tool_call>',
    ],
    [
      'hermes',
      answer({ calls: [{ name: 'read_file', arguments: '{"path": "a' }] }),
      '<tool_call>\n{"name": "read_file", "arguments": {"path": "a}\n</tool_call>',
    ],
    [
      'llama3',
      answer({ calls: [read, list] }),
      '{"name": "read_file", "parameters": {"path":"a.txt","limit":2}}; {"name": "list_files", "parameters": {"pattern":"*"}}',
    ],
    [
      'qwen3-coder',
      answer({ content: 'I read.', calls: [read] }),
      'I read.<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n<parameter=limit>\n2\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      'mistral',
      answer({ reasoning: 'Hm.', calls: [read, list] }),
      '[THINK]Hm.[/THINK][TOOL_CALLS]read_file[ARGS]{"path":"a.txt","limit":2}[TOOL_CALLS]list_files[ARGS]{"pattern":"*"}',
    ],
    [
      'deepseek',
      answer({ calls: [list] }),
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>list_files<｜tool▁sep｜>{"pattern":"*"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    ['gpt-oss', answer({ content: 'Hi.' }), '<|start|>assistant<|channel|>final<|message|>Hi.'],
    [
      'gpt-oss',
      answer({ reasoning: 'Hm.', content: 'I list.', calls: [list] }),
      '<|start|>assistant<|channel|>analysis<|message|>Hm.' +
        '<|end|><|start|>assistant<|channel|>commentary<|message|>I list.' +
        '<|end|><|start|>assistant<|channel|>commentary to=functions.list_files <|constrain|>json<|message|>{"pattern":"*"}',
    ],
  ] as const)('%s: %j', (markup, scripted, text) => {
    expect(MARKUPS[markup].write(scripted)).toBe(text);
  });

  test.each([
    ['llama3', answer({ content: 'I read.', calls: [read] }), 'llama3 has no text before a call'],
    ['llama3', answer({ calls: [read] }), undefined],
    [
      'qwen3-coder',
      answer({ calls: [{ name: 'a', arguments: '{"path": ' }] }),
      'qwen3-coder writes only arguments that are JSON',
    ],
    [
      'qwen3-coder',
      answer({ calls: [{ name: 'a', arguments: '[]' }] }),
      'qwen3-coder writes only arguments that are JSON',
    ],
    ['qwen3-coder', answer({ calls: [read] }), undefined],
    ['gpt-oss', answer({ calls: [read, list] }), 'gpt-oss makes one call in an answer'],
    ['gpt-oss', answer({ calls: [read] }), undefined],
  ] as const)('%s cannot express it: %j', (name, scripted, reason) => {
    const markup: Markup = MARKUPS[name];
    expect(markup.refusal?.(scripted)).toBe(reason);
  });
});
