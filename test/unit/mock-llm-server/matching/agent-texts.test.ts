import { describe, expect, it } from 'vitest';
import { notesInterruption, withoutAgentBlocks } from '../../../../mock-llm-server/matching/agent-texts.ts';

describe('withoutAgentBlocks', () => {
  it.each([
    ['ybs', 'go\n\n<reminder>\nTasks\n</reminder>', 'go\n\n'],
    ['Claude Code', '<system-reminder>\nToday\n</system-reminder>go', 'go'],
    ['Claude Code, a finished task', '<task-notification><task-id>a</task-id></task-notification>', ''],
    ['Claude Code, a command', '<local-command-stdout>x</local-command-stdout>go', 'go'],
    ['Codex', '<environment_context>\n  <cwd>/w</cwd>\n</environment_context>', ''],
    [
      'Codex, a file',
      '# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>',
      '# AGENTS.md instructions for /w\n\n',
    ],
    ['Codex, permissions', '<permissions instructions>x</permissions instructions>go', 'go'],
    ['Gemini CLI', '<session_context>\nThis is the Gemini CLI.\n</session_context>', ''],
    ['Cline', '<task>\ngo\n</task><environment_details># Time</environment_details>', '<task>\ngo\n</task>'],
    ['Cline, a reminder', '\n\t# task_progress RECOMMENDED\n\nWhen starting a new task', ''],
    ['a heading of the user', '# task list\nfix it', '# task list\nfix it'],
    [
      'Copilot CLI',
      '<current_datetime>2026</current_datetime>\n\ngo\n<system_reminder>x</system_reminder>',
      '\n\ngo\n',
    ],
    [
      'Copilot in VS Code',
      '<environment_info>x</environment_info>go<reminderInstructions>y</reminderInstructions>',
      'go',
    ],
    ['Goose', 'go<info-msg>\nWorking directory: /w\n</info-msg>', 'go'],
    ['attributes', '<reminder kind="a">x</reminder>go', 'go'],
    ['a block in a block', '<reminder><environment_context>a</environment_context></reminder>go', 'go'],
    ['a block without an end', 'a <reminder> b <reminder> c', 'a <reminder> b <reminder> c'],
    ['a block after one without an end', 'a <reminder> b <info-msg>c</info-msg>d', 'a <reminder> b d'],
    ['other tags', '<task>go</task> and 1 < 2', '<task>go</task> and 1 < 2'],
    ['no tags', 'go', 'go'],
  ])('keeps what the user says to %s', (_agent, text, own) => {
    expect(withoutAgentBlocks(text)).toBe(own);
  });
});

describe('notesInterruption', () => {
  it.each([
    ['ybs, before a call', 'Not executed: the user stopped the run before this call started.', true],
    ['ybs, within a call', 'Interrupted: the user stopped the run while this call was running.', true],
    ['Claude Code', '[Request interrupted by user for tool use]', true],
    ['Codex', '<turn_aborted>\nThe user interrupted the previous turn.\n</turn_aborted>', true],
    ['opencode', 'Tool execution aborted', true],
    ['a file that has the words', `${'x'.repeat(100)}[Request interrupted by user]`, false],
    ['another text', 'go on', false],
  ])('reads the words of %s', (_agent, text, expected) => {
    expect(notesInterruption(text)).toBe(expected);
  });
});
