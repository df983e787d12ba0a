import * as z from 'zod';
import { FileSystemError, messageOf, UsageError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import type { Prompt } from '../../app/session.ts';
import type { Machine } from '../../app/settings.ts';
import type { HostArguments } from './host-arguments.ts';

const messages = z.array(z.object({ role: z.string(), content: z.unknown() }));
const historySchema = z.union([messages, z.object({ messages }).transform((file) => file.messages)]);
const textBlocks = z.array(z.unknown()).transform((blocks) => blocks.flatMap((block) => textOf(block)).join('\n'));

/** Maximum size of the file, more than any context window holds. */
const MAX_BYTES = 4_000_000;

/**
 * Reads the conversation of `--history-file`: a JSON list of messages with `role` and `content`, from another agent. Only
 * their texts are used. Returns a function that puts them before the first prompt it gets, if the session is new: one
 * that goes on has its own. Throws `UsageError` if the file cannot be read.
 */
export async function readHistory(
  { historyFile, options }: Pick<HostArguments, 'historyFile' | 'options'>,
  { fileSystem, resolvePath }: Pick<Machine, 'fileSystem' | 'resolvePath'>,
): Promise<(prompt: Prompt) => Prompt> {
  const goesOn = options.resume !== undefined || options.continue === true;
  const messages = historyFile === undefined || goesOn ? [] : await readMessages(resolvePath(historyFile), fileSystem);
  let texts: readonly string[] = messages.flatMap(({ role, content }) => {
    const text = typeof content === 'string' ? content : (textBlocks.safeParse(content).data ?? '');
    return text.trim() === '' ? [] : [`${role}: ${text.trim()}`];
  });
  return (prompt) => {
    if (texts.length === 0) return prompt;
    const block = ['<earlier_conversation>', ...texts, '</earlier_conversation>', '', prompt.text].join('\n');
    texts = [];
    return { ...prompt, text: block };
  };
}

async function readMessages(file: string, fileSystem: FileSystem): Promise<z.output<typeof messages>> {
  try {
    const { bytes, size } = await fileSystem.readFile(file, MAX_BYTES, 'follow');
    if (size > MAX_BYTES) throw new UsageError(`${file} is larger than ${MAX_BYTES} bytes.`);
    return historySchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    const reason =
      error instanceof z.ZodError ? 'it is not a list of messages with role and content' : messageOf(error);
    if (error instanceof UsageError) throw error;
    if (error instanceof FileSystemError || error instanceof SyntaxError || error instanceof z.ZodError) {
      throw new UsageError(`--history-file ${file} cannot be used: ${reason}.`);
    }
    throw error;
  }
}

function textOf(block: unknown): readonly string[] {
  const isText = typeof block === 'object' && block !== null && 'text' in block && typeof block.text === 'string';
  return isText ? [String(block.text)] : [];
}
