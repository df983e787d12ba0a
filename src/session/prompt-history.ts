import path from 'node:path';
import { jsonOr } from '../text/json/json.ts';
import type { WorkspaceFileOptions } from './approvals/workspace-file.ts';

/** Ports and facts of a history. */
export interface PromptHistoryOptions extends WorkspaceFileOptions {
  /** Replaces the secrets in a message, as in the log of a session. */
  readonly redact: (text: string) => string;
}

/** Maximum number of messages that are kept. */
const MAX_MESSAGES = 1_000;

/** Maximum size of the file, in bytes; a longer one is cut when it is read. */
const MAX_BYTES = 1024 * 1024;

/** Maximum length of a message that is kept. A longer one was pasted. */
const MAX_LENGTH = 10_000;

const OWNER_ONLY = 0o600;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * The messages that were typed in a workspace, across sessions, in a file that only its owner may read: one JSON string
 * per line. No call rejects, because a chat works without its history.
 */
export class PromptHistory {
  readonly #options: PromptHistoryOptions;
  readonly #name: string;

  constructor(options: PromptHistoryOptions) {
    this.#options = options;
    this.#name = `${options.digest(new TextEncoder().encode(options.workspace))}.jsonl`;
  }

  /** The messages, the last one at the end. A file that others may change has none. */
  async load(): Promise<readonly string[]> {
    try {
      const { fileSystem } = this.#options;
      const { size, mode, isForeign } = await fileSystem.stat(this.#file);
      if (isForeign === true || (path.sep === '/' && (mode & WRITABLE_BY_OTHERS) !== 0)) return [];
      const decoder = new TextDecoder();
      let text = '';
      for await (const piece of fileSystem.readPieces(this.#file, Math.max(size - MAX_BYTES, 0)))
        text += decoder.decode(piece, { stream: true });
      const stored = text.split('\n').flatMap(parseMessage);
      const messages = stored.slice(-MAX_MESSAGES);
      if (size > MAX_BYTES || stored.length > 2 * MAX_MESSAGES) await this.#replace(messages);
      return messages;
    } catch {
      return [];
    }
  }

  /** Keeps one more message. */
  async add(message: string): Promise<void> {
    if (message.length > MAX_LENGTH) return;
    try {
      const { fileSystem, directory, redact } = this.#options;
      await fileSystem.createDirectory(directory, 'owner');
      const line = `${JSON.stringify(redact(message))}\n`;
      await fileSystem.appendFile(this.#file, new TextEncoder().encode(line));
    } catch {
      // The message is sent all the same.
    }
  }

  get #file(): string {
    return path.join(this.#options.directory, this.#name);
  }

  async #replace(messages: readonly string[]): Promise<void> {
    const { fileSystem, directory } = this.#options;
    const lines = messages.map((message) => `${JSON.stringify(message)}\n`);
    let first = lines.length;
    for (let length = 0; first > 0; first -= 1) {
      length += lines[first - 1]?.length ?? 0;
      // In UTF-16 units, each of which is at most three bytes.
      if (length > MAX_BYTES / 4) break;
    }
    const bytes = new TextEncoder().encode(lines.slice(first).join(''));
    await fileSystem.replaceFile(await fileSystem.realPath(directory), this.#name, bytes, OWNER_ONLY);
  }
}

/** The message of a line; none for a line that is damaged. */
function parseMessage(line: string): readonly string[] {
  const message = jsonOr(undefined, line);
  return typeof message === 'string' && message !== '' ? [message] : [];
}
