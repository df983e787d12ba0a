// Records one agent with a second mock server as its provider, replays the recording, changes its prompt, accepts the
// drift and records it anew from the first drift. Throws at the first deviation, and prints the seconds it took. It must
// run in a network namespace: node record-in-namespace.ts NAME COMMAND TEMPORARY-DIRECTORY
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { cp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import * as z from 'zod';
import { AGENT_RUNS } from './agent-runs.ts';
import { checkIsolation, findByName, startAgent, startServer, writeFiles, YBS } from './in-namespace.ts';

const PROMPT = 'Please read seed.txt, then copy it.';
const StoryReportSchema = z.object({
  stories: z.tuple([
    z.object({
      type: z.string(),
      problems: z.array(z.string()).default([]),
      drift: z.array(z.object({ step: z.number(), part: z.string(), summary: z.string() })).default([]),
    }),
  ]),
});
const JournalSchema = z.object({ entries: z.array(z.object({ step: z.number().optional() })) });
const ScenarioFileSchema = z.object({
  scenarios: z.tuple([z.object({ name: z.string(), trigger: z.unknown(), steps: z.array(z.unknown()) })]),
});

const [name = '', command = '', temporary = ''] = process.argv.slice(2);
const run = findByName(AGENT_RUNS, name);
checkIsolation();
const started = performance.now();
const story = path.join(temporary, 'story');
const read = (file: string): Promise<string> => readFile(path.join(story, file), 'utf8');

// Record.
const before = { 'AGENTS.md': 'Answer in English.\n', 'seed.txt': 'one\n' };
const recorded = await record('first', before, []);
deepStrictEqual(recorded.steps, [0, 1, 2], 'the recorder forwards every request');
await writeFiles(story, { 'story.json': JSON.stringify({ prompts: [PROMPT] }) });
await setFiles(before, 'first');

// Replay.
deepStrictEqual(await test(), { exitCode: 0, type: 'passed', problems: [], drift: [] });

// Drift: the file with the instructions of the project is a part of the prompt.
const changed = { ...before, 'AGENTS.md': 'Answer in French.\n' };
await setFiles(changed, 'first');
const drifted = await test();
strictEqual(drifted.type, 'passed', 'a drift is reported beside the answer');
strictEqual(drifted.drift.length, 1, 'a part of the prompt drifts once');
strictEqual(drifted.drift.at(0)?.step, 0);
match(drifted.drift.at(0)?.summary ?? '', /\+1 −1 lines/);
const failed = await test('--drift', 'fail');
deepStrictEqual([failed.exitCode, failed.type], [1, 'failed']);

// Rebase.
const [scenario, lock] = [await read('scenario.json'), await read('prompt.lock.json')];
strictEqual((await test('--rebase')).exitCode, 0);
strictEqual(await read('scenario.json'), scenario, '--rebase never writes the scenario');
ok((await read('prompt.lock.json')) !== lock, '--rebase writes the lock');
deepStrictEqual(await test('--drift', 'fail'), { exitCode: 0, type: 'passed', problems: [], drift: [] });

// Record anew from the first drift: the result of the first call differs, so the story answers step 0 only.
const again = { ...changed, 'seed.txt': 'two\n' };
await setFiles(again, 'first');
deepStrictEqual(
  (await test()).drift.map(({ step, part, summary }) => ({ step, part, summary })),
  [{ step: 1, part: 'tool result 1', summary: 'differs' }],
);
const anew = await record('second', again, ['--from-drift']);
deepStrictEqual(anew.steps, [1, 2], 'the provider is asked from the first drift on');
await setFiles(again, 'second');
deepStrictEqual(await test('--drift', 'fail'), { exitCode: 0, type: 'passed', problems: [], drift: [] });
const [old, now] = [scenario, await read('scenario.json')].map(
  (text) => ScenarioFileSchema.parse(JSON.parse(text)).scenarios[0],
);
deepStrictEqual([now?.name, now?.trigger, now?.steps[0]], [old?.name, old?.trigger, old?.steps[0]]);
match(JSON.stringify(now?.steps), /second/);
console.log((performance.now() - started) / 1000);

/** Lets the agent work once with the recorder between it and a provider that copies the seed as `text`. */
async function record(text: string, files: Readonly<Record<string, string>>, options: readonly string[]) {
  const workspace = path.join(temporary, 'workspace');
  await rm(workspace, { recursive: true, force: true });
  await writeFiles(workspace, files);
  const provider = path.join(temporary, `provider-${text}.json`);
  await writeFiles(temporary, { [path.basename(provider)]: JSON.stringify(providerScenario(text)) });
  const upstream = await startServer(['--no-watch', '--scenarios', provider]);
  try {
    const recorder = await startServer(['record', '--upstream', upstream.url, '--out', story, ...options]);
    const home = path.join(temporary, `home-${text}`);
    const agent = await startAgent(run, command, { base: recorder.url, home, workspace, prompt: PROMPT });
    const { exitCode, stderr } = await recorder.stop();
    strictEqual(exitCode, 0, `the recorder failed: ${stderr}`);
    strictEqual(agent.exitCode, 0, `the agent failed: ${agent.stderr}`);
    match(agent.stdout, new RegExp(`copied, ${text}`), 'the answer of the provider reaches the agent');
    strictEqual(await readFile(path.join(workspace, 'copy.txt'), 'utf8'), `${text}\n`);
    const { entries } = JournalSchema.parse(await (await fetch(new URL('/__mock/journal', upstream.url))).json());
    return { steps: entries.map(({ step }) => step) };
  } finally {
    await upstream.stop();
  }
}

function providerScenario(text: string) {
  const steps = [
    { intent: 'read_file', path: 'seed.txt' },
    { intent: 'write_file', path: 'copy.txt', content: `${text}\n` },
    { response: { content: `copied, ${text}` } },
  ];
  return { scenarios: [{ name: 'provider', trigger: 'read seed.txt', steps }] };
}

/** Makes these the files of the story before the run; afterwards `copy.txt` has the text. */
async function setFiles(files: Readonly<Record<string, string>>, text: string): Promise<void> {
  await writeFiles(path.join(story, 'workspace'), files);
  await cp(path.join(story, 'workspace'), path.join(story, 'expected'), { recursive: true });
  await writeFiles(path.join(story, 'expected'), { 'copy.txt': `${text}\n` });
}

/** `ybs test --agent` on the story, with further options. */
async function test(...options: readonly string[]) {
  const args = [YBS, 'test', '--agent', run.name, '--reporter', 'json', ...options, story];
  const { exitCode, stdout, stderr } = await execa(process.execPath, args, {
    cwd: temporary,
    env: {
      PATH: [path.dirname(command), path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
      HOME: path.join(temporary, 'home-of-ybs'),
    },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
  });
  if (stdout === '') throw new Error(`ybs test printed no report: ${stderr}`);
  const { type, problems, drift } = StoryReportSchema.parse(JSON.parse(stdout)).stories[0];
  return { exitCode, type, problems, drift };
}
