import { describe, expect, it } from 'vitest';
import type { OfferedTool } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { resolveIntent } from '../../../../../mock-llm-server/reply/intents/resolve-intent.ts';
import type { Intent, IntentName } from '../../../../../mock-llm-server/scenario/format/intent-format.ts';
import { offer } from './agents.ts';

const INTENTS: Readonly<Record<IntentName, Intent>> = {
  write_file: { intent: 'write_file', path: 'a.txt', content: 'hi' },
  read_file: { intent: 'read_file', path: 'a.txt' },
  edit_file: { intent: 'edit_file', path: 'a.txt', old_text: 'one', new_text: 'two' },
  shell: { intent: 'shell', command: 'ls' },
  list_files: { intent: 'list_files', pattern: '*.ts', path: 'src' },
  search_files: { intent: 'search_files', pattern: 'x+', path: 'src' },
};

function call(intent: Intent, ...tools: readonly OfferedTool[]): string {
  const resolved = resolveIntent({ intent, tools, directory: '/w' });
  return resolved === undefined ? 'nothing' : `${resolved.name} ${resolved.arguments}`;
}

const withProperties = (name: string, properties: object, description = ''): OfferedTool => ({
  name,
  description,
  input: 'json',
  parameters: { type: 'object', properties, required: Object.keys(properties) },
});

