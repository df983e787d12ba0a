import { isJsonObject, jsonObjectIn } from '../../text/json/json.ts';
/** The files of a project that say how it is built: the names in the workspace, and texts of those that are read. */
export interface ProjectFiles {
  readonly names: ReadonlySet<string>;
  /** The start of each file for which `isReadForProjectType` is true; '' if it cannot be read. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The commands of a project; absent where the project has none. */
export interface ProjectCommands {
  readonly test?: string | undefined;
  readonly build?: string | undefined;
}

/** A kind of project, found by one of its files. */
export interface ProjectType extends ProjectCommands {
  readonly name: string;
  /** The file by which it was found. */
  readonly file: string;
}

interface ProjectRow {
  /** The name of the file, or its ending if it begins with `*`. The first that exists counts. */
  readonly files: readonly [string, ...string[]];
  readonly name: string;
  /** The commands depend on the text of the file. Nothing of the text itself gets into the prompt. */
  readonly reads?: true;
  commands(project: ProjectFiles, file: string): ProjectCommands;
}

/** Commands that do not depend on anything. */
const fixed = (test: string, build?: string) => () => ({ test, build });

/** The kinds of projects, one row each. */
const ROWS: readonly ProjectRow[] = [
  { files: ['package.json'], name: 'Node.js', reads: true, commands: nodeCommands },
  { files: ['deno.json', 'deno.jsonc'], name: 'Deno', commands: fixed('deno test') },
  { files: ['Cargo.toml'], name: 'Rust', commands: fixed('cargo test', 'cargo build') },
  { files: ['go.mod'], name: 'Go', commands: fixed('go test ./...', 'go build ./...') },
  {
    files: ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt'],
    name: 'Python',
    commands: ({ names }) => ({ test: `${pythonPrefix(names)}pytest` }),
  },
  { files: ['Package.swift'], name: 'Swift', commands: fixed('swift test', 'swift build') },
  {
    files: ['pom.xml'],
    name: 'Java with Maven',
    commands: ({ names }) => withWrapper(names, './mvnw', 'mvn', ['test', 'package']),
  },
  {
    files: ['build.gradle', 'build.gradle.kts'],
    name: 'Gradle',
    commands: ({ names }) => withWrapper(names, './gradlew', 'gradle', ['test', 'build']),
  },
  { files: ['build.sbt'], name: 'Scala', commands: fixed('sbt test', 'sbt compile') },
  { files: ['*.sln', '*.slnx', '*.csproj', '*.fsproj'], name: '.NET', commands: fixed('dotnet test', 'dotnet build') },
  {
    files: ['Gemfile'],
    name: 'Ruby',
    commands: ({ names }) => ({ test: names.has('.rspec') ? 'bundle exec rspec' : 'bundle exec rake test' }),
  },
  { files: ['composer.json'], name: 'PHP', commands: fixed('vendor/bin/phpunit') },
  { files: ['mix.exs'], name: 'Elixir', commands: fixed('mix test', 'mix compile') },
  { files: ['pubspec.yaml'], name: 'Dart', commands: fixed('dart test') },
  { files: ['stack.yaml'], name: 'Haskell with Stack', commands: fixed('stack test', 'stack build') },
  { files: ['*.cabal'], name: 'Haskell', commands: fixed('cabal test', 'cabal build') },
  { files: ['dune-project'], name: 'OCaml', commands: fixed('dune test', 'dune build') },
  { files: ['build.zig'], name: 'Zig', commands: fixed('zig build test', 'zig build') },
  {
    files: ['CMakeLists.txt'],
    name: 'CMake',
    commands: fixed('ctest --test-dir build', 'cmake -B build && cmake --build build'),
  },
  { files: ['Makefile', 'makefile', 'GNUmakefile'], name: 'Make', reads: true, commands: makeCommands },
  { files: ['justfile', 'Justfile'], name: 'just', reads: true, commands: justCommands },
];

/** True for a file whose text `findProjectTypes` needs. */
export function isReadForProjectType(name: string): boolean {
  return ROWS.some(({ files, reads }) => reads === true && files.includes(name));
}

/** The kinds of project in a directory, in a fixed order; several if it has several. Pure. */
export function findProjectTypes(project: ProjectFiles): readonly ProjectType[] {
  return ROWS.flatMap(({ files, name, commands }) => {
    const file = files.flatMap((pattern) => matching(pattern, project.names)).at(0);
    return file === undefined ? [] : [{ name, file, ...commands(project, file) }];
  });
}

/** Text of the part `project_type`; '' for a directory without a known kind of project. */
export function describeProjectTypes(types: readonly ProjectType[]): string {
  const lines = types.map(({ name, file, test, build }) => {
    const commands = [test && `test with \`${test}\``, build && `build with \`${build}\``].filter(Boolean);
    return `- ${name} (${file})${commands.length === 0 ? '' : `: ${commands.join(', ')}`}`;
  });
  return lines.length === 0 ? '' : ['Kind of project:', ...lines, ''].join('\n');
}

/** The names that a pattern of a row matches, in code-point order. A name that could be read as something else does not. */
function matching(pattern: string, names: ReadonlySet<string>): readonly string[] {
  if (!pattern.startsWith('*')) return names.has(pattern) ? [pattern] : [];
  return [...names].filter((name) => name.endsWith(pattern.slice(1)) && /^[\w.-]+$/.test(name));
}

function withWrapper(
  names: ReadonlySet<string>,
  wrapper: string,
  installed: string,
  [test, build]: readonly [string, string],
): ProjectCommands {
  const program = names.has(wrapper.slice(2)) ? wrapper : installed;
  return { test: `${program} ${test}`, build: `${program} ${build}` };
}

/** The package managers of Node.js, by their lock files; the first that exists counts, and npm needs none. */
const NODE_LOCKS: readonly (readonly [string, string])[] = [
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
];

function nodeCommands({ names, texts }: ProjectFiles, file: string): ProjectCommands {
  const scripts = scriptsOf(texts.get(file) ?? '');
  const [, manager = 'npm'] = NODE_LOCKS.find(([lock]) => names.has(lock)) ?? [];
  const test = scripts.get('test');
  // `npm init` writes a script that only reports missing tests.
  const hasTests = test !== undefined && !test.includes('no test specified');
  return {
    test: hasTests ? (manager === 'bun' ? 'bun run test' : `${manager} test`) : undefined,
    build: scripts.has('build') ? `${manager} run build` : undefined,
  };
}

/** The scripts of a package.json; none if it is not valid. */
function scriptsOf(text: string): ReadonlyMap<string, string> {
  const { scripts } = jsonObjectIn(text);
  const entries = Object.entries(isJsonObject(scripts) ? scripts : {});
  return new Map(entries.map(([name, script]) => [name, String(script)]));
}

/** The program that runs Python in the environment of the project, by its lock file. */
function pythonPrefix(names: ReadonlySet<string>): string {
  if (names.has('uv.lock')) return 'uv run ';
  if (names.has('poetry.lock')) return 'poetry run ';
  if (names.has('Pipfile.lock')) return 'pipenv run ';
  return names.has('pdm.lock') ? 'pdm run ' : 'python -m ';
}

function makeCommands({ texts }: ProjectFiles, file: string): ProjectCommands {
  const text = texts.get(file) ?? '';
  const target = ['test', 'check'].find((name) => new RegExp(`^${name}\\s*:(?!=)`, 'm').test(text));
  return { test: target && `make ${target}`, build: 'make' };
}

function justCommands({ texts }: ProjectFiles, file: string): ProjectCommands {
  const recipe = (name: string) =>
    new RegExp(`^@?${name}(?:\\s[^:\\n]*)?:(?!=)`, 'm').test(texts.get(file) ?? '') ? `just ${name}` : undefined;
  return { test: recipe('test'), build: recipe('build') };
}
