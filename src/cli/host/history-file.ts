import * as z from 'zod';
import type { Prompt } from '../../app/session.ts';
import type { Machine } from '../../app/settings.ts';
import { FileSystemError, messageOf, UsageError } from '../../core/errors.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { HostArguments } from './host-arguments.ts';

const messages = z.array(z.object({ role: z.string(), content: z.unknown() }));
const historySchema = z.union([messages, z.object({ messages }).transform((file) => file.messages)]);
const textBlocks = z.array(z.unknown()).transform((blocks) => blocks.flatMap((block) => textOf(block)).join('\n'));

/** More than any context window holds. */
const MAX_BYTES = 4_000_000;

/**
 * The first prompt of a new session with the conversation of `--history-file` before it: a JSON list of messages with
 * `role` and `content`, from another agent. Only their texts are used; a session that goes on has its own. Throws
 * `UsageError` if the file cannot be read.
 */
export async function withHistory(
  prompts: readonly Prompt[],
  { historyFile, options }: Pick<HostArguments, 'historyFile' | 'options'>,
  { fileSystem, resolvePath }: Pick<Machine, 'fileSystem' | 'resolvePath'>,
): Promise<readonly Prompt[]> {
  const [first, ...rest] = prompts;
  if (historyFile === undefined || first === undefined) return prompts;
  if (options.resume !== undefined || options.continue === true) return prompts;
  const texts = (await readHistory(resolvePath(historyFile), fileSystem)).flatMap(({ role, content }) => {
    const text = typeof content === 'string' ? content : (textBlocks.safeParse(content).data ?? '');
    return text.trim() === '' ? [] : [`${role}: ${text.trim()}`];
  });
  const block = ['<earlier_conversation>', ...texts, '</earlier_conversation>', '', first.text].join('\n');
  return texts.length === 0 ? prompts : [{ ...first, text: block }, ...rest];
}

async function readHistory(file: string, fileSystem: FileSystem): Promise<z.output<typeof messages>> {
  try {
    const { bytes, size } = await fileSystem.readFile(file, MAX_BYTES, 'follow');
    if (size > MAX_BYTES) throw new UsageError(`${file} is larger than ${MAX_BYTES} bytes.`);
    return historySchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    const reason = error instanceof z.ZodError ? 'it is no list of messages with role and content' : messageOf(error);
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
