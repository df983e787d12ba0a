import { findDecidingCommands } from '../../policy/shell/deciding-command.ts';
import { parseCommandLine } from '../../policy/shell/parse/command-line.ts';
import { SHELLS } from '../../policy/shell/programs/unwrap-command.ts';
import { ownEntry } from '../../text/json/own-entry.ts';

/** The words that make a command one that runs tests, by program; an empty list: the program does nothing else. */
const TEST_WORDS: Readonly<Record<string, readonly string[]>> = {
  npm: ['test', 't', 'tst', 'run test', 'run-script test'],
  pnpm: ['test', 't', 'run test'],
  yarn: ['test', 'run test'],
  bun: ['test', 'run test'],
  deno: ['test', 'task test'],
  node: ['--test'],
  vitest: [],
  jest: [],
  mocha: [],
  ava: [],
  tap: [],
  playwright: ['test'],
  cypress: ['run'],
  tsx: ['--test'],
  pytest: [],
  tox: [],
  nox: [],
  python: ['-m pytest', '-m unittest', 'manage.py test'],
  python3: ['-m pytest', '-m unittest', 'manage.py test'],
  go: ['test'],
  cargo: ['test', 't', 'nextest'],
  make: ['test', 'check'],
  just: ['test'],
  mvn: ['test', 'verify'],
  mvnw: ['test', 'verify'],
  gradle: ['test', 'check'],
  gradlew: ['test', 'check'],
  dotnet: ['test'],
  swift: ['test'],
  mix: ['test'],
  rspec: [],
  rake: ['test', 'spec'],
  rails: ['test'],
  phpunit: [],
  composer: ['test'],
  ctest: [],
  bats: [],
};

/** Words with which a program of tests runs none: it shows help, lists or compiles them. */
const NO_RUN =
  /^(?:-h|--?(?:help|version|list|list-?tests|listTests|listenvs|collect-only|co|no-run|dry-run|just-print|recon|showConfig|init|clearCache|markers|fixtures|show-only|env-info|usage))(?:[=:]|$)/;

/** More such words, by program. */
const NO_RUN_WORDS: Readonly<Record<string, readonly string[]>> = {
  cargo: ['list'],
  ctest: ['-N'],
  dotnet: ['-t'],
  go: ['-c', '-n'],
  gradle: ['-m'],
  gradlew: ['-m'],
  make: ['-n'],
  mvn: ['-DskipTests'],
  mvnw: ['-DskipTests'],
  nox: ['-l'],
  pytest: ['-V'],
  rake: ['-n', '-T'],
  tox: ['-l'],
  vitest: ['bench', 'init', 'list'],
};

/**
 * The part that tests have in a command line, as far as its words show it: `decides`, their exit code is that of the line;
 * `hidden`, they are one of its commands, and the exit code may be that of another, as in `npm test | tail`.
 */
export type TestPart = 'decides' | 'hidden' | 'none';

export function testPartOf(command: string): TestPart {
  if (findDecidingCommands(command).some(runsTestsAlone)) return 'decides';
  try {
    const { commands } = parseCommandLine(command);
    const isHidden = commands.some(({ words: [program, ...rest] }) =>
      runsTests(
        program.text,
        rest.map(({ text }) => text),
      ),
    );
    return isHidden ? 'hidden' : 'none';
  } catch {
    // It takes too many steps to read.
    return 'none';
  }
}

/** True for one command that runs tests, perhaps through others, as in `timeout 60 npm test` and `sh -c 'npm test'`. */
function runsTestsAlone(command: string): boolean {
  try {
    const [first, ...others] = parseCommandLine(command).commands;
    if (first === undefined) return false;
    const [program, ...operands] = first.words;
    if (SHELLS.has(program.text)) {
      const flag = operands.findIndex(({ text }) => /^-\w*c$/.test(text));
      const script = flag < 0 ? undefined : operands[flag + 1];
      return script !== undefined && testPartOf(script.text) === 'decides';
    }
    // Commands in substitutions come after those that the command itself runs.
    const next = others.findIndex(({ wrapped }) => !wrapped);
    const inner = others.slice(0, next < 0 ? others.length : next).at(-1) ?? first;
    const [{ text: name }, ...rest] = inner.words;
    return runsTests(
      name,
      rest.map(({ text }) => text),
    );
  } catch {
    // It takes too many steps to read.
    return false;
  }
}

function runsTests(program: string, words: readonly string[]): boolean {
  const name = program.replace(/^.*[\\/]/, '').replace(/\.(?:exe|cmd)$/i, '');
  const forms = ownEntry(TEST_WORDS, name);
  if (forms === undefined) return false;
  const others = ownEntry(NO_RUN_WORDS, name);
  if (words.some((word) => NO_RUN.test(word) || others?.includes(word) === true)) return false;
  return forms.length === 0 || forms.some((form) => hasForm(form, words));
}

/**
 * True if the words have the form: options anywhere, other words at the start, but for options. The last word may have an
 * addition: `npm --silent run test:unit`.
 */
function hasForm(form: string, words: readonly string[]): boolean {
  const wanted = form.split(' ');
  if (form.startsWith('-')) return words.some((_, start) => wanted.every((word, at) => words[start + at] === word));
  const found = words.filter((word) => !word.startsWith('-'));
  return wanted.every((word, index) => {
    const next = found[index] ?? '';
    return next === word || (index === wanted.length - 1 && next.startsWith(`${word}:`));
  });
}
