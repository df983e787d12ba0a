import { readdirSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import type { MarkupName } from '../../mock-llm-server/weights/markups/markups.ts';
import type { ModelFiles } from './real-server.ts';

const root = path.join(import.meta.dirname, '../..');
const STORIES = path.join(root, 'scenarios');
const SUITE = path.join(root, 'test/real/scenarios');

/**
 * Compiles the stories that a model plays as a whole, and those of the checks, to a model: once for each window.
 * With another markup, only those of the checks that it can express.
 */
export function compileModels(temporary: string): (window: number, markup?: MarkupName) => Promise<ModelFiles> {
  const compiled = new Map<string, Promise<ModelFiles>>();
  return (window, markup = 'hermes') => {
    const name = `model-${markup}-${window}`;
    const model = compiled.get(name) ?? compile(path.join(temporary, name), window, markup);
    compiled.set(name, model);
    return model;
  };
}

async function compile(directory: string, window: number, markup: MarkupName): Promise<ModelFiles> {
  const all = readdirSync(STORIES, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [path.join(STORIES, entry.name)] : [],
  );
  const bin = path.join(root, 'dist/mock-llm-server.js');
  const write = (stories: readonly string[], ...options: readonly string[]) => {
    const words = ['weights', SUITE, ...stories, '--context', String(window), '--markup', markup, '--out', directory];
    // The compile cache of the command belongs to the run, too.
    const env = { XDG_CACHE_HOME: path.dirname(directory) };
    return execa(process.execPath, [bin, ...words, ...options], { env, stdin: 'ignore', all: true });
  };
  if (markup !== 'hermes') {
    await write([], '--partial');
    return { directory, window, markup, scenarios: [SUITE], stories: [] };
  }
  const { all: output } = await write(all, '--partial');
  // A part of a story would answer in its place, and differ from the mock.
  const whole = all.filter((story) => !output.includes(`left out: ${story}/`));
  await write(whole);
  const names = whole.map((story) => path.basename(story));
  return { directory, window, markup, scenarios: [SUITE, ...whole], stories: names };
}
