import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answerConversation } from '../../../mock-llm-server/answering/choose-reply.ts';
import type { OfferedTool } from '../../../mock-llm-server/conversation/conversation.ts';
import { parseScenarioFile } from '../../../mock-llm-server/scenario/loading/parse.ts';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { assistant, call, conversation, results, type TestMessage, user } from '../../support/stories/builders.ts';
import { AGENTS } from './reply/intents/agents.ts';

const page = readFileSync(new URL('../../../docs/scenario-reference.md', import.meta.url), 'utf8');

/** Plays the example of a section to its end; every tool result is `ok`. */
function play(section: string, prompt: string, tools: readonly OfferedTool[]): string[] {
  const [, text = ''] = /^```json\n([\s\S]*?)^```$/m.exec(page.slice(page.indexOf(`\n## ${section}\n`))) ?? [];
  const set = createScenarioSet([{ file: 'docs', content: parseScenarioFile(text, 'docs') }]);
  const messages: TestMessage[] = [user(prompt)];
  const outputs: string[] = [];
  for (;;) {
    const answer = answerConversation({ ...conversation(...messages), tools }, set, 'call_');
    if (answer.type !== 'reply') return [...outputs, answer.type];
    const { content, toolCalls } = answer.reply;
    if (content !== undefined) outputs.push(content);
    outputs.push(...toolCalls.map(({ name, arguments: json }) => `${name} ${json}`));
    if (toolCalls.length === 0) return outputs;
    messages.push(
      assistant(...toolCalls.map(({ id = '', name }) => call(id, name))),
      results(toolCalls.map(({ id = '' }) => id)),
    );
  }
}

describe('the examples of docs/scenario-reference.md', () => {
  it('call the tools of Claude Code', () => {
    expect(play('Intents', 'polish the greeting', AGENTS['Claude Code'].tools)).toEqual([
      'Glob {"pattern":"*.txt"}',
      'Grep {"pattern":"h[ae]llo","path":"/work/project","output_mode":"content"}',
      'I read one file and write another.',
      'Read {"file_path":"/work/project/hello.txt"}',
      'Write {"file_path":"/work/project/notes.txt","content":"hallo is hello\\n"}',
      'Edit {"file_path":"/work/project/hello.txt","old_string":"hallo","new_string":"hello"}',
      'Bash {"command":"cat hello.txt"}',
      'It says hello.',
    ]);
  });

  it('call the tools of ybs', () => {
    expect(play('Intents', 'polish the greeting', AGENTS.ybs.tools)).toEqual([
      'list_files {"pattern":"*.txt"}',
      'search_files {"pattern":"h[ae]llo","path":"."}',
      'I read one file and write another.',
      'read_file {"path":"hello.txt"}',
      'write_file {"path":"notes.txt","content":"hallo is hello\\n"}',
      'edit_file {"path":"hello.txt","old_text":"hallo","new_text":"hello"}',
      'run_shell {"command":"cat hello.txt"}',
      'It says hello.',
    ]);
  });

  it('put values of the request into the answers', () => {
    expect(play('Templates', 'note buy "milk" in list.txt', AGENTS.pi.tools)).toEqual([
      'write {"path":"list.txt","content":"buy \\"milk\\"\\n"}',
      'remember {"request":"note buy \\"milk\\" in list.txt"}',
      'remember {"answer": "ok"}',
      'Done: ok Braces are written {{ and }}.',
    ]);
  });
});
