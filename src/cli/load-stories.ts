import path from 'node:path';
import * as z from 'zod';
import { type ScenarioFile, type Story, StorySchema } from '../../mock-llm-server/scenario.ts';
import type { PlayableStory } from './story-runner.ts';

/** A story cannot be played. The message names the file, the place in it and the reason. */
export class StoryError extends Error {
  override readonly name = 'StoryError';
}

/** What finding the parts of a story needs of the disk. */
export interface StoryFiles {
  kindOf(path: string): Promise<'file' | 'directory' | 'missing'>;
  readFile(path: string): Promise<string>;
}

/**
 * Finds out how a scenario file is played. A file in the older format has no `story`; then `story.json` beside it says
 * the same. Throws `StoryError`.
 */
export async function readStory(file: string, content: ScenarioFile, files: StoryFiles): Promise<PlayableStory> {
  const directory = path.dirname(path.resolve(file));
  const story = content.story ?? (await readStoryBeside(file, path.join(directory, 'story.json'), files));
  const isStoryFile = path.basename(file) === 'scenario.json';
  return {
    name: isStoryFile ? path.basename(directory) : path.basename(file, '.json'),
    story,
    workspace: await partOf(story, 'workspace', file, directory, files),
    expected: await partOf(story, 'expected', file, directory, files),
  };
}

async function readStoryBeside(file: string, beside: string, files: StoryFiles): Promise<Story> {
  if ((await files.kindOf(beside)) === 'missing') {
    throw new StoryError(`${file}: $.story: is missing; say with "prompts" what the user types, here or in story.json`);
  }
  let json: unknown;
  try {
    json = JSON.parse(await files.readFile(beside));
  } catch (error) {
    throw new StoryError(`${beside}: $: not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = StorySchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new StoryError(`${beside}: does not fit the format of a story:\n${z.prettifyError(parsed.error)}`);
}

async function partOf(
  story: Story,
  part: 'workspace' | 'expected',
  file: string,
  directory: string,
  files: StoryFiles,
): Promise<string | undefined> {
  const given = story[part];
  const found = path.join(directory, given ?? part);
  const kind = await files.kindOf(found);
  if (kind === 'directory') return found;
  if (given === undefined && kind === 'missing') return undefined;
  throw new StoryError(`${file}: $.story.${part}: ${found} is not a directory`);
}
