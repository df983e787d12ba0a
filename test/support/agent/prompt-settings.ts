import type { PromptSettings } from '../../../src/app/prompt/gather-prompt.ts';

/** The settings of the system prompt by default. */
export const PROMPT_SETTINGS: PromptSettings = {
  instructions: true,
  projectType: true,
  fileTree: true,
  git: true,
  repoMapTokens: 1_024,
  excludePatterns: ['node_modules', '.git', 'build', 'DerivedData'],
  recentCommits: 5,
};
