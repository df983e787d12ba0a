import type { StoryFiles } from './load-stories.ts';

/** What listing stories needs of the disk. */
export interface StoryListing extends Pick<StoryFiles, 'readFile' | 'resolve'> {
  /** Names in a directory, in any order. */
  list(directory: string): Promise<readonly string[]>;
}

/**
 * The first prompt of every story in a directory, in the order of the names; what is no story is left out. For our own
 * stories before the first prompt is drawn: it does without the schema, which takes longer to load than all else. The
 * server checks the files when it starts.
 */
export async function listStoryPrompts(directory: string, files: StoryListing): Promise<readonly string[]> {
  const names = await files.list(directory).catch(() => []);
  const prompts = await Promise.all(
    names.toSorted().map(async (name) => {
      const inFile = await firstPrompt(files.resolve(directory, name, 'scenario.json'), 'story', files);
      return inFile ?? firstPrompt(files.resolve(directory, name, 'story.json'), undefined, files);
    }),
  );
  return prompts.filter((prompt) => prompt !== undefined);
}

async function firstPrompt(file: string, part: string | undefined, files: StoryListing): Promise<string | undefined> {
  try {
    const content: unknown = JSON.parse(await files.readFile(file));
    const story = part === undefined ? content : property(content, part);
    const prompt = property(property(story, 'prompts'), '0');
    return typeof prompt === 'string' ? prompt : undefined;
  } catch {
    return undefined;
  }
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