describe('a tool of an unknown agent', () => {
  it.each<[IntentName, OfferedTool, string]>([
    ['write_file', offer('SaveFile', 'fileName! body!'), '{"fileName":"a.txt","body":"hi"}'],
    ['write_file', offer('write_to_file', 'target_file! file_text!'), '{"target_file":"a.txt","file_text":"hi"}'],
    ['write_file', offer('save_document', 'filename! body!'), '{"filename":"a.txt","body":"hi"}'],
    ['write_file', offer('put', 'path! contents!'), '{"path":"a.txt","contents":"hi"}'],
    ['write_file', offer('fs_put', 'path! content!'), '{"path":"a.txt","content":"hi"}'],
    ['write_file', offer('file_write', 'file! content!'), '{"file":"a.txt","content":"hi"}'],
    // crewai_tools
    ['write_file', offer('File Writer Tool', 'filename! content!'), '{"filename":"a.txt","content":"hi"}'],
    ['read_file', offer("Read a file's content", 'file_path!'), '{"file_path":"a.txt"}'],
    ['read_file', offer('file_read', 'file! start_line:integer'), '{"file":"a.txt"}'],
    ['read_file', offer('get_document', 'document_name!'), '{"document_name":"a.txt"}'],
    [
      'edit_file',
      offer('file_str_replace', 'file! old_str! new_str!'),
      '{"file":"a.txt","old_str":"one","new_str":"two"}',
    ],
    ['search_files', offer('fs_search', 'pattern! path'), '{"path":"src","pattern":"x+"}'],
    ['list_files', offer('file_list', 'pattern! path'), '{"path":"src","pattern":"*.ts"}'],
    ['read_file', offer('view', 'file_path! limit:integer'), '{"file_path":"a.txt"}'],
    ['read_file', offer('ReadFile', 'path! line_offset:integer'), '{"path":"a.txt"}'],
    ['edit_file', offer('StrReplaceFile', 'path! old! new!'), '{"path":"a.txt","old":"one","new":"two"}'],
    ['edit_file', offer('modify_file', 'file! search! replace!'), '{"file":"a.txt","search":"one","replace":"two"}'],
    ['shell', offer('developer__shell', 'command!'), '{"command":"ls"}'],
    ['shell', offer('mcp__box__run_command', 'command!'), '{"command":"ls"}'],
    ['shell', offer('shell', 'command!'), '{"command":"ls"}'],
    ['shell', offer('execute_bash', 'command! timeout:number'), '{"command":"ls"}'],
    ['shell', offer('runInTerminal', 'command! explanation!'), '{"command":"ls","explanation":"Run a command."}'],
    ['list_files', offer('find_by_name', 'glob! SearchDirectory'), '{"SearchDirectory":"src","glob":"*.ts"}'],
    ['search_files', offer('grep_code', 'regex! directory'), '{"directory":"src","regex":"x+"}'],
  ])('is called for %s by its name and arguments: $1.name', (intent, tool, expected) => {
    expect(call(INTENTS[intent], tool)).toBe(`${tool.name} ${expected}`);
  });

  it('gets values for other required arguments that their schema determines', () => {
    const properties = {
      command: { type: 'string' },
      account: { type: ['string', 'null'] },
      environment: { anyOf: [{ type: 'object' }, { type: 'null' }] },
      version: { const: 2 },
      shell: { type: 'string', default: 'sh' },
      mode: { type: 'string', enum: ['fg', 'bg'] },
      wait: { type: 'boolean' },
      reason: { type: 'string' },
    };
    expect(call(INTENTS.shell, withProperties('run', properties))).toBe(
      'run {"command":"ls","account":null,"environment":null,"version":2,"shell":"sh","mode":"fg","wait":false,' +
        '"reason":"Run a command."}',
    );
  });

  it('gets a required argument with the name of a property of every object', () => {
    const properties = { command: { type: 'string' }, valueOf: { type: 'boolean' } };
    expect(call(INTENTS.shell, withProperties('run', properties))).toBe('run {"command":"ls","valueOf":false}');
  });

  it('is not called if an argument with such a name cannot be filled', () => {
    const properties = { command: { type: 'string' }, valueOf: { type: 'string' } };
    expect(call(INTENTS.shell, withProperties('run', properties))).toBe('nothing');
  });

  it('gets a pattern for everything, or the current directory, if the intent lacks it', () => {
    const tool = offer('list_dir', 'pattern! dir!');
    expect(call({ intent: 'list_files', path: 'src' }, tool)).toBe('list_dir {"dir":"src","pattern":"*"}');
    expect(call({ intent: 'list_files', pattern: '*' }, tool)).toBe('list_dir {"pattern":"*","dir":"."}');
  });

  it('gets an absolute path if its description says so', () => {
    const absolute = { path: { type: 'string', description: 'Absolute path of the file' } };
    const plain = { path: { type: 'string', description: 'Path of the file' } };
    expect(call(INTENTS.read_file, withProperties('open', absolute))).toBe('open {"path":"/w/a.txt"}');
    expect(call(INTENTS.read_file, withProperties('open', plain, 'Takes absolute paths.'))).toBe(
      'open {"path":"/w/a.txt"}',
    );
    expect(call(INTENTS.read_file, withProperties('open', plain))).toBe('open {"path":"a.txt"}');
  });

  it.each<[string, IntentName, OfferedTool]>([
    ['another name', 'read_file', offer('fetch_page', 'path!')],
    ['a name with another object', 'list_files', offer('list_agents', 'path')],
    ['an argument that is not the path of a file', 'read_file', offer('read', 'url!')],
    ['no argument for a text of the intent', 'write_file', offer('write', 'path!')],
    ['an unknown required argument', 'read_file', offer('open_file', 'owner! repo! file_path!')],
    ['a path to choose', 'read_file', offer('read', 'file!:enum=a|b')],
    ['no schema', 'read_file', { name: 'open_file', input: 'json' }],
    [
      'a broken schema',
      'read_file',
      { name: 'open_file', input: 'json', parameters: { properties: 5, required: 'x' } },
    ],
  ])('is passed over for %s', (_name, intent, tool) => {
    expect(call(INTENTS[intent], tool)).toBe('nothing');
  });

  it('is passed over in favor of the shell', () => {
    const github = offer('open_file', 'owner! repo! file!');
    expect(call(INTENTS.read_file, github, offer('bash', 'command!'))).toBe(`bash {"command":"cat -- 'a.txt'"}`);
  });
});

describe('a tool of a server of the Model Context Protocol', () => {
  const edits = { path: { type: 'string' }, edits: { type: 'array', items: { type: 'object' } } };
  const named = ['mcp__files__', 'files__', 'mcp_files_', 'files_'];
  it.each(named)('is found behind %s', (before) => {
    const edit = withProperties(`${before}edit_file`, edits);
    expect(call(INTENTS.edit_file, edit)).toBe(
      `${edit.name} {"path":"/w/a.txt","edits":[{"oldText":"one","newText":"two"}]}`,
    );
    const read = offer(`${before}read_text_file`, 'path! head:number');
    expect(call(INTENTS.read_file, read)).toBe(`${read.name} {"path":"/w/a.txt"}`);
    // A tool of the agent comes first.
    const own = offer('Read', 'file_path!');
    expect(call(INTENTS.read_file, read, own)).toBe('Read {"file_path":"/w/a.txt"}');
  });
});
