import * as z from 'zod';
import { type Story, StorySchema } from '../../mock-llm-server/scenario/format.ts';
import { messageOf, UsageError } from '../agent/errors.ts';

/** Reads the text of `story.json`, the story of a scenario file in the older format. Rejects with a `UsageError`. */
export async function parseStory(text: Promise<string>, file: string): Promise<Story> {
  let json: unknown;
  try {
    json = JSON.parse(await text);
  } catch (error) {
    throw new UsageError(`${file}: not valid JSON: ${messageOf(error)}`);
  }
  const parsed = StorySchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${file}: is not a valid story:\n${z.prettifyError(parsed.error)}`);
}
