import { type MarkdownCommand, readCommand } from './command-file.ts';

const INIT = `---
description: Look at the project and write a draft of AGENTS.md
argument-hint: "[what matters]"
---
Write AGENTS.md at the root of this project: the instructions that coding agents get about it.

1. Look around first: the README, the files that configure builds and tests, the directories, two or three typical source
   files, and an AGENTS.md, CLAUDE.md or similar file that exists already.
2. Write at most 80 lines, only what is true here and what an agent could not guess:
   - the purpose of the project, in two sentences
   - the commands that build, test, lint and run it; also the one that runs a single test
   - where things are: the directories, with one line for each
   - the conventions that the code follows, and what must not be changed
3. Check each command against the configuration of the project. Leave out general advice and what you are not sure of.
4. If AGENTS.md exists, keep what is right in it, and say what you changed.

$ARGUMENTS
`;

const REVIEW = `---
description: Review the changes that are not committed, or what you name
argument-hint: "[what]"
---
Review changes, and change nothing yourself. Unless I name something else below, they are the changes of the working
tree: git status, git diff HEAD, and the new files.

1. Read enough of the code around each change to judge it.
2. Report mistakes that a user or a later change would run into: wrong results, missing cases, broken callers, missing
   tests, leaks of secrets. Name file and line, the input that goes wrong, and a fix. The worst first.
3. Leave out matters of taste. If nothing is wrong, say so in one line.

$ARGUMENTS
`;

/** The commands that come with ybs, in the form of the files of a user, who can replace them. */
export const SHIPPED_COMMANDS: readonly MarkdownCommand[] = [
  readCommand('init.md', 'ybs', INIT),
  readCommand('review.md', 'ybs', REVIEW),
];
