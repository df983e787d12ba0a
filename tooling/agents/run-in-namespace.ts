// Runs one agent through one story against a separate mock server and prints the observed run as JSON. It must run in a
// network namespace: node run-in-namespace.ts NAME STORY COMMAND TEMPORARY-DIRECTORY
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AGENT_RUNS, withServer } from './agent-runs.ts';
import { ObservedJournalSchema, type ObservedRun, ObservedVerdictSchema } from './check-run.ts';
import { checkIsolation, findByName, startAgent, startServer, writeFiles } from './in-namespace.ts';
import { FAULT_STORIES, RESULTS_FILE, STORIES } from './stories.ts';

const [name = '', storyName = '', command = '', temporary = ''] = process.argv.slice(2);
const found = findByName(AGENT_RUNS, name);
const story = findByName([...STORIES, ...FAULT_STORIES], storyName);
const run = (story.served && withServer(found)) ?? found;
checkIsolation();

const scenarios = path.join(import.meta.dirname, `${story.file ?? story.name}.json`);
const server = await startServer(['--no-watch', '--scenarios', scenarios]);
try {
  const observed = await playStory(server.url);
  const { entries } = ObservedJournalSchema.parse(await (await fetch(new URL('/__mock/journal', server.url))).json());
  const verdict = ObservedVerdictSchema.parse(await (await fetch(new URL('/__mock/verify', server.url))).json());
  const { stderr } = await server.stop();
  const result: ObservedRun = { ...observed, requests: entries, verdict, log: stderr };
  console.log(JSON.stringify(result));
} finally {
  await server.stop();
}

async function playStory(base: string): Promise<Omit<ObservedRun, 'log' | 'requests' | 'verdict'>> {
  const home = path.join(temporary, 'home');
  const workspace = path.join(temporary, 'workspace');
  await writeFiles(workspace, story.workspace);
  const ended = await startAgent(run, command, { base, home, workspace, prompt: story.prompt });
  const files = [...Object.keys(story.expected.files), RESULTS_FILE].map(async (file) => {
    return [file, await readFile(path.join(workspace, file), 'utf8').catch(() => null)] as const;
  });
  return { ...ended, files: Object.fromEntries(await Promise.all(files)) };
}
