import type { StoryFiles } from '../load-story.ts';

/** Access to the files of a directory of stories. */
export interface StoryListing extends StoryFiles {
  /** Names in a directory, in any order. */
  list(directory: string): Promise<readonly string[]>;
  /** Parses YAML. Rejects when the text is not valid. */
  parseYaml(text: string): Promise<unknown>;
}

/** Possible names of the scenario file in a story directory; as in the server, the first that exists is read. */
const SCENARIO_NAMES = ['scenario.json', 'scenario.yaml', 'scenario.yml'];

/**
 * The first prompts of the stories in a directory that work in `workspace`, in the order of the names of the stories;
 * other files are ignored. Does not check the files against the schema, because loading it would delay the first
 * prompt; the server checks them at its start.
 */
export async function listStoryPrompts(
  directory: string,
  workspace: string,
  files: StoryListing,
): Promise<readonly string[]> {
  const names = await files.list(directory).catch(() => []);
  /** Results by directory, because most stories have the same workspace. */
  const found = new Map<string, Promise<boolean>>();
  const hasFilesOf = async (origin: string): Promise<boolean> => {
    const has = found.get(origin) ?? hasFiles(origin, workspace, files);
    found.set(origin, has);
    return has;
  };
  const prompts = await Promise.all(
    names.toSorted().map(async (name) => {
      const { file, story } = await storyOf(files.resolve(directory, name), files);
      const prompt = firstPrompt(story);
      if (prompt === undefined) return undefined;
      const given = property(story, 'workspace');
      const origin = files.resolve(file, '..', typeof given === 'string' ? given : 'workspace');
      return (await hasFilesOf(origin)) ? prompt : undefined;
    }),
  );
  return prompts.filter((prompt) => prompt !== undefined);
}

/** The story of a scenario file, or of a story directory, and the file that has it. */
async function storyOf(
  entry: string,
  files: StoryListing,
): Promise<{ readonly file: string; readonly story: unknown }> {
  const candidates = /\.(json|ya?ml)$/i.test(entry)
    ? [entry]
    : SCENARIO_NAMES.map((name) => files.resolve(entry, name));
  for (const file of candidates) {
    const story = property(await readContent(file, files), 'story');
    if (story !== undefined) return { file, story };
  }
  const beside = files.resolve(entry, 'story.json');
  return { file: beside, story: await readContent(beside, files) };
}

/** True if the workspace has a file in the place of each file of the directory `origin`, which may be missing. */
async function hasFiles(origin: string, workspace: string, files: StoryListing): Promise<boolean> {
  const kind = await files.kindOf(origin);
  if (kind === 'missing') return true;
  if ((await files.kindOf(workspace)) !== kind) return false;
  if (kind === 'file') return true;
  for (const name of await files.list(origin)) {
    if (!(await hasFiles(files.resolve(origin, name), files.resolve(workspace, name), files))) return false;
  }
  return true;
}

/**
 * The first prompt of a story, unless it works only in the story: its calls are text that only a model with another
 * configuration may write, it names a file of its workspace, or it continues a session.
 */
function firstPrompt(story: unknown): string | undefined {
  if (property(story, 'tool_protocol') === 'xnl' || property(story, 'session') !== undefined) return undefined;
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
