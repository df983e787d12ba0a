/** What every agent is driven through: a scenario file of the same name, and what must come of it. */
export interface Story {
  /** Name of the file in this directory, without `.json`. */
  readonly name: string;
  /** What the user says. */
  readonly prompt: string;
  /** The files that are there before, by their paths in the workspace. */
  readonly workspace: Readonly<Record<string, string>>;
  readonly expected: Expected;
}

/** What an agent must have done in the end. */
export interface Expected {
  /** The bytes of files, by their paths in the workspace. */
  readonly files: Readonly<Record<string, string>>;
  /** A text that must stand in each tool result, in the order of the steps. */
  readonly results: readonly string[];
  readonly said: string;
  /** How many steps the story has; each is asked for once. */
  readonly steps: number;
}

/** Where a story puts the tool results that it was sent, and the line between them. */
export const RESULTS_FILE = 'reports/seen.txt';
export const RESULTS_LINE = '\n=====\n';

const REPAIRED = 'Hello "world" 🙂\n\tC:\\new\\table $HOME `date` \'x\' 100% &amp;!\nSecond line\n';

export const STORIES: readonly Story[] = [
  {
    name: 'hello',
    prompt: 'Write the file hello.txt, then say so.',
    workspace: {},
    expected: {
      files: { 'hello.txt': 'Hello – 漢字 🙂\n"quoted" and C:\\back\\slash\n' },
      results: [],
      said: 'hello.txt is written.',
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
      // Of the edit agents say what they want.
      results: ['other.txt', 'greeting.txt', 'work – 漢字', 'Second line', '', 'copied it'],
      said: 'The greeting is repaired.',
      steps: 8,
    },
  },
];
