import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { ScenarioFileSchema } from '../../../mock-llm-server/scenario/format.ts';
import { ybsEntry } from '../../support/processes/entry.ts';
import { startInTerminal } from '../../support/processes/pty.ts';
import { binEnvironment } from '../../support/processes/run-bin.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { missingSandbox } from '../../support/sandbox/require-sandbox.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

/** The first rows of questions, those of their last answer, the rows in which they are answered, and those of results. */
const [QUESTION, NO, ANSWER, RESULT] = [/^▌ \? (.*)$/gmu, /^▌ {3}n no /gmu, /^▌ {3}> ?/gmu, /^▌ {3}[→✗] /gmu];

/** A task has more than twenty calls. On a busy machine, a run of its tests alone takes 20 s. */
const TIMEOUT_MS = 300_000;

/**
 * A task in a folder beside this file. `after`: the questions in a trusted project with the widest answers that a
 * question offers.
 */
interface Task {
  readonly name: string;
  readonly prompt: string;
  readonly end: string;
  readonly after: readonly string[];
}

const TASKS: readonly Task[] = [
  {
    name: 'fix-a-failing-test',
    prompt: 'make the tests pass again',
    end: 'All five tests pass.',
    after: ['run_shell: run npm test 2>&1 | tail -40', 'edit_file: edit src/money.js (+1 −1)'],
  },
  {
    name: 'add-a-feature',
    prompt: 'notes need tags',
    end: 'Notes have tags now.',
    after: ['run_shell: run npm test --silent 2>&1 | tail -8', 'edit_file: edit src/note.js (+2 −1)'],
  },
  {
    name: 'upgrade-a-dependency',
    prompt: 'upgrade dates to version 2',
    end: 'dates is at version 2.',
    after: ['run_shell: run npm install --no-audit --no-fund 2>&1 | tail -5', 'edit_file: edit src/week.js (+1 −1)'],
  },
  {
    name: 'rename-across-a-package',
    prompt: 'rename fetchUser to loadAccount',
    end: 'fetchUser is loadAccount everywhere.',
    after: [
      `run_shell: run npm test 2>&1 | grep -E "^# (pass|fail)|not ok" ; echo "exit \${PIPESTATUS[0]}"`,
      'edit_file: edit src/client.js (+1 −1)',
      'run_shell: run grep -rl "client.js" src | xargs sed -i "s#./client.js#./accounts.js#"',
    ],
  },
  {
    name: 'revert-a-regression',
    prompt: 'since when is the slug wrong?',
    end: 'The slug has been wrong since "Shorten slug"; it is right again.',
    after: [
      `run_shell: run sed -i "s/.trim()//" src/slug.js && git commit -qam 'Shorten slug' && git `,
      'write_file: replace README.md (+2 −0)',
    ],
  },
  {
    name: 'test-a-python-project',
    prompt: 'amounts must round half up',
    end: 'cents rounds half up now.',
    after: [
      'run_shell: run python3 -m venv .venv --without-pip && . .venv/bin/activate && python -c "import ',
      'edit_file: edit invoices/money.py (+3 −0)',
      'run_shell: run find . -name __pycache__ -not -path "./.venv/*" -prune -exec rm -rf {} + ; git ',
    ],
  },
  {
    name: 'convert-to-modules',
    prompt: 'turn this CommonJS package into modules',
    end: 'slugs is a package of modules now.',
    after: ['run_shell: run npm test 2>&1 | tail -12', 'edit_file: edit package.json (+2 −1)'],
  },
  {
    name: 'resolve-a-merge-conflict',
    prompt: 'merge the branch polite',
    end: 'polite is merged; the greeting has a default name and is polite.',
    after: [
      `run_shell: run git switch -q -c polite && sed -i 's/Hello, /Good day, /' src/greet.js && git `,
      'edit_file: edit src/greet.js (+2 −2)',
    ],
  },
  {
    name: 'add-an-endpoint',
    prompt: 'add an endpoint that marks a todo as done',
    end: 'PATCH /todos/ID marks a todo as done.',
    after: ['run_shell: run npm test 2>&1 | tail -9', 'edit_file: edit src/store.js (+4 −0)'],
  },
];

/** Plays a task in a chat. `keys` are those of the user, in order of preference. Returns the questions. */
async function questionsOf({ name, prompt, end }: Task, trusts: boolean, keys: readonly string[]) {
  const directory = temporaryDirectory();
  cpSync(path.join(import.meta.dirname, name, 'workspace'), directory, { recursive: true });
  const git = (...args: readonly string[]) => execa('git', args, { cwd: directory });
  await git('init', '-q', '-b', 'main');
  await git('config', 'user.name', 'Ada');
  await git('config', 'user.email', 'ada@shop.example');
  await git('add', '-A');
  await git('commit', '-qm', 'begin');
  const server = await startRecordingServer({ scenarios: scenariosOf(name) });
  const environment = binEnvironment();
  if (trusts) await execa(process.execPath, [ybsEntry, 'trust', directory], { env: environment, extendEnv: false });
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

function scenariosOf(name: string) {
  const text = readFileSync(path.join(import.meta.dirname, name, 'scenario.json'), 'utf8');
  return ScenarioFileSchema.parse(JSON.parse(text)).scenarios;
}

const missing = await missingSandbox();

describe.runIf(missing === undefined)(
  'questions of ordinary tasks in the default mode',
  { timeout: TIMEOUT_MS },
  () => {
    it.each(TASKS)(
      'include, for $name, at most three in a trusted project, none of them about a read',
      async (task) => {
        const calls = scenariosOf(task.name).flatMap(({ steps }) =>
          steps.flatMap((step) => ('response' in step ? (step.response.tool_calls ?? []) : [])),
        );
        const named = (...names: readonly string[]) =>
          calls.filter((call) => 'name' in call && names.includes(call.name)).length;
        expect(named('run_shell')).toBeGreaterThanOrEqual(12);
        expect(named('edit_file', 'write_file')).toBeGreaterThanOrEqual(6);
        const { asked, screen } = await questionsOf(task, true, ['x', 'w']);
        expect(asked).toEqual(task.after);
        expect(asked.length).toBeLessThanOrEqual(3);
        expect(screen).not.toMatch(/denied|✗/u);
        expect(screen).toContain('→ run_shell: exit code 0');
      },
    );

    // The control: one task shows that the calls would ask.
    it.each(TASKS.slice(0, 1))('include, for $name, many if each answer covers one command only', async (task) => {
      const { asked } = await questionsOf(task, false, ['a']);
      expect(asked).toHaveLength(17);
    });
  },
);
