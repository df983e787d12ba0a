import type { Story } from '../../mock-llm-server/scenario/format.ts';
import { messageOf, UsageError } from '../agent/errors.ts';
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
  const text = await files.readFile(storyFile);
  // Few stories are in the older format.
  const [z, { StorySchema }] = await Promise.all([import('zod'), import('../../mock-llm-server/scenario/format.ts')]);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${storyFile}: not valid JSON: ${messageOf(error)}`);
  }
  const parsed = StorySchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${storyFile}: is not a valid story:\n${z.prettifyError(parsed.error)}`);
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

/**
 * The reason why `--update` may not write the expected files of a story, or `undefined`. It never writes a directory
 * that has another purpose: one with the story itself or a workspace, or one that several stories share.
 */
export function updateRefusal(playable: PlayableStory, stories: readonly PlayableStory[]): string | undefined {
  const { expectedPath, expected, story, file } = playable;
  if (stories.some((other) => contains(expectedPath, other.file))) return 'it contains a story';
  const workspaceOf = stories.find(({ workspace = '' }) => workspace !== '' && overlap(expectedPath, workspace));
  if (workspaceOf !== undefined) return `it belongs to the workspace of ${workspaceOf.name}`;
  const sharing = stories.find((other) => other !== playable && overlap(expectedPath, other.expectedPath));
  const fix = 'Name another directory in story.expected.';
  if (sharing !== undefined) return `${sharing.name} also expects it. ${fix}`;
  const isAlone = /(?:^|[/\\])scenario\.(?:json|ya?ml)$/.test(file);
  if (isAlone || expected !== undefined || story.expected !== undefined) return undefined;
  return `every story in this directory would expect it. ${fix}`;
}

function overlap(left: string, right: string): boolean {
  return contains(left, right) || contains(right, left);
}

/** True if `path` is the directory or lies in it. Both are absolute. */
function contains(directory: string, path: string): boolean {
  const segments = (text: string) => `${text.replaceAll('\\', '/').replace(/\/+$/, '')}/`;
  return segments(path).startsWith(segments(directory));
}
