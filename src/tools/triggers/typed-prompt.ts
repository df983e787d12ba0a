import type { AttachedFile } from '../../agent/ports/messages.ts';
import type { Attachment } from './attach-file.ts';
import { namedFiles } from './parse-triggers.ts';

/** A prompt with the files that it names, and a line for people about each file. */
export interface TypedPrompt {
  readonly prompt: { readonly text: string; readonly files?: readonly AttachedFile[] };
  readonly notes: readonly string[];
}

/**
 * Reads the files that a prompt names with `@file:PATH`. Only for what a person types; everything else is text. Throws
 * `UsageError` if one of them cannot be used; then nothing is to be sent.
 */
export async function readTypedPrompt(
  text: string,
  agent: { attach(path: string, signal: AbortSignal): Promise<Attachment> },
  signal: AbortSignal,
): Promise<TypedPrompt> {
  const files: Attachment[] = [];
  // One after another, because each may ask.
  for (const path of namedFiles(text)) files.push(await agent.attach(path, signal));
  return {
    prompt: files.length === 0 ? { text } : { text, files: files.map(({ summary: _summary, ...file }) => file) },
    notes: files.map(({ file, summary }) => `@file:${file} (${summary})`),
  };
}
