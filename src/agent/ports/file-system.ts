/** Reason of a failed file operation, the same on every platform. `moved`: the path now resolves to another one. */
export type FileSystemErrorCode =
  | 'not_found'
  | 'not_a_directory'
  | 'is_directory'
  | 'already_exists'
  | 'permission_denied'
  | 'no_space'
  | 'link_loop'
  | 'not_a_file'
  | 'moved'
  | 'io_error';

/** Kind of a file. Only directory entries can be a `link`; every other call follows links. */
export type FileKind = 'file' | 'directory' | 'link' | 'other';

/** Facts about a file. */
export interface FileStat {
  readonly kind: Exclude<FileKind, 'link'>;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  /** Time of the last change of the content, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly modifiedMs: number;
  /** It belongs neither to the user of this process nor to root. */
  readonly isForeign?: true;
}

/** One entry of a directory. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/**
 * Reason why the user should agree before a file is replaced. `write_protected`: its mode forbids this process, or
 * everybody, to write it; `other_owner`: it belongs to another user, and the new file would not.
 */
export type FileProtection = 'write_protected' | 'other_owner';

/** The first bytes of a file, at most `maxBytes`, and facts about it. `otherNames` counts its other hard links. */
export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly mode: number;
  readonly protection?: FileProtection;
  readonly otherNames?: number;
}

/** A file that is open for appending, to which nobody else writes. One operation at a time. */
export interface AppendFile {
  /**
   * Appends bytes in one write. A failed call leaves the file as it was, as far as the disk allows; otherwise the next
   * call removes the rest of the failed one first, or fails as well.
   */
  append(bytes: Uint8Array): Promise<void>;
  /** Cuts the file to this size in bytes. */
  truncate(size: number): Promise<void>;
  /** Flushes the file to the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The file operations of the agent. Paths are absolute, in the platform's own form.
 * Every call throws `FileSystemError` and nothing else.
 */
export interface FileSystem {
  /** Follows links. */
  stat(path: string): Promise<FileStat>;
  /** The real path of something that exists, every link resolved. */
  realPath(path: string): Promise<string>;
  /** The text of a link, which may lead nowhere. */
  readLink(path: string): Promise<string>;
  /**
   * Entries in code-point order of their names; a link is of kind `link`. Of a directory with more than `maxEntries`,
   * any `maxEntries` of them, without the time that all of them would take. `links` as in `readFile`.
   */
  list(path: string, maxEntries?: number, links?: 'follow' | 'refuse'): Promise<readonly DirectoryEntry[]>;
  /**
   * Reads regular files only (`not_a_file` for a FIFO, a device, a socket) and never blocks. With `refuse`, `path` must
   * be a real path: throws `moved` if it now contains a link. Use `refuse` for paths that the rules have allowed.
   */
  readFile(path: string, maxBytes: number, links?: 'follow' | 'refuse'): Promise<FileBytes>;
  /** Reads a regular file piece by piece, from `start` on. A piece is valid until the next one is requested. */
  readPieces(path: string, start?: number): AsyncIterable<Uint8Array>;
  /**
   * Creates a directory and its missing parents, unless it exists. With `owner`, only its owner may enter it: an
   * existing directory is restricted, and one of another user is `permission_denied`.
   */
  createDirectory(path: string, access?: 'owner'): Promise<void>;
  /**
   * Creates or replaces one file, whole or not at all: a new file beside it, flushed to disk, renamed over it. Only a
   * mount point is overwritten.
   * `directory` is a real path, whose missing parts are created. If it now resolves to another path, the call throws
   * `moved` and writes nothing. A call that throws leaves no directory that it created. A replaced file keeps its mode
   * and attributes unless `mode` is given, and its owner and group as far as this process may set them.
   */
  replaceFile(directory: string, name: string, bytes: Uint8Array, mode?: number): Promise<void>;
  /** Removes a directory and everything in it, without following links; does nothing if it does not exist. */
  removeDirectory(path: string): Promise<void>;
  /** Removes a directory if nothing is in it. Returns false if something is, or if it is not there. */
  removeEmptyDirectory(path: string): Promise<boolean>;
  /** Appends to a file that only its owner may read; creates it if needed. */
  appendFile(path: string, bytes: Uint8Array): Promise<void>;
  /** Opens a file that only its owner may read, to append to it; creates it if needed. Follows no link. */
  openAppend(path: string): Promise<AppendFile>;
  /** Creates a file that only its owner may read. Throws `already_exists` if there is one. */
  createFile(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file; does nothing if it does not exist. */
  removeFile(path: string): Promise<void>;
  /** The files among these, all real paths, whose content git has as it is on the disk. Absent: that is not known. */
  findTracked?(files: readonly string[]): Promise<ReadonlySet<string>>;
}
