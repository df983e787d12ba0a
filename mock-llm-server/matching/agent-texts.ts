/** The tags of blocks that agents add to the messages of the user. */
const BLOCKS: readonly (readonly [agent: string, ...tags: readonly string[]])[] = [
  ['ybs', 'reminder'],
  ['Claude Code', 'system-reminder', 'task-notification', 'local-command-caveat', 'local-command-stdout'],
  [
    'Codex',
    'environment_context',
    'user_instructions',
    'INSTRUCTIONS',
    'permissions instructions',
    'collaboration_mode',
    'skills_instructions',
    'subagent_notification',
    'turn_aborted',
  ],
  ['Gemini CLI, qwen-code', 'session_context'],
  ['Cline, Roo Code, Kilo', 'environment_details', 'explicit_instructions'],
  ['Copilot CLI', 'current_datetime', 'system_reminder', 'system_notification'],
  ['Copilot in VS Code', 'environment_info', 'workspace_info', 'reminderInstructions', 'editorContext'],
  ['Goose', 'info-msg'],
];

/** These tags, without the agents. */
export const AGENT_TAGS: readonly string[] = BLOCKS.flatMap(([, ...tags]) => tags);

const OPENING = new RegExp(`<(${AGENT_TAGS.join('|')})(?:\\s[^<>]*)?>`, 'g');

/** A text of the user without what agents add to it: blocks, and whole texts. Pure, in linear time. */
export function withoutAgentBlocks(text: string): string {
  if (isAgentNote(text)) return '';
  if (!text.includes('<')) return text;
  let own = '';
  let position = 0;
  const unclosed = new Set<string>();
  for (const { 0: opening, 1: tag = '', index } of text.matchAll(OPENING)) {
    if (index < position || unclosed.has(tag)) continue;
    const closing = `</${tag}>`;
    const end = text.indexOf(closing, index + opening.length);
    if (end === -1) {
      unclosed.add(tag);
      continue;
    }
    own += text.slice(position, index);
    position = end + closing.length;
  }
  return position === 0 ? text : own + text.slice(position);
}

/** Words at the start of a text of the user or of a result with which agents note that the user has stopped the run. */
const INTERRUPTIONS: readonly (readonly [agent: string, ...words: readonly string[]])[] = [
  [
    'ybs',
    'the user stopped the run',
    ', stopped by the user',
    'Interrupted: ybs ended while this call was running',
    'Not executed: the run ended before this call was started',
  ],
  ['Claude Code', '[Request interrupted by user'],
  ['Codex', '<turn_aborted>'],
  ['opencode, Kilo', 'Tool execution aborted'],
];

/** These words, without the agents, and the number of characters at a start that are searched for them. */
export const INTERRUPTION_NOTES: readonly string[] = INTERRUPTIONS.flatMap(([, ...words]) => words);
export const INTERRUPTION_LENGTH = 100;

/** The starts of texts that agents write as the user: what they have done, files, and reminders. */
const NOTES: readonly (readonly [agent: string, ...starts: readonly string[]])[] = [
  [
    'aider',
    'I updated the files.',
    'I committed the changes with git hash ',
    'I have *added these files to the chat* ',
    'I am not sharing any files that you can edit yet.',
    'Here are summaries of some files present in my git repo',
  ],
  ['Cline', '# task_progress '],
];

/** True if a text is not a prompt of the user, but written by the agent during a run. */
export function isAgentNote(text: string): boolean {
  const own = text.trimStart();
  return NOTES.some(([, ...starts]) => starts.some((start) => own.startsWith(start)));
}

/** True if a text notes that the user has stopped the run. */
export function notesInterruption(text: string): boolean {
  const start = text.slice(0, INTERRUPTION_LENGTH);
  return INTERRUPTION_NOTES.some((note) => start.includes(note));
}
