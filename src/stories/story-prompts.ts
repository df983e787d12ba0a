import type { StoryFiles } from './load-story.ts';

/** What listing stories needs of the disk. */
export interface StoryListing extends Pick<StoryFiles, 'readFile' | 'resolve'> {
  /** Names in a directory, in any order. */
  list(directory: string): Promise<readonly string[]>;
  /** The value of a YAML text. Rejects where it is none. */
  parseYaml(text: string): Promise<unknown>;
}

/** The files of a story directory that may hold its story, as the server looks for them: the first that is there. */
const STORY_FILES = ['scenario.json', 'scenario.yaml', 'scenario.yml'];

/**
 * The first prompt of every story in a directory, in the order of the names; what is no story is left out. For our own
 * stories before the first prompt is drawn: it does without the schema, which takes longer to load than all else. The
 * server checks the files when it starts.
 */
export async function listStoryPrompts(directory: string, files: StoryListing): Promise<readonly string[]> {
  const names = await files.list(directory).catch(() => []);
  const prompts = await Promise.all(
    names.toSorted().map(async (name) => {
      const inFile = await promptOfScenario(files.resolve(directory, name), files);
      return inFile ?? firstPrompt(await readContent(files.resolve(directory, name, 'story.json'), files));
    }),
  );
  return prompts.filter((prompt) => prompt !== undefined);
}

/** Of a scenario file, or of the one in a story directory. */
async function promptOfScenario(entry: string, files: StoryListing): Promise<string | undefined> {
  const candidates = /\.(json|ya?ml)$/i.test(entry) ? [entry] : STORY_FILES.map((name) => files.resolve(entry, name));
  for (const file of candidates) {
    const content = await readContent(file, files);
    if (content !== undefined) return firstPrompt(property(content, 'story'));
  }
  return undefined;
}

function firstPrompt(story: unknown): string | undefined {
  const prompt = property(property(story, 'prompts'), '0');
  return typeof prompt === 'string' ? prompt : undefined;
}

/** The value in a file; undefined where there is none that can be read. */
async function readContent(file: string, files: StoryListing): Promise<unknown> {
  try {
    const text = await files.readFile(file);
    return /\.ya?ml$/i.test(file) ? await files.parseYaml(text) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
