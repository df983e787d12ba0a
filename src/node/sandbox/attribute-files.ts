import { readdirSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { attributesWithSecrets, secretAttributes } from '../../policy/sandbox/git-attributes.ts';
import type { SandboxPlaces } from '../../policy/sandbox/mounts.ts';
import type { SandboxRules } from '../../policy/sandbox/rules.ts';
import { readSmallFile, realFile } from './real-files.ts';
import { isDirectory } from './view-places.ts';

/** The files with attributes that hide secrets, and what a sandbox does with them. */
export interface AttributeFiles {
  /** For repositories without a directory `info`, where those of a project take precedence. */
  readonly file: string;
  /** The directories `info`, in whose place the sandbox has empty ones. */
  readonly directories: readonly string[];
  /** Their other files, and `file`. */
  readonly visible: readonly string[];
  readonly placed: NonNullable<SandboxPlaces['placed']>;
}

/**
 * Writes the attributes of git beside the directories of caches, where no command can change them. In the sandbox, they
 * are also `info/attributes` of each repository, with what is there.
 */
export async function writeAttributes(rules: SandboxRules, repositories: readonly string[]): Promise<AttributeFiles> {
  const file = await writeOnce('git-attributes', secretAttributes(), rules);
  // macOS has no mounts.
  const mounted = process.platform === 'darwin' ? [] : repositories;
  // A command could make a link to files that it cannot see.
  const directories = mounted
    .map((each) => path.join(each, 'info'))
    .filter((each) => isDirectory(each) && realFile(each) === each);
  const visible = directories.flatMap((directory) =>
    readdirSync(directory)
      .filter((name) => name !== 'attributes')
      .map((name) => path.join(directory, name)),
  );
  const placed = directories.map(async (directory, index) => {
    const written = path.join(directory, 'attributes');
    const own = realFile(written) === written ? readSmallFile(written) : undefined;
    const name = `git-attributes.${path.basename(rules.cacheDirectory)}.${index}`;
    const source = own === undefined ? file : await writeOnce(name, attributesWithSecrets(own), rules);
    return { source, path: path.join(directory, 'attributes') };
  });
  return { file, directories, visible: [file, ...visible], placed: await Promise.all(placed) };
}

/** Writes a file beside the directories of caches, where no command can change it. */
export async function writeOnce(name: string, text: string, { cacheDirectory }: SandboxRules): Promise<string> {
  const file = path.join(path.dirname(cacheDirectory), name);
  if (readSmallFile(file) !== text) {
    await writeFile(`${file}.${process.pid}`, text, { mode: 0o600 });
    await rename(`${file}.${process.pid}`, file);
  }
  return realFile(file) ?? file;
}
