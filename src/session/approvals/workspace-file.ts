import path from 'node:path';
import { FileSystemError } from '../../agent/errors.ts';
import type { ComputeDigest } from '../../agent/ports/digest.ts';
import type { FileBytes, FileSystem } from '../../agent/ports/file-system.ts';
import { conforms, type DataSchema } from '../../schema/conforms.ts';

/** Ports and facts of a file that is kept for a workspace. */
export interface WorkspaceFileOptions {
  readonly fileSystem: FileSystem;
  readonly digest: ComputeDigest;
  /** The directory of the files of all workspaces, which no tool may use. */
  readonly directory: string;
  /** Real path. */
  readonly workspace: string;
}

const MAX_BYTES = 1024 * 1024;
const OWNER_ONLY = 0o600;
const WRITABLE_BY_OTHERS = 0o022;

/** A JSON file that is kept for a workspace across sessions, and that only its owner may read. */
export class WorkspaceFile<Content extends { readonly workspace: string }> {
  readonly #options: WorkspaceFileOptions;
  readonly #schema: DataSchema<Content>;
  readonly #name: string;

  constructor(options: WorkspaceFileOptions, schema: DataSchema<Content>) {
    this.#options = options;
    this.#schema = schema;
    this.#name = `${options.digest(new TextEncoder().encode(options.workspace))}.json`;
  }

  /** The content; `undefined` without a file, and for a damaged one. Throws `FileSystemError`. */
  async load(accepts: (file: FileBytes) => boolean = () => true): Promise<Content | undefined> {
    const { fileSystem, directory, workspace } = this.#options;
    try {
      const file = await fileSystem.readFile(path.join(directory, this.#name), MAX_BYTES);
      const content: unknown = accepts(file) ? JSON.parse(new TextDecoder().decode(file.bytes)) : undefined;
      return conforms(content, this.#schema) && content.workspace === workspace ? content : undefined;
    } catch (error) {
      if (error instanceof SyntaxError || (error instanceof FileSystemError && error.code === 'not_found')) return;
      throw error;
    }
  }

  /** Replaces the content. Throws `FileSystemError`. */
  async save(fields: Omit<Content, 'version' | 'workspace'>): Promise<void> {
    const { fileSystem, directory, workspace } = this.#options;
    await fileSystem.createDirectory(directory, 'owner');
    const text = `${JSON.stringify({ version: 1, workspace, ...fields }, null, 2)}\n`;
    const parent = await fileSystem.realPath(directory);
    await fileSystem.replaceFile(parent, this.#name, new TextEncoder().encode(text), OWNER_ONLY);
  }
}

/** False for a file that another user owns or may change. */
export function isOwn({ mode, protection }: FileBytes): boolean {
  return protection !== 'other_owner' && (path.sep !== '/' || (mode & WRITABLE_BY_OTHERS) === 0);
}
