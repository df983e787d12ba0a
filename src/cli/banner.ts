import { escapeForTerminal } from '../text/escape.ts';
import type { Palette } from './palette.ts';

/** What the user should know before the first message. `prompts` are those the embedded mock model knows. */
export interface BannerFacts {
  readonly model: string;
  readonly workspace: string;
  readonly permissionMode: string;
  readonly dryRun: boolean;
  readonly prompts: readonly string[];
}

/** The lines above the first prompt. */
export function banner(facts: BannerFacts, palette: Palette): string {
  const line = (text: string) => escapeForTerminal(text, { keepNewlines: false });
  const dryRun = facts.dryRun ? ', dry run' : '';
  const rows = [
    `${palette('bold', 'ybs')} ${line(facts.model)}`,
    `workspace ${line(facts.workspace)}`,
    `permissions ${facts.permissionMode}${dryRun}; commands run unsandboxed`,
  ];
  if (facts.prompts.length > 0) rows.push('the mock model replays stories, it knows these prompts:');
  for (const prompt of facts.prompts) rows.push(`  ${palette('cyan', line(prompt))}`);
  rows.push(palette('dim', '/help for help'), '');
  return `${rows.join('\n')}\n`;
}
