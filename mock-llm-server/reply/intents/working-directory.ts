import path from 'node:path';
import type { Conversation } from '../../conversation/conversation.ts';
import { trimEndOf } from '../../text.ts';

const PATH = /(?:\/|[A-Za-z]:[\\/])[^\n`"']*/.source;

/**
 * How agents say where they work: in the system text, or in a text of the user. The first group is the directory.
 * No two neighbouring parts match the same characters, and none begins with what may be repeated: all are linear.
 */
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
  // ybs, and whoever says it as shortly
  new RegExp(`(?:^|\\n)[ \\t*-]*(?:current )?(?:directory|folder)[ \\t]*:[ \\t]*[\`"']*(${PATH})`, 'i'),
];

/** What may stand behind a path in a sentence or a list. */
const BEHIND = ' \t\r\n\f\v\u00a0.,;)*';

/** The directory that the client says it works in; system texts first, then the user's. Pure. */
export function findWorkingDirectory({ system, messages }: Conversation): string | undefined {
  const said = messages.flatMap(({ role, parts }) =>
    role === 'user' ? parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  );
  for (const text of [...system, ...said]) {
    for (const statement of STATEMENTS) {
      const found = statement.exec(text)?.[1]?.trim() ?? '';
      if (found !== '' && !found.includes('\n')) return tidy(found);
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
  const path = trimEndOf(found, BEHIND);
  const bare = trimEndOf(path, '/\\');
  // The root of a drive is nothing without its slash.
  return (bare.endsWith(':') ? path.slice(0, bare.length + 1) : bare) || '/';
}
