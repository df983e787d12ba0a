import type { RecordingPort } from './subcommands/subcommand.ts';

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
