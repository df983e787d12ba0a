import { FileSystemError } from '../../agent/errors.ts';
import type { DirectoryEntry } from '../../agent/ports/file-system.ts';
import type { AttachedFile } from '../../agent/ports/messages.ts';
import type { Attachment } from './attach-file.ts';
import { mentionedFiles, namedFiles } from './parse-triggers.ts';

/** A prompt with the files that it names, and a line for people about each file. */
export interface TypedPrompt {
  readonly prompt: { readonly text: string; readonly files?: readonly AttachedFile[] };
  readonly notes: readonly string[];
}

/** The part of an agent that reads files. Without the names of a directory, `@PATH` is text. */
interface AttachingAgent {
  attach(path: string, signal: AbortSignal): Promise<Attachment>;
  listNames?(directory: string, max: number): Promise<readonly DirectoryEntry[]>;
  mayAttach?(path: string): Promise<boolean>;
}

/** The number of names of a directory among which a file is looked for. */
const MAX_NAMES = 5_000;

/**
 * Reads the files that a prompt names with `@file:PATH`, and those that are there with `@PATH`. Only for what a person types; everything else is text. Throws
 * `UsageError` if one of them cannot be used; then nothing must be sent.
 */
export async function readTypedPrompt(text: string, agent: AttachingAgent, signal: AbortSignal): Promise<TypedPrompt> {
  const files: Attachment[] = [];
  // One after another, because each may ask.
  const named = namedFiles(text);
  for (const path of named) files.push(await agent.attach(path, signal));
  for (const path of mentionedFiles(text)) {
    if (!named.includes(path) && (await isThere(path, agent))) files.push(await agent.attach(path, signal));
  }
  return {
    prompt: files.length === 0 ? { text } : { text, files: files.map(({ summary: _summary, ...file }) => file) },
    notes: files.map(({ file, summary }) => `@file:${file} (${summary})`),
  };
}

/** True for a file of the workspace that the user may attach. */
async function isThere(path: string, agent: AttachingAgent): Promise<boolean> {
  const end = path.lastIndexOf('/');
  try {
    const entries = (await agent.listNames?.(end < 0 ? '.' : path.slice(0, end), MAX_NAMES)) ?? [];
    const found = entries.find(({ name }) => name === path.slice(end + 1));
    return found?.kind === 'file' && (await agent.mayAttach?.(path)) === true;
  } catch (error) {
    if (error instanceof FileSystemError) return false;
    throw error;
  }
}
