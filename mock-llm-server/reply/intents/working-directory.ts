import path from 'node:path';
import type { Conversation } from '../../conversation/conversation.ts';
import { trimEndOf } from '../../text.ts';

const PATH = /(?:\/|[A-Za-z]:[\\/])[^\n`"']*/.source;

/** Statements of a directory in the texts of agents. Neighboring parts match no same characters: linear time. */
const STATEMENTS: readonly RegExp[] = [
  // Codex
  /<cwd>([^<]*)<\/cwd>/i,
  // Claude Code, opencode, Kilo, pi, Copilot CLI, Continue; `cwd:` of others
  new RegExp(`(?:working directory|working dir|workspace|cwd)[\`*"']*\\s*(?:is|:|=)\\s*[\`"'*]*(${PATH})`, 'i'),
  // Gemini CLI
  new RegExp(`workspace directories[\`*"']*:[\`*"']*\\s*-\\s*(${PATH})`, 'i'),
  // qwen-code, older Gemini CLI
  new RegExp(`working in the (?:following )?(?:directory|directories)[\\s:\`"'-]*(${PATH})`, 'i'),
  // Cline
  /working directory\s*\(((?:\/|[A-Za-z]:[\\/])[^\n)]*)\)/i,
  // Droid
  /(?:^|\n)(?:%[ \t]*)?pwd[ \t\r]*\n[ \t]*((?:\/|[A-Za-z]:[\\/])[^\n]*)/i,
  // ybs
  new RegExp(`(?:^|\\n)[ \\t*-]*(?:current )?(?:directory|folder)[ \\t]*:[ \\t]*[\`"']*(${PATH})`, 'i'),
];

/** Characters that may follow a path in a sentence or a list. */
const TRAILING = ' \t\r\n\f\v\u00a0.,;)*';

/** The working directory that the client states, in its system texts or else in the user's messages. Pure. */
export function findWorkingDirectory({ system, messages }: Conversation): string | undefined {
  const userTexts = messages.flatMap(({ role, parts }) =>
    role === 'user' ? parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  );
  for (const text of [...system, ...userTexts]) {
    for (const statement of STATEMENTS) {
      const found = statement.exec(text)?.[1]?.trim() ?? '';
      if (found !== '' && !found.includes('\n')) return tidy(found);
    }
  }
  return undefined;
}

/** The path resolved against a directory; unchanged if it is absolute or the directory is unknown. */
export function absolutePath(file: string, directory: string | undefined): string {
  if (directory === undefined || path.posix.isAbsolute(file) || path.win32.isAbsolute(file)) return file;
  return path.posix.isAbsolute(directory) ? path.posix.join(directory, file) : path.win32.join(directory, file);
}

function tidy(found: string): string {
  const path = trimEndOf(found, TRAILING);
  const bare = trimEndOf(path, '/\\');
  // `C:` without its slash is not the root of the drive.
  return (bare.endsWith(':') ? path.slice(0, bare.length + 1) : bare) || '/';
}
