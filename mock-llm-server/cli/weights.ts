import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { refuseLinkOut } from '../record/story-directory.ts';
import { loadScenarioFiles, nodeScenarioFiles } from '../scenario/loading/load.ts';
import { describeProblem } from '../scenario/problems.ts';
import { countOf, errorText } from '../text.ts';
import { buildModel } from '../weights/build-model.ts';
import { MARKUPS } from '../weights/markups/markups.ts';
import { readScript } from '../weights/script/read-script.ts';
import type { CommandResult } from './validate.ts';
import type { WeightsCommand } from './weights-arguments.ts';

/** Compiles scenarios to a model. Rejects with a `ScenarioError` if they do not load, or a model cannot play them. */
export async function runWeights(options: Omit<WeightsCommand, 'type'>): Promise<CommandResult> {
  const files = await loadScenarioFiles(options.scenarios, nodeScenarioFiles);
  const { script, leftOut, notes } = readScript(files, { ...options, markup: MARKUPS[options.markup] });
  const model = buildModel(script, options);
  try {
    for (const name of model.keys()) await refuseLinkOut(path.join(options.out, name));
    await mkdir(options.out, { recursive: true });
  } catch (error) {
    throw new Error(`No model can be written to ${options.out} (${errorText(error)}). Choose another --out.`);
  }
  for (const [name, content] of model) {
    const file = path.join(options.out, name);
    await writeFile(file, content).catch(async (error: unknown) => {
      // A server must not load a part of a model.
      await rm(file, { force: true }).catch(() => {});
      throw new Error(`${file} cannot be written: ${errorText(error)}. The model is incomplete; choose another --out.`);
    });
  }
  const listed = leftOut.map((problem) => `left out: ${describeProblem(problem)}`);
  const noted = notes.map((problem) => `note: ${describeProblem(problem)}`);
  const summary = `${countOf(script.scenarios.length, 'scenario')} in ${options.out}`;
  return { exitCode: 0, text: [...listed, ...noted, summary].join('\n') };
}
