import { describe, expect, it } from 'vitest';
import type { OfferedTool } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { explainNotOffered, resolveIntent } from '../../../../../mock-llm-server/reply/intents/resolve-intent.ts';
import type { Intent } from '../../../../../mock-llm-server/scenario/format/intent-format.ts';
import { AGENTS, offer, offerText } from './agents.ts';
import { CAPTURED_AGENTS } from './captured-agents.ts';
import { INTENTS, showCall } from './show-call.ts';

const CODEX = CAPTURED_AGENTS['Codex 0.169.0, gpt-5.5'];

describe('a text that a patch cannot express', () => {
  it.each([
    ['no line feed at the end', 'hi'],
    ['CRLF', 'a\r\nb\r\n'],
    ['nothing', ''],
  ])('is written with the shell: %s', (_name, content) => {
    const intent: Intent = { intent: 'write_file', path: 'a.txt', content };
    expect(showCall(intent, CODEX.tools, '/w/p')).toBe('exec_command {"cmd":$COMMAND}');
  });

  it('differs from one that a patch can express', () => {
    const intent: Intent = { intent: 'write_file', path: 'a.txt', content: 'a\n\n+b\n\n' };
    const patch = '*** Begin Patch\n*** Add File: a.txt\n+a\n+\n++b\n+\n*** End Patch';
    expect(showCall(intent, CODEX.tools, '/w/p')).toBe(`apply_patch ${patch}`);
  });
});

describe('a tool that writes only into existing directories', () => {
  const create = offer('create', 'path! file_text!', {
    description: 'Tool for creating new files.\n* Parent directories must exist before creating the file',
  });
  const write = (path: string, ...tools: OfferedTool[]) =>
    showCall({ intent: 'write_file', path, content: 'hi\n' }, tools, '/w');

  it.each([
    ['is called for a file without a directory', 'a.txt', 'create {"path":"/w/a.txt","file_text":"hi\\n"}'],
    ['gives way to a command for a file in a directory', 'docs/a.txt', 'bash {"command":$COMMAND}'],
    ['gives way to a command for an absolute path', '/w/docs/a.txt', 'bash {"command":$COMMAND}'],
  ])('%s', (_name, path, expected) => {
    expect(write(path, create, offer('bash', 'command!'))).toBe(expected);
  });

  it('is called if there is no shell', () => {
    expect(write('docs/a.txt', create)).toBe('create {"path":"/w/docs/a.txt","file_text":"hi\\n"}');
  });
});

describe('a path', () => {
  const read = (path: string, directory: string | undefined, tool = AGENTS['Claude Code'].tools) =>
    showCall({ intent: 'read_file', path }, tool, directory);

  it.each([
    ['stays absolute', '/etc/hosts', '/w/p', '/etc/hosts'],
    ['is resolved if it is relative', './a/../b.txt', '/w/p', '/w/p/b.txt'],
    ['is resolved if it leads upwards', '../b.txt', '/w/p', '/w/b.txt'],
    ['gets the separators of Windows', 'src/b.txt', 'C:\\w\\p', 'C:\\w\\p\\src\\b.txt'],
    ['stays absolute on Windows', 'C:\\x.txt', 'C:\\w', 'C:\\x.txt'],
    ['stays relative if the directory is unknown', 'b.txt', undefined, 'b.txt'],
  ])('%s', (_name, path, directory, expected) => {
    expect(read(path, directory)).toBe(`Read ${JSON.stringify({ file_path: expected })}`);
  });
});

describe('a tool with a known name and other arguments', () => {
  it('is called with its own arguments', () => {
    const tools = [offer('Write', 'fileName! body!')];
    expect(showCall(INTENTS.write, tools, '/w/p')).toBe('Write {"fileName":"docs/a.txt","body":"hi\\n"}');
  });

  it('is passed over if its arguments do not fit', () => {
    const tools = [offer('Write', 'essay! style!'), offer('bash', 'command!')];
    expect(showCall(INTENTS.write, tools, '/w/p')).toBe('bash {"command":$COMMAND}');
  });

  it('is passed over if it takes a text', () => {
    expect(showCall(INTENTS.write, [offerText('Write'), offer('bash', 'command!')], '/w/p')).toBe(
      'bash {"command":$COMMAND}',
    );
  });
});

it('a known tool gets the simplest values for its other required arguments', () => {
  const tool = offer('bash', 'command! seconds!:number tags!:strings options!:object wait!:boolean note!');
  expect(showCall(INTENTS.shell, [tool], '/w/p')).toBe(
    'bash {"command":"npm test","seconds":1,"tags":[],"options":{},"wait":false,"note":"Run a command."}',
  );
});

it('an intent that no tool can carry out is explained with the offered tools', () => {
  const tools = [offer('weather', 'city!'), offerText('poem', 'ns')];
  expect(resolveIntent({ intent: INTENTS.shell, tools, directory: undefined })).toBeUndefined();
  expect(explainNotOffered(INTENTS.shell, tools)).toBe(
    'No tool of this client can carry out the intent "shell"; the client offers weather, ns.poem. Name one of its ' +
      'tools in the scenario file, such as "intents": {"shell": "your_tool(command)"}, or configure the client to offer a ' +
      'suitable tool or a shell.',
  );
  expect(explainNotOffered(INTENTS.read, [])).toContain('the client offers no tools');
  const own = [offer('get_weather', 'city!'), offer('store_page', 'slug! content! draft:boolean')];
  expect(explainNotOffered(INTENTS.write, own)).toContain('{"write_file": "store_page(slug=path, content)"}');
});

it('a NUL is refused, because no command line can contain it', () => {
  const tools = [offer('bash', 'command!')];
  expect(showCall({ intent: 'edit_file', path: 'a', old_text: '\0', new_text: 'x' }, tools, undefined)).toBe('nothing');
  expect(showCall({ intent: 'write_file', path: 'a', content: '\0' }, tools, undefined)).toBe('nothing');
});

describe('the file server of MCP', () => {
  const { tools } = AGENTS['the file server of MCP'];
  const only = (...names: readonly string[]) => tools.filter(({ name }) => names.includes(name));
  const within: Intent = { intent: 'list_files', pattern: '*.ts', path: 'src' };

  it.each<readonly [Intent, readonly string[], string]>([
    [within, ['list_directory', 'search_files'], 'search_files {"pattern":"*.ts","path":"/w/src"}'],
    [INTENTS.list, ['directory_tree', 'search_files'], 'directory_tree {"path":"/w/src"}'],
    [INTENTS.list, ['search_files'], 'search_files {"pattern":"*","path":"/w/src"}'],
    [INTENTS.read, ['read_text_file', 'read_media_file'], 'read_text_file {"path":"/w/docs/a.txt"}'],
    [INTENTS.search, ['search_files'], 'nothing'],
  ])('gets %j as a call of one of %j', (intent, names, expected) => {
    expect(showCall(intent, only(...names), '/w')).toBe(expected);
  });

  it('leaves the search in files to a shell', () => {
    const both = [...only('search_files'), offer('bash', 'command!')];
    expect(showCall(INTENTS.search, both, '/w')).toBe('bash {"command":$COMMAND}');
  });

  it('has a tool with the name of one that searches in files', () => {
    const tool = offer('search_files', 'path! pattern!', { description: 'Search for files that contain a pattern.' });
    expect(showCall(INTENTS.search, [tool], '/w')).toBe('search_files {"pattern":"needle","path":"src"}');
  });
});
