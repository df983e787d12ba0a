/** Files by their path beneath a directory, always with `/`. A link is its target, marked as one. */
export type FileTree = ReadonlyMap<string, Uint8Array>;

/** What playing a story needs of the disk. */
export interface StoryDisk {
  /** A new directory with a copy of `source`, or empty without one; returns its real path. */
  createWorkspace(source: string | undefined): Promise<string>;
  /** Every file beneath the directory; empty directories do not count. */
  readTree(directory: string): Promise<FileTree>;
  remove(directory: string): Promise<void>;
}
