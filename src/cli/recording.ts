import type { FetchRecorder, ReplayedFile } from '../../mock-llm-server/record/record-fetch.ts';
import type { StoryContent } from '../../mock-llm-server/record/story-directory.ts';

/** Records what ybs sends to its model. */
export type ModelRecorder = FetchRecorder;

/** Records runs and writes stories. */
export interface RecordingPort {
  /** Starts to record. `secrets` are removed from everything that is written; `replayed` answers the first requests. */
  start(secrets: readonly string[], replayed?: ReplayedFile): Promise<ModelRecorder>;
  /** Writes the files of a directory whole or not at all. With `replaces`, it has no other files afterwards. */
  write(directory: string, files: StoryContent, options: { readonly replaces: boolean }): Promise<void>;
}

/** The recorder that comes with the model server. */
export const recording: RecordingPort = {
  async start(secrets, replayed) {
    return (await import('../../mock-llm-server/record/record-fetch.ts')).createFetchRecorder(secrets, replayed);
  },
  async write(directory, files, { replaces }) {
    const { replaceStory, writeStory } = await import('../../mock-llm-server/record/story-directory.ts');
    await (replaces ? replaceStory : writeStory)(directory, files);
  },
};
