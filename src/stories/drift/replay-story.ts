import type { Story } from '../../../mock-llm-server/scenario/format.ts';
import { UsageError } from '../../agent/errors.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { AssistantMessage } from '../../agent/ports/messages.ts';
import { compareTrees, type FileTree } from '../compare-trees.ts';
import type { PlayableStory, StoryDisk } from '../play/play-story.ts';

/** Checks that a story can be re-recorded from its first drift. Throws `UsageError`. */
export function checkReplayable({ file, source }: PlayableStory): void {
  if (!/(?:^|[/\\])scenario\.json$/.test(file)) {
    throw new UsageError(`${file}: only a story in a directory of its own, NAME/scenario.json, can be re-recorded.`);
  }
  if (source.lock === undefined) {
    const fix = `Write it with: ybs test --rebase ${source.file}`;
    throw new UsageError(`${file}: there is no prompt.lock.json to compare the prompt with. ${fix}`);
  }
}

/** The answer number `index` of a run, from 0, and its model; undefined if the run ends before. Stops the run there. */
export async function answerAt(
  runs: AsyncIterable<AsyncIterable<AgentEvent>>,
  index: number,
): Promise<{ readonly message: AssistantMessage; readonly model: string } | undefined> {
  let count = 0;
  let model = '';
  for await (const events of runs) {
    for await (const event of events) {
      if (event.type === 'turn_start') model = event.model.model;
      // Nothing of the answer has been executed when its event arrives.
      if (event.type === 'assistant_message' && count++ === index) return { message: event.message, model };
    }
  }
  return undefined;
}

/** The user's side of a story that was re-recorded: the approvals and the outcome are those of the new run. */
export function renewStory(
  old: Story,
  { approvals, expected_outcome: outcome }: Pick<Story, 'approvals' | 'expected_outcome'>,
): Story {
  const { approvals: _approvals, expected_outcome: _outcome, ...rest } = old;
  return { ...rest, ...(approvals && { approvals }), ...(outcome && { expected_outcome: outcome }) };
}

/** Files of a story that a new recording writes, by their paths in its directory. */
type StoryFiles = ReadonlyMap<string, string | Uint8Array>;

/**
 * Replaces the recording of a story at once and completely: `files`, and the files that the run has left in
 * `workspace` as the expected ones, unless they are those that the story expects already.
 */
export async function replaceRecording(
  { file, story, expected, workspace: before }: PlayableStory,
  { files, workspace }: { readonly files: (story: Story) => Promise<StoryFiles>; readonly workspace: string },
  disk: StoryDisk & {
    resolve(...parts: readonly string[]): string;
    writeFile(path: string, content: string): Promise<void>;
  },
): Promise<void> {
  const directory = disk.resolve(file, '..');
  const read = async (path: string | undefined): Promise<FileTree> =>
    path === undefined ? new Map() : disk.readTree(path);
  const left = await disk.readTree(workspace);
  const isExpected = compareTrees(await read(expected ?? before), left).length === 0;
  const { expected: _elsewhere, ...own } = story;
  const content = await files(isExpected ? story : own);
  const copy = await disk.createWorkspace(directory);
  try {
    if (!isExpected) await disk.replace(disk.resolve(copy, 'expected'), workspace);
    for (const [name, text] of content) {
      if (typeof text === 'string') await disk.writeFile(disk.resolve(copy, name), text);
    }
    await disk.replace(directory, copy);
  } finally {
    await disk.remove(copy);
  }
}
