import type { Story } from '../../mock-llm-server/scenario/format.ts';
import { UsageError } from '../agent/errors.ts';
import type { NamedScenarioFile, PlayableStory } from './play/play-story.ts';

/** Access to the files of stories. */
export interface StoryFiles {
  kindOf(path: string): Promise<'file' | 'directory' | 'missing'>;
  readFile(path: string): Promise<string>;
  /** Resolves path parts to an absolute path, without access to the disk. */
  resolve(...parts: readonly string[]): string;
}

/**
 * Reads the story of a scenario file. A file in the older format has no `story`; its story is in `story.json` beside
 * it. With `createsExpected`, the directory that `story.expected` names may be missing. Throws `UsageError`.
 */
export async function readStory(
  source: NamedScenarioFile,
  files: StoryFiles,
  { createsExpected = false } = {},
): Promise<PlayableStory> {
  const { file, content } = source;
  const story = content.story ?? (await readStoryBeside(file, files.resolve(file, '..', 'story.json'), files));
  const session = await sessionOf(story, file, files);
  const expected = await directoryOf(story, 'expected', file, files, createsExpected);
  return {
    name: storyName(files.resolve(file)),
    file: files.resolve(file),
    source,
    story,
    workspace: await directoryOf(story, 'workspace', file, files, false),
    ...(session !== undefined && { session }),
    expected,
    expectedPath: files.resolve(file, '..', story.expected ?? 'expected'),
  };
}

/** Name of a story: `one` for `stories/one/scenario.json`, `two` for `stories/two.yaml`. */
function storyName(file: string): string {
  const [last = '', directory] = file.split(/[/\\]/).reverse();
  const name = last.replace(/\.(json|ya?ml)$/, '');
  return name === 'scenario' && name !== last && directory !== undefined ? directory : name;
}

async function readStoryBeside(file: string, storyFile: string, files: StoryFiles): Promise<Story> {
  if ((await files.kindOf(storyFile)) === 'missing') {
    throw new UsageError(
      `${file}: $.story: is missing; add {"prompts": ["what the user types"]} here or in story.json`,
    );
  }
  // Few stories are in the older format.
  const { parseStory } = await import('./story-beside.ts');
  return parseStory(files.readFile(storyFile), storyFile);
}

async function directoryOf(
  story: Story,
  part: 'workspace' | 'expected',
  file: string,
  files: StoryFiles,
  mayBeMissing: boolean,
): Promise<string | undefined> {
  const explicit = story[part];
  const found = files.resolve(file, '..', explicit ?? part);
  const kind = await files.kindOf(found);
  if (kind === 'directory') return found;
  if ((explicit === undefined || mayBeMissing) && kind === 'missing') return undefined;
  throw new UsageError(`${file}: $.story.${part}: ${found} is not a directory`);
}

async function sessionOf({ session }: Story, file: string, files: StoryFiles): Promise<string | undefined> {
  if (session === undefined) return undefined;
  const log = files.resolve(file, '..', session);
  if ((await files.kindOf(log)) === 'file') return log;
  throw new UsageError(`${file}: $.story.session: ${log} is not a file`);
}
