import { describe, expect, it } from 'vitest';
import type { OfferedTool } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { explainNotOffered, resolveIntent } from '../../../../../mock-llm-server/reply/intents/resolve-intent.ts';
import { findWorkingDirectory } from '../../../../../mock-llm-server/reply/intents/working-directory.ts';
import type { Intent } from '../../../../../mock-llm-server/scenario/format/intent-format.ts';
import { conversation, user } from '../../builders.ts';
import { AGENTS, type AgentFixture, type AgentName, offer, offerText } from './agents.ts';
import { CAPTURED_AGENTS } from './captured-agents.ts';
import { INTENTS, showCall } from './show-call.ts';

const CODEX = CAPTURED_AGENTS['Codex 0.169.0, gpt-5.5'];

/** Calls by agent and intent, one row for each pair. `$COMMAND` stands for the intent as a command line. */
const CALLS: readonly (readonly [AgentName, keyof typeof INTENTS, string])[] = [
  // Claude Code
  ['Claude Code', 'write', 'Write {"file_path":"/w/p/docs/a.txt","content":"hi\\n"}'],
  ['Claude Code', 'read', 'Read {"file_path":"/w/p/docs/a.txt"}'],
  ['Claude Code', 'edit', 'Edit {"file_path":"/w/p/docs/a.txt","old_string":"hi","new_string":"ho"}'],
  ['Claude Code', 'shell', 'Bash {"command":"npm test"}'],
  ['Claude Code', 'find', 'Glob {"pattern":"*.ts"}'],
  ['Claude Code', 'list', 'Glob {"pattern":"*","path":"/w/p/src"}'],
  ['Claude Code', 'search', 'Grep {"pattern":"needle","path":"/w/p/src","output_mode":"content"}'],
  // Codex, older
  ['Codex, older', 'write', 'shell {"command":["sh","-c",$COMMAND]}'],
  ['Codex, older', 'read', 'shell {"command":["sh","-c",$COMMAND]}'],
  ['Codex, older', 'edit', 'shell {"command":["sh","-c",$COMMAND]}'],
  ['Codex, older', 'shell', 'shell {"command":["sh","-c","npm test"]}'],
  ['Codex, older', 'find', 'shell {"command":["sh","-c",$COMMAND]}'],
  ['Codex, older', 'list', 'shell {"command":["sh","-c",$COMMAND]}'],
  ['Codex, older', 'search', 'shell {"command":["sh","-c",$COMMAND]}'],
  // qwen-code
  ['qwen-code', 'write', 'write_file {"file_path":"/w/p/docs/a.txt","content":"hi\\n"}'],
  ['qwen-code', 'read', 'read_file {"file_path":"/w/p/docs/a.txt"}'],
  ['qwen-code', 'edit', 'edit {"file_path":"/w/p/docs/a.txt","old_string":"hi","new_string":"ho"}'],
  ['qwen-code', 'shell', 'run_shell_command {"command":"npm test","is_background":false}'],
  ['qwen-code', 'find', 'glob {"pattern":"*.ts"}'],
  ['qwen-code', 'list', 'list_directory {"path":"/w/p/src"}'],
  ['qwen-code', 'search', 'search_file_content {"pattern":"needle","path":"/w/p/src"}'],
  // Gemini CLI, older
  ['Gemini CLI, older', 'write', 'write_file {"file_path":"/w/p/docs/a.txt","content":"hi\\n"}'],
  ['Gemini CLI, older', 'read', 'read_file {"absolute_path":"/w/p/docs/a.txt"}'],
  ['Gemini CLI, older', 'edit', 'nothing'],
  ['Gemini CLI, older', 'shell', 'nothing'],
  ['Gemini CLI, older', 'find', 'nothing'],
  ['Gemini CLI, older', 'list', 'nothing'],
  ['Gemini CLI, older', 'search', 'nothing'],
  // opencode
  ['opencode', 'write', 'write {"filePath":"/w/p/docs/a.txt","content":"hi\\n"}'],
  ['opencode', 'read', 'read {"filePath":"/w/p/docs/a.txt"}'],
  ['opencode', 'edit', 'edit {"filePath":"/w/p/docs/a.txt","oldString":"hi","newString":"ho"}'],
  ['opencode', 'shell', 'bash {"command":"npm test","description":"Run a command."}'],
  ['opencode', 'find', 'glob {"pattern":"*.ts"}'],
  ['opencode', 'list', 'glob {"pattern":"*","path":"/w/p/src"}'],
  ['opencode', 'search', 'grep {"pattern":"needle","path":"/w/p/src"}'],
  // opencode with gpt
  [
    'opencode with gpt',
    'write',
    'apply_patch {"patchText":"*** Begin Patch\\n*** Add File: docs/a.txt\\n+hi\\n*** End Patch"}',
  ],
  ['opencode with gpt', 'read', 'read {"filePath":"/w/p/docs/a.txt"}'],
  ['opencode with gpt', 'edit', 'bash {"command":$COMMAND,"description":"Run a command."}'],
  ['opencode with gpt', 'shell', 'bash {"command":"npm test","description":"Run a command."}'],
  ['opencode with gpt', 'find', 'glob {"pattern":"*.ts"}'],
  ['opencode with gpt', 'list', 'glob {"pattern":"*","path":"/w/p/src"}'],
  ['opencode with gpt', 'search', 'grep {"pattern":"needle","path":"/w/p/src"}'],
  // Kilo
  ['Kilo', 'write', 'write {"filePath":"/w/p/docs/a.txt","content":"hi\\n"}'],
  ['Kilo', 'read', 'read {"filePath":"/w/p/docs/a.txt"}'],
  ['Kilo', 'edit', 'edit {"filePath":"/w/p/docs/a.txt","oldString":"hi","newString":"ho"}'],
  ['Kilo', 'shell', 'bash {"command":"npm test","description":"Run a command."}'],
  ['Kilo', 'find', 'glob {"pattern":"*.ts"}'],
  ['Kilo', 'list', 'list {"path":"/w/p/src"}'],
  ['Kilo', 'search', 'grep {"pattern":"needle","path":"/w/p/src"}'],
  // pi
  ['pi', 'write', 'write {"path":"docs/a.txt","content":"hi\\n"}'],
  ['pi', 'read', 'read {"path":"docs/a.txt"}'],
  ['pi', 'edit', 'edit {"path":"docs/a.txt","oldText":"hi","newText":"ho"}'],
  ['pi', 'shell', 'bash {"command":"npm test"}'],
  ['pi', 'find', 'bash {"command":$COMMAND}'],
  ['pi', 'list', 'bash {"command":$COMMAND}'],
  ['pi', 'search', 'bash {"command":$COMMAND}'],
  // pi, all tools
  ['pi, all tools', 'write', 'write {"path":"docs/a.txt","content":"hi\\n"}'],
  ['pi, all tools', 'read', 'read {"path":"docs/a.txt"}'],
  ['pi, all tools', 'edit', 'edit {"path":"docs/a.txt","edits":[{"oldText":"hi","newText":"ho"}]}'],
  ['pi, all tools', 'shell', 'bash {"command":"npm test"}'],
  ['pi, all tools', 'find', 'find {"pattern":"*.ts"}'],
  ['pi, all tools', 'list', 'ls {"path":"src"}'],
  ['pi, all tools', 'search', 'grep {"pattern":"needle","path":"/w/p/src"}'],
  // Copilot CLI
  ['Copilot CLI', 'write', 'create {"path":"/w/p/docs/a.txt","file_text":"hi\\n"}'],
  ['Copilot CLI', 'read', 'view {"path":"/w/p/docs/a.txt"}'],
  ['Copilot CLI', 'edit', 'edit {"path":"/w/p/docs/a.txt","old_str":"hi","new_str":"ho"}'],
  ['Copilot CLI', 'shell', 'bash {"command":"npm test","description":"Run a command."}'],
  ['Copilot CLI', 'find', 'glob {"pattern":"*.ts"}'],
  ['Copilot CLI', 'list', 'glob {"pattern":"*","path":"/w/p/src"}'],
  ['Copilot CLI', 'search', 'grep {"pattern":"needle","path":"/w/p/src"}'],
  // Copilot CLI, older
  ['Copilot CLI, older', 'write', 'nothing'],
  ['Copilot CLI, older', 'read', 'view {"path":"/w/p/docs/a.txt"}'],
  ['Copilot CLI, older', 'edit', 'str_replace {"path":"/w/p/docs/a.txt","old_str":"hi","new_str":"ho"}'],
  ['Copilot CLI, older', 'shell', 'nothing'],
  ['Copilot CLI, older', 'find', 'nothing'],
  ['Copilot CLI, older', 'list', 'nothing'],
  ['Copilot CLI, older', 'search', 'nothing'],
  // Continue
  ['Continue', 'write', 'Write {"filepath":"/w/p/docs/a.txt","content":"hi\\n"}'],
  ['Continue', 'read', 'Read {"filepath":"/w/p/docs/a.txt"}'],
  ['Continue', 'edit', 'Edit {"file_path":"/w/p/docs/a.txt","old_string":"hi","new_string":"ho"}'],
  ['Continue', 'shell', 'Bash {"command":"npm test"}'],
  ['Continue', 'find', 'Bash {"command":$COMMAND}'],
  ['Continue', 'list', 'List {"dirpath":"/w/p/src"}'],
  ['Continue', 'search', 'Search {"pattern":"needle","path":"/w/p/src"}'],
  // Continue with other models
  ['Continue with other models', 'write', 'Bash {"command":$COMMAND}'],
  ['Continue with other models', 'read', 'Bash {"command":$COMMAND}'],
  [
    'Continue with other models',
    'edit',
    'MultiEdit {"file_path":"/w/p/docs/a.txt","edits":[{"old_string":"hi","new_string":"ho"}]}',
  ],
  ['Continue with other models', 'shell', 'Bash {"command":"npm test"}'],
  ['Continue with other models', 'find', 'Bash {"command":$COMMAND}'],
  ['Continue with other models', 'list', 'Bash {"command":$COMMAND}'],
  ['Continue with other models', 'search', 'Bash {"command":$COMMAND}'],
  // ybs
  ['ybs', 'write', 'write_file {"path":"docs/a.txt","content":"hi\\n"}'],
  ['ybs', 'read', 'read_file {"path":"docs/a.txt"}'],
  ['ybs', 'edit', 'edit_file {"path":"docs/a.txt","old_text":"hi","new_text":"ho"}'],
  ['ybs', 'shell', 'run_shell {"command":"npm test"}'],
  ['ybs', 'find', 'list_files {"pattern":"*.ts"}'],
  ['ybs', 'list', 'list_files {"pattern":"*","path":"src"}'],
  ['ybs', 'search', 'search_files {"pattern":"needle","path":"src"}'],
  // an agent with the editor of Anthropic
  [
    'an agent with the editor of Anthropic',
    'write',
    'str_replace_based_edit_tool {"command":"create","path":"/w/p/docs/a.txt","file_text":"hi\\n"}',
  ],
  [
    'an agent with the editor of Anthropic',
    'read',
    'str_replace_based_edit_tool {"command":"view","path":"/w/p/docs/a.txt"}',
  ],
  [
    'an agent with the editor of Anthropic',
    'edit',
    'str_replace_based_edit_tool {"command":"str_replace","path":"/w/p/docs/a.txt","old_str":"hi","new_str":"ho"}',
  ],
  ['an agent with the editor of Anthropic', 'shell', 'bash {"command":"npm test"}'],
  ['an agent with the editor of Anthropic', 'find', 'bash {"command":$COMMAND}'],
  ['an agent with the editor of Anthropic', 'list', 'bash {"command":$COMMAND}'],
  ['an agent with the editor of Anthropic', 'search', 'bash {"command":$COMMAND}'],
  // The file server of MCP
  ['the file server of MCP', 'write', 'write_file {"path":"docs/a.txt","content":"hi\\n"}'],
  ['the file server of MCP', 'read', 'read_file {"path":"docs/a.txt"}'],
  ['the file server of MCP', 'edit', 'edit_file {"path":"docs/a.txt","edits":[{"oldText":"hi","newText":"ho"}]}'],
  ['the file server of MCP', 'shell', 'nothing'],
  ['the file server of MCP', 'find', 'search_files {"pattern":"*.ts","path":"."}'],
  ['the file server of MCP', 'list', 'list_directory {"path":"src"}'],
  ['the file server of MCP', 'search', 'nothing'],
];

it.each(CALLS)('%s is sent the intent %s as %s', (agent, intent, expected) => {
  const { tools, system, user: text }: AgentFixture = AGENTS[agent];
  const said = { ...conversation(user(text ?? 'hello')), system: system === undefined ? [] : [system] };
  expect(showCall(INTENTS[intent], tools, findWorkingDirectory(said))).toBe(expected);
});

it('the table has a row for every intent and every agent', () => {
  expect(new Set(CALLS.map(([agent, intent]) => `${agent}: ${intent}`)).size).toBe(
    Object.keys(AGENTS).length * Object.keys(INTENTS).length,
  );
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
