import { readdirSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import type { ModelFiles } from './real-server.ts';

const root = path.join(import.meta.dirname, '../..');
const STORIES = path.join(root, 'scenarios');
const SUITE = path.join(root, 'test/real/scenarios');

/** Compiles the stories that a model plays as a whole, and those of the checks, to a model: once for each window. */
export function compileModels(temporary: string): (window: number) => Promise<ModelFiles> {
  const compiled = new Map<number, Promise<ModelFiles>>();
  return (window) => {
    const model = compiled.get(window) ?? compile(path.join(temporary, `model-${window}`), window);
    compiled.set(window, model);
    return model;
  };
}

async function compile(directory: string, window: number): Promise<ModelFiles> {
  const all = readdirSync(STORIES, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [path.join(STORIES, entry.name)] : [],
  );
  const bin = path.join(root, 'dist/mock-llm-server.js');
  const write = (stories: readonly string[], ...options: readonly string[]) => {
    const words = ['weights', SUITE, ...stories, '--context', String(window), '--out', directory, ...options];
    return execa(process.execPath, [bin, ...words], { stdin: 'ignore', all: true });
  };
  const { all: output } = await write(all, '--partial');
  // A part of a story would answer in its place, and differ from the mock.
  const whole = all.filter((story) => !output.includes(`left out: ${story}/`));
  await write(whole);
  return { directory, window, scenarios: [SUITE, ...whole], stories: whole.map((story) => path.basename(story)) };
}
