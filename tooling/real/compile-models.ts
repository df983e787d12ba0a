import { readdirSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import type { ModelFiles } from './real-server.ts';

const root = path.join(import.meta.dirname, '../..');
const STORIES = path.join(root, 'scenarios');
const SUITE = path.join(root, 'test/real/scenarios');

/** Compiles all stories that a model can play, and those of the checks, to a model: once for each window. */
export function compileModels(temporary: string): (window: number) => Promise<ModelFiles> {
  const compiled = new Map<number, Promise<ModelFiles>>();
  return (window) => {
    const model = compiled.get(window) ?? compile(path.join(temporary, `model-${window}`), window);
    compiled.set(window, model);
    return model;
  };
}

/** The scenarios of the checks, and the directories of all stories of this project. */
export function allScenarios(): readonly string[] {
  const stories = readdirSync(STORIES, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [path.join(STORIES, entry.name)] : [],
  );
  return [SUITE, ...stories];
}

async function compile(directory: string, window: number): Promise<ModelFiles> {
  const bin = path.join(root, 'dist/mock-llm-server.js');
  const options = ['--partial', '--context', String(window), '--out', directory];
  const all = allScenarios();
  const { all: output } = await execa(process.execPath, [bin, 'weights', ...all, ...options], {
    stdin: 'ignore',
    all: true,
  });
  const stories = all
    .slice(1)
    .flatMap((story) => (output.includes(`left out: ${story}`) ? [] : [path.basename(story)]));
  return { directory, window, stories };
}
