import { UsageError } from '../../agent/errors.ts';
import { isUsableName, lineOf, readMarkdown } from './frontmatter.ts';

/** A command of the chat whose text is sent as a prompt. */
export interface MarkdownCommand {
  /** `dir:name` for `dir/name.md`. */
  readonly name: string;
  readonly description?: string | undefined;
  /** Form of the arguments, for people. */
  readonly argument?: string | undefined;
  readonly body: string;
  /** The file, for people. */
  readonly path: string;
  /** The words that may follow the words `before` of its argument. */
  complete?(before: readonly string[]): readonly string[];
  /** Makes the prompt, in place of `body`. Throws `UsageError`. */
  expand?(argument: string, signal: AbortSignal): string | Promise<string>;
}

/** Name of the command in a file. `relative` is the path of the file below the directory of commands. */
export function commandName(relative: string): string {
  return relative.replace(/\.md$/u, '').replaceAll('/', ':');
}

/** Reads the file of a command; `relative` is its path below the directory of commands. Throws `UsageError`. */
export function readCommand(relative: string, path: string, text: string): MarkdownCommand {
  if (!relative.replace(/\.md$/u, '').split('/').every(isUsableName)) {
    throw new UsageError('its path may have letters, digits, ".", "_" and "-" only');
  }
  const { fields, body } = readMarkdown(text);
  if (body === '') throw new UsageError('it has no text for the model');
  const argument = lineOf(fields['argument-hint']);
  return { name: commandName(relative), description: lineOf(fields['description']), argument, body, path };
}

/**
 * The prompt of a command with its arguments: `$ARGUMENTS` stands for all of them, `$1` for the first, which may be in
 * quotes. Arguments that the text does not mention follow it. Pure; what the arguments contain is not expanded again.
 */
export function expandCommand({ body }: Pick<MarkdownCommand, 'body'>, argument: string): string {
  const words = [...argument.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
  let isUsed = false;
  const text = body.replaceAll(/\$(ARGUMENTS\b|[1-9]\d*)/gu, (_mark, name: string) => {
    isUsed = true;
    return name === 'ARGUMENTS' ? argument : (words[Number(name) - 1] ?? '');
  });
  return isUsed || argument === '' ? text : `${text}\n\n${argument}`;
}
