import { describe, expect, it } from 'vitest';
import { findWorkingDirectory } from '../../../../../mock-llm-server/reply/intents/working-directory.ts';
import { conversation, user } from '../../builders.ts';
import { AGENTS, type AgentFixture, type AgentName } from './agents.ts';
import { CAPTURED_AGENTS, type CapturedAgent } from './captured-agents.ts';
import { INTENTS, type IntentName, showCall } from './show-call.ts';

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
