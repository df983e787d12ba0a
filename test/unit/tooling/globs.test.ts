import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { minimatch } from 'minimatch';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { groups } from '../../../rolldown.config.ts';
import { EQUIVALENT, MUTATED, TOLERATED } from '../../../tooling/mutation/survivors.ts';
import { COMPLETE } from '../../../vitest.config.ts';
import { AREAS, EXCEPTIONS, SHARED_FILES } from '../../support/house/import-rules.ts';
import { projectFiles } from '../../support/house/project-files.ts';

const root = path.join(import.meta.dirname, '../../..');
const shipped = [...projectFiles('src', 'mock-llm-server').keys()];
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const isThere = (glob: string) => globSync(glob, { cwd: root }).length > 0;

/** Includes and excludes of a configuration in JSON, without the `!` of Biome. */
function globsOf(file: string): readonly string[] {
  const Globs = z.object({
    include: z.array(z.string()).default([]),
    exclude: z.array(z.string()).default([]),
    files: z.object({ includes: z.array(z.string()) }).optional(),
  });
  const { include, exclude, files } = Globs.parse(JSON.parse(read(file)));
  return [...include, ...exclude, ...(files?.includes ?? [])].map((glob) => glob.replace(/^!/, ''));
}

/** The paths in the commands of package.json and of the workflows. */
function pathsInCommands(): readonly string[] {
  const texts = ['package.json', ...globSync('.github/workflows/*.yml', { cwd: root })].map(read);
  const paths = texts.flatMap(
    (text) => text.match(/(?<![\w./-])(?:src|test|tooling|chapters|scenarios)\/[\w./*-]+/g) ?? [],
  );
  return [...new Set(paths)];
}

// None of these tools complains about a glob or a path that matches nothing.
describe('each of these applies to at least one file', () => {
  it.each([...COMPLETE, ...MUTATED, ...Object.keys(AREAS).map((area) => `src/${area}/**`)])(
    'glob of sources: %s',
    (glob) => {
      expect(shipped.filter((file) => minimatch(file, glob))).not.toEqual([]);
    },
  );

  it.each([EQUIVALENT, TOLERATED].flatMap((list) => Object.keys(list)))(
    'file with a mutant that survives: %s',
    (file) => {
      expect(shipped).toContain(file);
    },
  );

  it.each([...SHARED_FILES, ...Object.entries(EXCEPTIONS).flatMap(([file, { files = [] }]) => [file, ...files])])(
    'exception to the direction of imports: %s',
    (file) => {
      expect(shipped).toContain(file);
    },
  );

  it.each(Object.values(groups).flatMap((globs) => globs.flatMap((glob) => minimatch.braceExpand(glob))))(
    'file of a group of chunks: %s',
    (glob) => {
      expect(shipped.filter((file) => minimatch(file, glob))).not.toEqual([]);
    },
  );

  it.each(['tsconfig.json', 'biome.json'].flatMap(globsOf))('glob of a configuration: %s', (glob) => {
    expect(isThere(glob)).toBe(true);
  });

  it.each(pathsInCommands())('path in a command or workflow: %s', (name) => {
    expect(isThere(name)).toBe(true);
  });
});
