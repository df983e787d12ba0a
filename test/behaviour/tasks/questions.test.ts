import { cpSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { ybsEntry } from '../../support/processes/entry.ts';
import { startInTerminal } from '../../support/processes/pty.ts';
import { binEnvironment } from '../../support/processes/run-bin.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';
import { task as addFeature } from './add-a-feature/task.ts';
import { task as addFlag } from './add-a-flag/task.ts';
import { task as addWorkflow } from './add-a-workflow/task.ts';
import { task as addEndpoint } from './add-an-endpoint/task.ts';
import { task as convertToModules } from './convert-to-modules/task.ts';
import { task as fixTest } from './fix-a-failing-test/task.ts';
import { task as fixFlakyTest } from './fix-a-flaky-test/task.ts';
import { task as migrateToTypeScript } from './migrate-to-typescript/task.ts';
import { task as packagePython } from './package-a-python-tool/task.ts';
import { task as renameFunction } from './rename-across-a-package/task.ts';
import { task as resolveConflict } from './resolve-a-merge-conflict/task.ts';
import { task as revertRegression } from './revert-a-regression/task.ts';
import { callsOf, scenarioFileOf, type Task } from './task.ts';
import { task as testPython } from './test-a-python-project/task.ts';
import { task as tightenLinter } from './tighten-the-linter/task.ts';
import { task as translateStrings } from './translate-strings/task.ts';
import { task as upgradeDependency } from './upgrade-a-dependency/task.ts';
import { task as writeDockerfile } from './write-a-dockerfile/task.ts';
import { task as writeMigration } from './write-a-migration/task.ts';

/** The first rows of questions, those of their last answer, the rows in which they are answered, and those of results. */
const [QUESTION, NO, ANSWER, RESULT] = [/^▌ \? (.*)$/gmu, /^▌ {3}n no /gmu, /^▌ {3}> ?/gmu, /^▌ {3}[→✗] /gmu];

/** A task has more than twenty calls. On a busy machine, a run of its tests alone takes 20 s. */
const TIMEOUT_MS = 300_000;

const TASKS = [
  ['fix-a-failing-test', fixTest],
  ['add-a-feature', addFeature],
  ['upgrade-a-dependency', upgradeDependency],
  ['rename-across-a-package', renameFunction],
  ['revert-a-regression', revertRegression],
  ['test-a-python-project', testPython],
  ['convert-to-modules', convertToModules],
  ['resolve-a-merge-conflict', resolveConflict],
  ['add-an-endpoint', addEndpoint],
  ['add-a-flag', addFlag],
  ['fix-a-flaky-test', fixFlakyTest],
  ['tighten-the-linter', tightenLinter],
  ['write-a-dockerfile', writeDockerfile],
  ['migrate-to-typescript', migrateToTypeScript],
  ['write-a-migration', writeMigration],
  ['translate-strings', translateStrings],
  ['package-a-python-tool', packagePython],
  ['add-a-workflow', addWorkflow],
] as const;

/** Plays a task in a chat. `keys` are those of the user, in order of preference. Returns the questions. */
async function questionsOf(name: string, task: Task, trusts: boolean, keys: readonly string[]) {
  const { prompt, end } = task;
  const directory = temporaryDirectory();
  cpSync(path.join(import.meta.dirname, name, 'workspace'), directory, { recursive: true });
  const git = (...args: readonly string[]) => execa('git', args, { cwd: directory });
  await git('init', '-q', '-b', 'main');
  await git('config', 'user.name', 'Ada');
  await git('config', 'user.email', 'ada@shop.example');
  await git('add', '-A');
  await git('commit', '-qm', 'begin');
  const server = await startRecordingServer(scenarioFileOf(task));
  const environment = binEnvironment();
  const ybs = (...args: readonly string[]) =>
    execa(process.execPath, [ybsEntry, ...args], { env: environment, extendEnv: false });
  if (trusts) await ybs('trust', directory);
  // Some tasks take more requests than one run may.
  await ybs('config', 'set', 'agent.max_iterations', '40');
  const terminal = startInTerminal(['-p', 'mock', '--endpoint', server.url], { directory, environment });
  await terminal.waitForPrompt();
  terminal.type(`${prompt}\r`);
  const asked: string[] = [];
  for (;;) {
    const hasEnded = (screen: string) => screen.includes(`\n${end}\n`) && terminal.cursorLine() === '> ';
    // The row of the last answer is drawn after those of the others.
    const isAsked = (screen: string) =>
      terminal.cursorLine() === '▌   > ' && count(ANSWER, screen) > asked.length && count(NO, screen) > asked.length;
    const results = count(RESULT, terminal.screen());
    // Each call has the time of a whole wait.
    await terminal.waitFor(
      'the next result, a question or the end',
      (screen) => hasEnded(screen) || isAsked(screen) || count(RESULT, screen) > results,
    );
    const screen = terminal.screen();
    if (hasEnded(screen)) return { asked, screen };
    if (!isAsked(screen)) continue;
    const last = [...screen.matchAll(QUESTION)].at(-1);
    asked.push(last?.[1] ?? '');
    const rows = screen.slice(last?.index).split('\n');
    terminal.type(keys.find((key) => rows.some((row) => row.startsWith(`▌   ${key} `))) ?? 'y');
  }
}

const count = (pattern: RegExp, text: string): number => [...text.matchAll(pattern)].length;

const missing = await missingSandbox();

describe.runIf(missing === undefined)(
  'questions of ordinary tasks in the default mode',
  { timeout: TIMEOUT_MS },
  () => {
    it.each(TASKS)(
      'include, for %s, at most three in a trusted project, none of them about a read',
      async (name, task) => {
        const named = (...names: readonly string[]) => callsOf(task).filter((call) => names.includes(call.name)).length;
        expect(named('run_shell')).toBeGreaterThanOrEqual(12);
        expect(named('edit_file', 'write_file')).toBeGreaterThanOrEqual(6);
        const { asked, screen } = await questionsOf(name, task, true, ['x', 'w']);
        expect(asked).toEqual(task.after);
        expect(asked.length).toBeLessThanOrEqual(3);
        expect(screen).not.toMatch(/denied|✗/u);
        expect(screen).toContain('→ run_shell: exit code 0');
      },
    );

    // The control: one task shows that the calls would ask.
    it.each(TASKS.slice(0, 1))('include, for %s, many if each answer covers one command only', async (name, task) => {
      const { asked } = await questionsOf(name, task, false, ['a']);
      expect(asked).toHaveLength(17);
    });
  },
);
