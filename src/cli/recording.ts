import type { FetchRecorder, ReplayedFile } from '../../mock-llm-server/record/record-fetch.ts';
import type { StoryContent } from '../../mock-llm-server/record/story-directory.ts';

/** Records the requests of ybs to its model. */
export type ModelRecorder = FetchRecorder;

/** Records runs and writes stories. */
export interface RecordingPort {
  /** Starts to record. `secrets` are removed from everything that is written; `replayed` answers the first requests. */
  start(secrets: readonly string[], replayed?: ReplayedFile): Promise<ModelRecorder>;
  /** Writes the files of a directory whole or not at all. With `replaces`, it has no other files afterwards. */
  write(directory: string, files: StoryContent, options: { readonly replaces: boolean }): Promise<void>;
  /** Converts recordings of other tools to one story. Rejects with an error for the user if a file is of no known kind. */
  convert(files: readonly string[]): Promise<ConvertedStory>;
}

/** The story of a foreign recording; `notes` are sentences about what could not be converted. */
export interface ConvertedStory {
  readonly scenarios: number;
  /** Number of recorded answers to requests for embeddings. */
  readonly embeddings: number;
  readonly notes: readonly string[];
  readonly files: StoryContent;
}

/** The recorder that comes with the model server. */
export const recording: RecordingPort = {
  async start(secrets, replayed) {
    return (await import('../../mock-llm-server/record/record-fetch.ts')).createFetchRecorder(secrets, replayed);
  },
  async write(directory, files, { replaces }) {
    const { replaceStory, writeStory } = await import('../../mock-llm-server/record/story-directory.ts');
    const { targetOf } = await import('../node/files/node-story-disk.ts');
    await (replaces ? replaceStory : writeStory)(await targetOf(directory), files);
  },
  async convert(paths) {
    const { convertForeignFiles } = await import('../../mock-llm-server/record/convert/convert-file.ts');
    const { scenarios, prompts = [], embeddings = [], notes } = await convertForeignFiles(paths);
    const content = {
      scenarios,
      ...(embeddings.length > 0 && { embeddings }),
      ...(prompts.length > 0 && { story: { prompts } }),
    };
    const files = new Map([['scenario.json', `${JSON.stringify(content, undefined, 2)}\n`]]);
    return { scenarios: scenarios.length, embeddings: embeddings.length, notes, files };
  },
};
