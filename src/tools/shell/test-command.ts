import { parseCommandLine } from '../../safety/shell/command-line.ts';

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

/** True if a command line runs tests, as far as its words show it. */
export function isTestCommand(command: string): boolean {
  try {
    return parseCommandLine(command).commands.some(({ words: [program, ...rest] }) =>
      runsTests(
        program.text,
        rest.map(({ text }) => text),
      ),
    );
  } catch {
    // It takes too many steps to read.
    return false;
  }
}

function runsTests(program: string, words: readonly string[]): boolean {
  const name = program.replace(/^.*[\\/]/, '').replace(/\.(?:exe|cmd)$/i, '');
  const forms = Object.hasOwn(TEST_WORDS, name) ? TEST_WORDS[name] : undefined;
  if (forms === undefined) return words[0] !== undefined && LAUNCHERS.has(name) && runsTests(words[0], words.slice(1));
  return forms.length === 0 || forms.some((form) => hasForm(form, words));
}

/** Programs that run the one in their first word. */
const LAUNCHERS: ReadonlySet<string> = new Set([
  'npx',
  'bunx',
  'pnpx',
  'uv',
  'poetry',
  'pipenv',
  'bundle',
  'run',
  'exec',
]);

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
