import { describe, expect, it } from 'vitest';
import { answerConversation } from '../../../../mock-llm-server/answering/choose-reply.ts';
import type { OfferedTool } from '../../../../mock-llm-server/conversation/conversation.ts';
import { conversation, scenarioSet } from '../../../support/stories/builders.ts';

const tool = (name: string, ...keys: readonly string[]): OfferedTool => {
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]));
  return { name, input: 'json', parameters: { type: 'object', properties, required: keys } };
};

/** The call that an intent becomes with this map. */
function callFor(intent: object, intents: Readonly<Record<string, string>>, tools: readonly OfferedTool[]): unknown {
  const set = scenarioSet({ scenarios: [{ name: 'a', trigger: 'go', steps: [intent] }], intents });
  const answer = answerConversation({ ...conversation('go'), tools }, set, 'call_');
  if (answer.type !== 'reply') return answer.type === 'refusal' ? answer.code : answer.type;
  const [call] = answer.reply.toolCalls;
  return call && [call.name, JSON.parse(call.arguments)];
}

describe('a tool that a file maps an intent to', () => {
  const write = { intent: 'write_file', path: 'a.txt', content: 'hi, "you"' };

  it.each<readonly [string, object, string, OfferedTool, object]>([
    [
      'arguments of the same names',
      write,
      'fs_put(path, content)',
      tool('fs_put', 'path', 'content'),
      { path: 'a.txt', content: 'hi, "you"' },
    ],
    [
      'arguments of other names',
      write,
      'fs_put(key=path, body: content)',
      tool('fs_put', 'key', 'body'),
      { key: 'a.txt', body: 'hi, "you"' },
    ],
    [
      'constants',
      write,
      'fs(path, content, mode="w,x", depth=3)',
      tool('fs', 'path', 'content'),
      { path: 'a.txt', content: 'hi, "you"', mode: 'w,x', depth: 3 },
    ],
    [
      'further required arguments',
      { intent: 'read_file', path: 'a' },
      'get(path)',
      tool('get', 'path', 'why'),
      { path: 'a', why: 'Read a file.' },
    ],
    [
      'texts that the step lacks',
      { intent: 'list_files', path: 'src' },
      'ls(dir=path, glob=pattern)',
      tool('ls', 'dir'),
      { dir: 'src' },
    ],
    ['no arguments', { intent: 'list_files', path: 'src' }, 'ls', tool('ls'), {}],
  ])('gets %s', (_what, intent, text, offered, args) => {
    const name = 'intent' in intent ? String(intent.intent) : '';
    expect(callFor(intent, { [name]: text }, [tool('Write', 'file_path', 'content'), offered])).toEqual([
      offered.name,
      args,
    ]);
  });

  it('is not called if the client does not offer it', () => {
    const tools = [tool('Write', 'file_path', 'content')];
    const call = ['Write', { file_path: 'a.txt', content: 'hi, "you"' }];
    expect(callFor(write, { write_file: 'fs_put(path, content)' }, tools)).toEqual(call);
    expect(callFor(write, { write_file: 'fs_put(path, content)' }, [])).toBe('intent_not_offered');
  });
});

describe('a tool that an intent goes past', () => {
  const write = { intent: 'write_file', path: 'a.txt', content: 'x' };
  const edit = { intent: 'edit_file', path: 'a.txt', old_text: 'x', new_text: 'y' };
  const shell = tool('bash', 'command');

  it.each<readonly [string, object, readonly OfferedTool[], readonly string[]]>([
    [
      'is named with the line to add',
      write,
      [shell, tool('blob_upload', 'slug', 'data')],
      [
        'write_file is carried out by bash; to use blob_upload, add "intents": {"write_file": ' +
          '"blob_upload(slug=path, data=content)"} to the file',
      ],
    ],
    [
      'is named for an edit',
      edit,
      [shell, tool('patch_doc', 'path', 'from', 'to')],
      [
        'edit_file is carried out by bash; to use patch_doc, add "intents": {"edit_file": ' +
          '"patch_doc(path, from=old_text, to=new_text)"} to the file',
      ],
    ],
    ['is not one without a file', write, [shell, tool('create_issue', 'title', 'text')], []],
    ['is not one that takes text', write, [shell, { name: 'put', input: 'text' }], []],
    ['is not one with another name', write, [shell, tool('deploy', 'path', 'data')], []],
    ['is not one when the call writes', write, [tool('Write', 'file_path', 'content'), tool('upload', 'key', 'b')], []],
    ['is not one for another intent', { intent: 'shell', command: 'ls' }, [shell, tool('put', 'path', 'data')], []],
    ['is not one for a call by name', { response: { tool_calls: [{ name: 'bash' }] } }, [shell], []],
  ])('%s', (_what, step, tools, notes) => {
    const set = scenarioSet({ scenarios: [{ name: 'a', trigger: 'go', steps: [step] }] });
    expect(answerConversation({ ...conversation('go'), tools }, set, 'call_')).toMatchObject({ type: 'reply', notes });
  });
});
