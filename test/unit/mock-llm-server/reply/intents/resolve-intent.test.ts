import { describe, expect, it } from 'vitest';
import type { OfferedTool } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { explainNotOffered, resolveIntent } from '../../../../../mock-llm-server/reply/intents/resolve-intent.ts';
import { findWorkingDirectory } from '../../../../../mock-llm-server/reply/intents/working-directory.ts';
import type { Intent } from '../../../../../mock-llm-server/scenario/format/intent-format.ts';
import { conversation, user } from '../../../../support/stories/builders.ts';
import { AGENTS, type AgentFixture, type AgentName, offer, offerText } from './agents.ts';
import { CAPTURED_AGENTS, type CapturedAgent } from './captured-agents.ts';
import { INTENTS, type IntentName, showCall } from './show-call.ts';

const CODEX = CAPTURED_AGENTS['Codex 0.169.0, gpt-5.5'];

/** The call of each intent. `others`: of the intents without an own one, which are `nothing` if it is absent, too. */
type Calls = Readonly<Partial<Record<IntentName | 'others', string>>>;

/** Calls by agent and intent. `$COMMAND` stands for the intent as a command line. */
const CALLS: Readonly<Record<AgentName | CapturedAgent, Calls>> = {
  'Claude Code': {
    write: 'Write {"file_path":"/w/p/docs/a.txt","content":"hi\\n"}',
    read: 'Read {"file_path":"/w/p/docs/a.txt"}',
    edit: 'Edit {"file_path":"/w/p/docs/a.txt","old_string":"hi","new_string":"ho"}',
    shell: 'Bash {"command":"npm test"}',
    find: 'Glob {"pattern":"*.ts"}',
    list: 'Glob {"pattern":"*","path":"/w/p/src"}',
    search: 'Grep {"pattern":"needle","path":"/w/p/src","output_mode":"content"}',
  },
  'Codex, older': {
    others: 'shell {"command":["sh","-c",$COMMAND]}',
    shell: 'shell {"command":["sh","-c","npm test"]}',
  },
  'qwen-code': {
    write: 'write_file {"file_path":"/w/p/docs/a.txt","content":"hi\\n"}',
    read: 'read_file {"file_path":"/w/p/docs/a.txt"}',
    edit: 'edit {"file_path":"/w/p/docs/a.txt","old_string":"hi","new_string":"ho"}',
    shell: 'run_shell_command {"command":"npm test","is_background":false}',
    find: 'glob {"pattern":"*.ts"}',
    list: 'list_directory {"path":"/w/p/src"}',
    search: 'search_file_content {"pattern":"needle","path":"/w/p/src"}',
  },
  'Gemini CLI, older': {
    write: 'write_file {"file_path":"/w/p/docs/a.txt","content":"hi\\n"}',
    read: 'read_file {"absolute_path":"/w/p/docs/a.txt"}',
  },
  Kilo: {
    write: 'write {"filePath":"/w/p/docs/a.txt","content":"hi\\n"}',
    read: 'read {"filePath":"/w/p/docs/a.txt"}',
    edit: 'edit {"filePath":"/w/p/docs/a.txt","oldString":"hi","newString":"ho"}',
    shell: 'bash {"command":"npm test","description":"Run a command."}',
    find: 'glob {"pattern":"*.ts"}',
    list: 'list {"path":"/w/p/src"}',
    search: 'grep {"pattern":"needle","path":"/w/p/src"}',
  },
  pi: {
    others: 'bash {"command":$COMMAND}',
    write: 'write {"path":"docs/a.txt","content":"hi\\n"}',
    read: 'read {"path":"docs/a.txt"}',
    edit: 'edit {"path":"docs/a.txt","oldText":"hi","newText":"ho"}',
    shell: 'bash {"command":"npm test"}',
  },
  'pi, all tools': {
    write: 'write {"path":"docs/a.txt","content":"hi\\n"}',
    read: 'read {"path":"docs/a.txt"}',
    edit: 'edit {"path":"docs/a.txt","edits":[{"oldText":"hi","newText":"ho"}]}',
    shell: 'bash {"command":"npm test"}',
    find: 'find {"pattern":"*.ts"}',
    list: 'ls {"path":"src"}',
    search: 'grep {"pattern":"needle","path":"/w/p/src"}',
  },
  'Copilot CLI, older': {
    read: 'view {"path":"/w/p/docs/a.txt"}',
    edit: 'str_replace {"path":"/w/p/docs/a.txt","old_str":"hi","new_str":"ho"}',
  },
  Continue: {
    others: 'Bash {"command":$COMMAND}',
    write: 'Write {"filepath":"/w/p/docs/a.txt","content":"hi\\n"}',
    read: 'Read {"filepath":"/w/p/docs/a.txt"}',
    edit: 'Edit {"file_path":"/w/p/docs/a.txt","old_string":"hi","new_string":"ho"}',
    shell: 'Bash {"command":"npm test"}',
    list: 'List {"dirpath":"/w/p/src"}',
    search: 'Search {"pattern":"needle","path":"/w/p/src"}',
  },
  ybs: {
    write: 'write_file {"path":"docs/a.txt","content":"hi\\n"}',
    read: 'read_file {"path":"docs/a.txt"}',
    edit: 'edit_file {"path":"docs/a.txt","old_text":"hi","new_text":"ho"}',
    shell: 'run_shell {"command":"npm test"}',
    find: 'list_files {"pattern":"*.ts"}',
    list: 'list_files {"pattern":"*","path":"src"}',
    search: 'search_files {"pattern":"needle","path":"src"}',
  },
  'an agent with the editor of Anthropic': {
    others: 'bash {"command":$COMMAND}',
    write: 'str_replace_based_edit_tool {"command":"create","path":"/w/p/docs/a.txt","file_text":"hi\\n"}',
    read: 'str_replace_based_edit_tool {"command":"view","path":"/w/p/docs/a.txt"}',
    edit: 'str_replace_based_edit_tool {"command":"str_replace","path":"/w/p/docs/a.txt","old_str":"hi","new_str":"ho"}',
    shell: 'bash {"command":"npm test"}',
  },
  'the file server of MCP': {
    write: 'write_file {"path":"docs/a.txt","content":"hi\\n"}',
    read: 'read_file {"path":"docs/a.txt"}',
    edit: 'edit_file {"path":"docs/a.txt","edits":[{"oldText":"hi","newText":"ho"}]}',
    find: 'search_files {"pattern":"*.ts","path":"."}',
    list: 'list_directory {"path":"src"}',
  },
  'Claude Code 2.1.329': {
    others: 'Bash {"command":$COMMAND}',
    write: 'Write {"file_path":"/w/p/docs/a.txt","content":"hi\\n"}',
    read: 'Read {"file_path":"/w/p/docs/a.txt"}',
    edit: 'Edit {"file_path":"/w/p/docs/a.txt","old_string":"hi","new_string":"ho"}',
    shell: 'Bash {"command":"npm test"}',
  },
  'Codex 0.169.0': {
    others: 'exec_command {"cmd":$COMMAND}',
    shell: 'exec_command {"cmd":"npm test"}',
  },
  'Codex 0.169.0, gpt-5.5': {
    others: 'exec_command {"cmd":$COMMAND}',
    write: 'apply_patch *** Begin Patch\n*** Add File: docs/a.txt\n+hi\n*** End Patch',
    shell: 'exec_command {"cmd":"npm test"}',
  },
  'Codex 0.169.0, gpt-6-sol': {
    others: 'functions.exec text(await tools.exec_command({cmd: $COMMAND}))',
    shell: 'functions.exec text(await tools.exec_command({cmd: "npm test"}))',
  },
  'Gemini CLI 0.61.0': {
    write: 'write_file {"file_path":"/w/p/docs/a.txt","content":"hi\\n"}',
    read: 'read_file {"file_path":"/w/p/docs/a.txt"}',
    edit: 'replace {"file_path":"/w/p/docs/a.txt","old_string":"hi","new_string":"ho","instruction":"Edit a file."}',
    shell: 'run_shell_command {"command":"npm test"}',
    find: 'glob {"pattern":"*.ts"}',
    list: 'list_directory {"dir_path":"/w/p/src"}',
    search: 'grep_search {"pattern":"needle","dir_path":"/w/p/src"}',
  },
  'pi 0.87.1': {
    others: 'bash {"command":$COMMAND}',
    write: 'write {"path":"docs/a.txt","content":"hi\\n"}',
    read: 'read {"path":"docs/a.txt"}',
    edit: 'edit {"path":"docs/a.txt","edits":[{"oldText":"hi","newText":"ho"}]}',
    shell: 'bash {"command":"npm test"}',
  },
  'opencode 1.18.33': {
    write: 'write {"filePath":"/w/p/docs/a.txt","content":"hi\\n"}',
    read: 'read {"filePath":"/w/p/docs/a.txt"}',
    edit: 'edit {"filePath":"/w/p/docs/a.txt","oldString":"hi","newString":"ho"}',
    shell: 'bash {"command":"npm test"}',
    find: 'glob {"pattern":"*.ts"}',
    list: 'glob {"pattern":"*","path":"/w/p/src"}',
    search: 'grep {"pattern":"needle","path":"/w/p/src"}',
  },
  'opencode 1.18.33, gpt-5': {
    others: 'bash {"command":$COMMAND}',
    write: 'apply_patch {"patchText":"*** Begin Patch\\n*** Add File: docs/a.txt\\n+hi\\n*** End Patch"}',
    read: 'read {"filePath":"/w/p/docs/a.txt"}',
    shell: 'bash {"command":"npm test"}',
    find: 'glob {"pattern":"*.ts"}',
    list: 'glob {"pattern":"*","path":"/w/p/src"}',
    search: 'grep {"pattern":"needle","path":"/w/p/src"}',
  },
  'Qwen Code 0.24.4': {
    write: 'write_file {"file_path":"/w/p/docs/a.txt","content":"hi\\n"}',
    read: 'read_file {"file_path":"/w/p/docs/a.txt"}',
    edit: 'edit {"file_path":"/w/p/docs/a.txt","old_string":"hi","new_string":"ho"}',
    shell: 'run_shell_command {"command":"npm test"}',
    find: 'glob {"pattern":"*.ts"}',
    list: 'glob {"pattern":"*","path":"/w/p/src"}',
    search: 'grep_search {"pattern":"needle","path":"/w/p/src"}',
  },
  'Copilot CLI 1.0.102': {
    others: 'bash {"command":$COMMAND,"description":"Run a command."}',
    read: 'view {"path":"/w/p/docs/a.txt"}',
    edit: 'edit {"path":"/w/p/docs/a.txt","old_str":"hi","new_str":"ho"}',
    shell: 'bash {"command":"npm test","description":"Run a command."}',
    find: 'glob {"pattern":"*.ts"}',
    list: 'glob {"pattern":"*","paths":"/w/p/src"}',
    search: 'grep {"pattern":"needle","paths":"/w/p/src","output_mode":"content"}',
  },
  'Continue 1.5.47': {
    others: 'Bash {"command":$COMMAND}',
    write: 'Write {"filepath":"/w/p/docs/a.txt","content":"hi\\n"}',
    read: 'Read {"filepath":"/w/p/docs/a.txt"}',
    edit: 'Edit {"file_path":"/w/p/docs/a.txt","old_string":"hi","new_string":"ho"}',
    shell: 'Bash {"command":"npm test"}',
    list: 'List {"dirpath":"/w/p/src"}',
  },
  'Continue 1.5.47, claude': {
    others: 'Bash {"command":$COMMAND}',
    write: 'Write {"filepath":"/w/p/docs/a.txt","content":"hi\\n"}',
    read: 'Read {"filepath":"/w/p/docs/a.txt"}',
    edit: 'MultiEdit {"file_path":"/w/p/docs/a.txt","edits":[{"old_string":"hi","new_string":"ho"}]}',
    shell: 'Bash {"command":"npm test"}',
    list: 'List {"dirpath":"/w/p/src"}',
  },
  'Cline 3.0.65': {
    others: 'run_commands {"commands":[$COMMAND]}',
    write: 'editor {"path":"/w/p/docs/a.txt","new_text":"hi\\n"}',
    read: 'read_files {"files":[{"path":"/w/p/docs/a.txt"}]}',
    edit: 'editor {"path":"/w/p/docs/a.txt","old_text":"hi","new_text":"ho"}',
    shell: 'run_commands {"commands":["npm test"]}',
  },
  'Cline 3.0.65, openai-native': {
    others: 'run_commands {"commands":[$COMMAND]}',
    read: 'read_files {"files":[{"path":"/w/p/docs/a.txt"}]}',
    shell: 'run_commands {"commands":["npm test"]}',
  },
  'Droid 0.215.0': {
    write: 'Create {"file_path":"/w/p/docs/a.txt","content":"hi\\n"}',
    read: 'Read {"file_path":"/w/p/docs/a.txt"}',
    edit: 'Edit {"file_path":"/w/p/docs/a.txt","old_str":"hi","new_str":"ho"}',
    shell:
      'Execute {"command":"npm test","riskLevel":"low","summary":"Run a command.","riskLevelReason":"Run a command."}',
    find: 'Glob {"patterns":["*.ts"]}',
    list: 'LS {"directory_path":"/w/p/src"}',
    search: 'Grep {"pattern":"needle","path":"/w/p/src","output_mode":"content"}',
  },
  'Kilo 7.7.7': {
    write: 'write {"filePath":"/w/p/docs/a.txt","content":"hi\\n"}',
    read: 'read {"filePath":"/w/p/docs/a.txt"}',
    edit: 'edit {"filePath":"/w/p/docs/a.txt","oldString":"hi","newString":"ho"}',
    shell: 'bash {"command":"npm test"}',
    find: 'glob {"pattern":"*.ts"}',
    list: 'glob {"pattern":"*","path":"/w/p/src"}',
    search: 'grep {"pattern":"needle","path":"/w/p/src"}',
  },
};

const FIXTURES: Readonly<Record<string, AgentFixture>> = { ...AGENTS, ...CAPTURED_AGENTS };

describe.each(Object.entries<Calls>(CALLS))('%s', (agent, calls) => {
  it.each(Object.entries(INTENTS))('gets the call for the intent %s', (name, intent) => {
    const { tools, system, user: text } = FIXTURES[agent] ?? { tools: [] };
    const said = { ...conversation(user(text ?? 'hello')), system: system === undefined ? [] : [system] };
    const own = Object.entries(calls).find(([key]) => key === name)?.[1];
    expect(showCall(intent, tools, findWorkingDirectory(said))).toBe(own ?? calls.others ?? 'nothing');
  });
});

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
