import type { StoryFiles } from '../load-story.ts';

/** Access to the files of a directory of stories. */
export interface StoryListing extends Pick<StoryFiles, 'readFile' | 'resolve'> {
  /** Names in a directory, in any order. */
  list(directory: string): Promise<readonly string[]>;
  /** Parses YAML. Rejects when the text is not valid. */
  parseYaml(text: string): Promise<unknown>;
}

/** Possible names of the scenario file in a story directory; as in the server, the first that exists is read. */
const SCENARIO_NAMES = ['scenario.json', 'scenario.yaml', 'scenario.yml'];

/**
 * The first prompts of the stories in a directory, in the order of the names, as far as they work anywhere; other files
 * are ignored. Does not check the files against the schema, because loading it would delay the first prompt; the server
 * checks them at its start.
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

/** The first prompt of a scenario file, or of the scenario file in a story directory. */
async function promptOfScenario(entry: string, files: StoryListing): Promise<string | undefined> {
  const candidates = /\.(json|ya?ml)$/i.test(entry)
    ? [entry]
    : SCENARIO_NAMES.map((name) => files.resolve(entry, name));
  for (const file of candidates) {
    const content = await readContent(file, files);
    if (content !== undefined) return firstPrompt(property(content, 'story'));
  }
  return undefined;
}

/**
 * The first prompt of a story, unless it works only in the story: its calls are text that only a model with another
 * configuration may write, or it names a file of its workspace.
 */
function firstPrompt(story: unknown): string | undefined {
  if (property(story, 'tool_protocol') === 'xnl') return undefined;
  const prompt = property(property(story, 'prompts'), '0');
  return typeof prompt === 'string' && !prompt.includes('@file:') ? prompt : undefined;
}

/** The value in a file; `undefined` when it cannot be read. */
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
