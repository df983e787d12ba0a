import path from 'node:path';
import type { Conversation } from '../conversation.ts';

/** How agents say where they work: in the system text, or in a text of the user. The first group is the directory. */
const STATEMENTS: readonly RegExp[] = [
  // Codex
  /<cwd>\s*([^<\n]+?)\s*<\/cwd>/i,
  // Claude Code, opencode, Kilo, pi, Copilot CLI, Continue; `cwd:` of others
  /(?:working directory|working dir|workspace|cwd)[`*"']*\s*(?:is|:|=)\s*[`"'*]*((?:\/|[A-Za-z]:[\\/])[^\n`"']*)/i,
  // Gemini CLI
  /workspace directories[`*"']*:[`*"']*\s*-\s*((?:\/|[A-Za-z]:[\\/])[^\n`"']*)/i,
  // qwen-code, older Gemini CLI
  /working in the (?:following )?(?:directory|directories)\s*:?\s*[`"']*\s*(?:-\s*)?((?:\/|[A-Za-z]:[\\/])[^\n`"']*)/i,
  // Cline
  /working directory\s*\(((?:\/|[A-Za-z]:[\\/])[^\n)]*)\)/i,
  // Droid
  /(?:^|\n)%?\s*pwd\s*\n\s*((?:\/|[A-Za-z]:[\\/])[^\n]*)/i,
  // ybs, and whoever says it as shortly
  /(?:^|\n)[ \t]*(?:[-*]\s*)?(?:current )?(?:directory|folder)\s*:\s*[`"']*((?:\/|[A-Za-z]:[\\/])[^\n`"']*)/i,
];

/** The directory that the client says it works in; system texts first, then the user's. Pure. */
export function findWorkingDirectory({ system, messages }: Conversation): string | undefined {
  const said = messages.flatMap(({ role, parts }) =>
    role === 'user' ? parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  );
  for (const text of [...system, ...said]) {
    for (const statement of STATEMENTS) {
      const [, found] = statement.exec(text) ?? [];
      if (found !== undefined) return tidy(found);
    }
  }
  return undefined;
}

/** A path as a tool that wants absolute ones takes it; left as it is where it is absolute or the directory unknown. */
export function absolutePath(given: string, directory: string | undefined): string {
  if (directory === undefined || path.posix.isAbsolute(given) || path.win32.isAbsolute(given)) return given;
  return path.posix.isAbsolute(directory) ? path.posix.join(directory, given) : path.win32.join(directory, given);
}

function tidy(found: string): string {
  return found.replace(/[\s.,;)*]+$/, '').replace(/(?<=[^:])[\\/]+$/, '') || '/';
}
