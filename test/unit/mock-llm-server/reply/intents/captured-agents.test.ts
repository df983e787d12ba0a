import { expect, it } from 'vitest';
import { findWorkingDirectory } from '../../../../../mock-llm-server/reply/intents/working-directory.ts';
import { conversation } from '../../builders.ts';
import type { AgentFixture } from './agents.ts';
import { CAPTURED_AGENTS, type CapturedAgent } from './captured-agents.ts';
import { INTENTS, showCall } from './show-call.ts';

/** Calls by agent and intent. `$COMMAND` stands for the intent as a command line. */
const CALLS: readonly (readonly [CapturedAgent, keyof typeof INTENTS, string])[] = [
  // Claude Code 2.1.329
  ['Claude Code 2.1.329', 'write', 'Write {"file_path":"/w/p/docs/a.txt","content":"hi\\n"}'],
  ['Claude Code 2.1.329', 'read', 'Read {"file_path":"/w/p/docs/a.txt"}'],
  ['Claude Code 2.1.329', 'edit', 'Edit {"file_path":"/w/p/docs/a.txt","old_string":"hi","new_string":"ho"}'],
  ['Claude Code 2.1.329', 'shell', 'Bash {"command":"npm test"}'],
  ['Claude Code 2.1.329', 'find', 'Bash {"command":$COMMAND}'],
  ['Claude Code 2.1.329', 'list', 'Bash {"command":$COMMAND}'],
  ['Claude Code 2.1.329', 'search', 'Bash {"command":$COMMAND}'],
  // Codex 0.169.0
  ['Codex 0.169.0', 'write', 'exec_command {"cmd":$COMMAND}'],
  ['Codex 0.169.0', 'read', 'exec_command {"cmd":$COMMAND}'],
  ['Codex 0.169.0', 'edit', 'exec_command {"cmd":$COMMAND}'],
  ['Codex 0.169.0', 'shell', 'exec_command {"cmd":"npm test"}'],
  ['Codex 0.169.0', 'find', 'exec_command {"cmd":$COMMAND}'],
  ['Codex 0.169.0', 'list', 'exec_command {"cmd":$COMMAND}'],
  ['Codex 0.169.0', 'search', 'exec_command {"cmd":$COMMAND}'],
  // Codex 0.169.0, gpt-5.5
  ['Codex 0.169.0, gpt-5.5', 'write', 'apply_patch *** Begin Patch\n*** Add File: docs/a.txt\n+hi\n*** End Patch'],
  ['Codex 0.169.0, gpt-5.5', 'read', 'exec_command {"cmd":$COMMAND}'],
  ['Codex 0.169.0, gpt-5.5', 'edit', 'exec_command {"cmd":$COMMAND}'],
  ['Codex 0.169.0, gpt-5.5', 'shell', 'exec_command {"cmd":"npm test"}'],
  ['Codex 0.169.0, gpt-5.5', 'find', 'exec_command {"cmd":$COMMAND}'],
  ['Codex 0.169.0, gpt-5.5', 'list', 'exec_command {"cmd":$COMMAND}'],
  ['Codex 0.169.0, gpt-5.5', 'search', 'exec_command {"cmd":$COMMAND}'],
  // Codex 0.169.0, gpt-6-sol
  ['Codex 0.169.0, gpt-6-sol', 'write', 'functions.exec text(await tools.exec_command({cmd: $COMMAND}))'],
  ['Codex 0.169.0, gpt-6-sol', 'read', 'functions.exec text(await tools.exec_command({cmd: $COMMAND}))'],
  ['Codex 0.169.0, gpt-6-sol', 'edit', 'functions.exec text(await tools.exec_command({cmd: $COMMAND}))'],
  ['Codex 0.169.0, gpt-6-sol', 'shell', 'functions.exec text(await tools.exec_command({cmd: "npm test"}))'],
  ['Codex 0.169.0, gpt-6-sol', 'find', 'functions.exec text(await tools.exec_command({cmd: $COMMAND}))'],
  ['Codex 0.169.0, gpt-6-sol', 'list', 'functions.exec text(await tools.exec_command({cmd: $COMMAND}))'],
  ['Codex 0.169.0, gpt-6-sol', 'search', 'functions.exec text(await tools.exec_command({cmd: $COMMAND}))'],
  // Gemini CLI 0.61.0
  ['Gemini CLI 0.61.0', 'write', 'write_file {"file_path":"/w/p/docs/a.txt","content":"hi\\n"}'],
  ['Gemini CLI 0.61.0', 'read', 'read_file {"file_path":"/w/p/docs/a.txt"}'],
  [
    'Gemini CLI 0.61.0',
    'edit',
    'replace {"file_path":"/w/p/docs/a.txt","old_string":"hi","new_string":"ho","instruction":"Edit a file."}',
  ],
  ['Gemini CLI 0.61.0', 'shell', 'run_shell_command {"command":"npm test"}'],
  ['Gemini CLI 0.61.0', 'find', 'glob {"pattern":"*.ts"}'],
  ['Gemini CLI 0.61.0', 'list', 'list_directory {"dir_path":"/w/p/src"}'],
  ['Gemini CLI 0.61.0', 'search', 'grep_search {"pattern":"needle","dir_path":"/w/p/src"}'],
  // pi 0.87.1
  ['pi 0.87.1', 'write', 'write {"path":"docs/a.txt","content":"hi\\n"}'],
  ['pi 0.87.1', 'read', 'read {"path":"docs/a.txt"}'],
  ['pi 0.87.1', 'edit', 'edit {"path":"docs/a.txt","edits":[{"oldText":"hi","newText":"ho"}]}'],
  ['pi 0.87.1', 'shell', 'bash {"command":"npm test"}'],
  ['pi 0.87.1', 'find', 'bash {"command":$COMMAND}'],
  ['pi 0.87.1', 'list', 'bash {"command":$COMMAND}'],
  ['pi 0.87.1', 'search', 'bash {"command":$COMMAND}'],
  // opencode 1.18.33
  ['opencode 1.18.33', 'write', 'write {"filePath":"/w/p/docs/a.txt","content":"hi\\n"}'],
  ['opencode 1.18.33', 'read', 'read {"filePath":"/w/p/docs/a.txt"}'],
  ['opencode 1.18.33', 'edit', 'edit {"filePath":"/w/p/docs/a.txt","oldString":"hi","newString":"ho"}'],
  ['opencode 1.18.33', 'shell', 'bash {"command":"npm test"}'],
  ['opencode 1.18.33', 'find', 'glob {"pattern":"*.ts"}'],
  ['opencode 1.18.33', 'list', 'glob {"pattern":"*","path":"/w/p/src"}'],
  ['opencode 1.18.33', 'search', 'grep {"pattern":"needle","path":"/w/p/src"}'],
  // opencode 1.18.33, gpt-5
  [
    'opencode 1.18.33, gpt-5',
    'write',
    'apply_patch {"patchText":"*** Begin Patch\\n*** Add File: docs/a.txt\\n+hi\\n*** End Patch"}',
  ],
  ['opencode 1.18.33, gpt-5', 'read', 'read {"filePath":"/w/p/docs/a.txt"}'],
  ['opencode 1.18.33, gpt-5', 'edit', 'bash {"command":$COMMAND}'],
  ['opencode 1.18.33, gpt-5', 'shell', 'bash {"command":"npm test"}'],
  ['opencode 1.18.33, gpt-5', 'find', 'glob {"pattern":"*.ts"}'],
  ['opencode 1.18.33, gpt-5', 'list', 'glob {"pattern":"*","path":"/w/p/src"}'],
  ['opencode 1.18.33, gpt-5', 'search', 'grep {"pattern":"needle","path":"/w/p/src"}'],
  // Qwen Code 0.24.4
  ['Qwen Code 0.24.4', 'write', 'write_file {"file_path":"/w/p/docs/a.txt","content":"hi\\n"}'],
  ['Qwen Code 0.24.4', 'read', 'read_file {"file_path":"/w/p/docs/a.txt"}'],
  ['Qwen Code 0.24.4', 'edit', 'edit {"file_path":"/w/p/docs/a.txt","old_string":"hi","new_string":"ho"}'],
  ['Qwen Code 0.24.4', 'shell', 'run_shell_command {"command":"npm test"}'],
  ['Qwen Code 0.24.4', 'find', 'glob {"pattern":"*.ts"}'],
  ['Qwen Code 0.24.4', 'list', 'glob {"pattern":"*","path":"/w/p/src"}'],
  ['Qwen Code 0.24.4', 'search', 'grep_search {"pattern":"needle","path":"/w/p/src"}'],
  // Copilot CLI 1.0.102
  ['Copilot CLI 1.0.102', 'write', 'bash {"command":$COMMAND,"description":"Run a command."}'],
  ['Copilot CLI 1.0.102', 'read', 'view {"path":"/w/p/docs/a.txt"}'],
  ['Copilot CLI 1.0.102', 'edit', 'edit {"path":"/w/p/docs/a.txt","old_str":"hi","new_str":"ho"}'],
  ['Copilot CLI 1.0.102', 'shell', 'bash {"command":"npm test","description":"Run a command."}'],
  ['Copilot CLI 1.0.102', 'find', 'glob {"pattern":"*.ts"}'],
  ['Copilot CLI 1.0.102', 'list', 'glob {"pattern":"*","paths":"/w/p/src"}'],
  ['Copilot CLI 1.0.102', 'search', 'grep {"pattern":"needle","paths":"/w/p/src","output_mode":"content"}'],
  // Continue 1.5.47
  ['Continue 1.5.47', 'write', 'Write {"filepath":"/w/p/docs/a.txt","content":"hi\\n"}'],
  ['Continue 1.5.47', 'read', 'Read {"filepath":"/w/p/docs/a.txt"}'],
  ['Continue 1.5.47', 'edit', 'Edit {"file_path":"/w/p/docs/a.txt","old_string":"hi","new_string":"ho"}'],
  ['Continue 1.5.47', 'shell', 'Bash {"command":"npm test"}'],
  ['Continue 1.5.47', 'find', 'Bash {"command":$COMMAND}'],
  ['Continue 1.5.47', 'list', 'List {"dirpath":"/w/p/src"}'],
  ['Continue 1.5.47', 'search', 'Bash {"command":$COMMAND}'],
  // Continue 1.5.47, claude
  ['Continue 1.5.47, claude', 'write', 'Write {"filepath":"/w/p/docs/a.txt","content":"hi\\n"}'],
  ['Continue 1.5.47, claude', 'read', 'Read {"filepath":"/w/p/docs/a.txt"}'],
  [
    'Continue 1.5.47, claude',
    'edit',
    'MultiEdit {"file_path":"/w/p/docs/a.txt","edits":[{"old_string":"hi","new_string":"ho"}]}',
  ],
  ['Continue 1.5.47, claude', 'shell', 'Bash {"command":"npm test"}'],
  ['Continue 1.5.47, claude', 'find', 'Bash {"command":$COMMAND}'],
  ['Continue 1.5.47, claude', 'list', 'List {"dirpath":"/w/p/src"}'],
  ['Continue 1.5.47, claude', 'search', 'Bash {"command":$COMMAND}'],
  // Cline 3.0.65
  ['Cline 3.0.65', 'write', 'editor {"path":"/w/p/docs/a.txt","new_text":"hi\\n"}'],
  ['Cline 3.0.65', 'read', 'read_files {"files":[{"path":"/w/p/docs/a.txt"}]}'],
  ['Cline 3.0.65', 'edit', 'editor {"path":"/w/p/docs/a.txt","old_text":"hi","new_text":"ho"}'],
  ['Cline 3.0.65', 'shell', 'run_commands {"commands":["npm test"]}'],
  ['Cline 3.0.65', 'find', 'run_commands {"commands":[$COMMAND]}'],
  ['Cline 3.0.65', 'list', 'run_commands {"commands":[$COMMAND]}'],
  ['Cline 3.0.65', 'search', 'run_commands {"commands":[$COMMAND]}'],
  // Cline 3.0.65, openai-native
  ['Cline 3.0.65, openai-native', 'write', 'run_commands {"commands":[$COMMAND]}'],
  ['Cline 3.0.65, openai-native', 'read', 'read_files {"files":[{"path":"/w/p/docs/a.txt"}]}'],
  ['Cline 3.0.65, openai-native', 'edit', 'run_commands {"commands":[$COMMAND]}'],
  ['Cline 3.0.65, openai-native', 'shell', 'run_commands {"commands":["npm test"]}'],
  ['Cline 3.0.65, openai-native', 'find', 'run_commands {"commands":[$COMMAND]}'],
  ['Cline 3.0.65, openai-native', 'list', 'run_commands {"commands":[$COMMAND]}'],
  ['Cline 3.0.65, openai-native', 'search', 'run_commands {"commands":[$COMMAND]}'],
  // Droid 0.215.0
  ['Droid 0.215.0', 'write', 'Create {"file_path":"/w/p/docs/a.txt","content":"hi\\n"}'],
  ['Droid 0.215.0', 'read', 'Read {"file_path":"/w/p/docs/a.txt"}'],
  ['Droid 0.215.0', 'edit', 'Edit {"file_path":"/w/p/docs/a.txt","old_str":"hi","new_str":"ho"}'],
  [
    'Droid 0.215.0',
    'shell',
    'Execute {"command":"npm test","riskLevel":"low","summary":"Run a command.","riskLevelReason":"Run a command."}',
  ],
  ['Droid 0.215.0', 'find', 'Glob {"patterns":["*.ts"]}'],
  ['Droid 0.215.0', 'list', 'LS {"directory_path":"/w/p/src"}'],
  ['Droid 0.215.0', 'search', 'Grep {"pattern":"needle","path":"/w/p/src","output_mode":"content"}'],
  // Kilo 7.7.7
  ['Kilo 7.7.7', 'write', 'write {"filePath":"/w/p/docs/a.txt","content":"hi\\n"}'],
  ['Kilo 7.7.7', 'read', 'read {"filePath":"/w/p/docs/a.txt"}'],
  ['Kilo 7.7.7', 'edit', 'edit {"filePath":"/w/p/docs/a.txt","oldString":"hi","newString":"ho"}'],
  ['Kilo 7.7.7', 'shell', 'bash {"command":"npm test"}'],
  ['Kilo 7.7.7', 'find', 'glob {"pattern":"*.ts"}'],
  ['Kilo 7.7.7', 'list', 'glob {"pattern":"*","path":"/w/p/src"}'],
  ['Kilo 7.7.7', 'search', 'grep {"pattern":"needle","path":"/w/p/src"}'],
];

it.each(CALLS)('%s is sent the intent %s as %s', (agent, name, expected) => {
  const { tools, system = '' }: AgentFixture = CAPTURED_AGENTS[agent];
  const directory = findWorkingDirectory({ ...conversation(), system: [system] });
  expect(showCall(INTENTS[name], tools, directory)).toBe(expected);
});

it.each(Object.keys(CAPTURED_AGENTS))('%s has a row for every intent', (agent) => {
  const rows = CALLS.filter(([name]) => name === agent).map(([, intent]) => intent);
  expect(rows).toEqual(Object.keys(INTENTS));
});
