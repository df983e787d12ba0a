/** A story for every agent: a scenario file with the same name, and the expected result. */
export interface Story {
  /** Name of the file in this directory, without `.json`. */
  readonly name: string;
  /** Name of the file, if it differs. */
  readonly file?: string;
  /** Prompt of the user. */
  readonly prompt: string;
  /** The agent has the server of `withServer`. */
  readonly served?: true;
  /** Contents of the files before the run, by their paths in the workspace. */
  readonly workspace: Readonly<Record<string, string>>;
  readonly expected: Expected;
}

/** Expected result of a run. */
export interface Expected {
  /** Contents of files after the run, by their paths in the workspace. */
  readonly files: Readonly<Record<string, string>>;
  /** A text that each tool result must contain, in the order of the steps. */
  readonly results: readonly string[];
  /** A text that the agent must print. */
  readonly text: string;
  /** Number of steps of the story; each must be requested once. */
  readonly steps: number;
}

/** File to which a story writes its tool results. */
export const RESULTS_FILE = 'reports/seen.txt';
/** Separator of the tool results in that file. */
export const RESULTS_LINE = '\n=====\n';

const REPAIRED = 'Hello "world" 🙂\n\tC:\\new\\table $HOME `date` \'x\' 100% &amp;!\nSecond line\n';

const SKILL = `---
name: note-style
description: The form of notes. Use when a note is added.
---
One line each.
`;

/** Every story that the agents play. */
export const STORIES: readonly Story[] = [
  {
    name: 'hello',
    prompt: 'Write the file hello.txt, then say so.',
    workspace: {},
    expected: {
      files: { 'hello.txt': 'Hello – 漢字 🙂\n"quoted" and C:\\back\\slash\n' },
      results: [],
      text: 'hello.txt is written.',
      steps: 2,
    },
  },
  {
    name: 'repair',
    prompt: 'Repair the greeting in the notes.',
    workspace: {
      'notes/greeting.txt': 'Hello work – 漢字!\nSecond line\n',
      'notes/other.txt': 'nothing here\n',
      'notes/script.sh': 'echo word\n',
    },
    expected: {
      files: { 'notes/greeting.txt': REPAIRED, 'copy.txt': REPAIRED, 'notes/other.txt': 'nothing here\n' },
      // The result of the edit differs between agents.
      results: ['other.txt', 'greeting.txt', 'work – 漢字', 'Second line', '', 'copied it'],
      text: 'The greeting is repaired.',
      steps: 8,
    },
  },
  {
    name: 'served',
    prompt: 'Note what to buy, then say so.',
    served: true,
    workspace: { '.agents/skills/note-style/SKILL.md': SKILL, '.claude/skills/note-style/SKILL.md': SKILL },
    expected: {
      files: {},
      results: ['One line each.', 'There are 1 notes.', 'buy milk'],
      text: 'The note is added.',
      steps: 5,
    },
  },
];

const NOTHING: Expected = { files: {}, results: [], text: '', steps: 1 };

/** Stories with a fault. They measure what an agent does after it and expect nothing. */
export const FAULT_STORIES: readonly Story[] = [
  { name: 'busy', file: 'faults', prompt: 'Please say that you are ready.', workspace: {}, expected: NOTHING },
  { name: 'cut-text', file: 'faults', prompt: 'Please tell me about the sea.', workspace: {}, expected: NOTHING },
  {
    name: 'cut-call',
    file: 'faults',
    prompt: 'Please write the file hello.txt, then say so.',
    workspace: {},
    expected: NOTHING,
  },
];
