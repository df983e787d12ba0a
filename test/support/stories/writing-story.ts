import { temporaryDirectory, writeFiles } from '../processes/temporary-directory.ts';

/** A directory with a story whose model writes `text` to `a.txt`. */
export function writeWritingStory(text: string, files: Readonly<Record<string, string>> = {}): string {
  const directory = temporaryDirectory();
  writeFiles(directory, { 'one/scenario.json': writingScenario(text), ...files });
  return directory;
}

/** A scenario file with a story whose model writes `text` to `a.txt`. */
export function writingScenario(text: string): string {
  const steps = [{ intent: 'write_file', path: 'a.txt', content: text }, { response: { content: 'Written.' } }];
  const story = { prompts: ['write it'], permission_mode: 'full-access' };
  return JSON.stringify({ scenarios: [{ name: 'one', trigger: 'write', steps }], story });
}
