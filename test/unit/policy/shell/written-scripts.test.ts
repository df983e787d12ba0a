import { describe, expect, it } from 'vitest';
import { findWrittenScript, mayBeCode, mayRunFiles } from '../../../../src/policy/shell/written-scripts.ts';

const PLACES = { workspace: '/w', workingDirectory: '/w', home: '/home/u', platform: 'posix' } as const;
const find = (command: string, ...written: readonly string[]): string | undefined =>
  findWrittenScript(
    command,
    PLACES,
    written.map((path) => [path] as const),
  )?.[0];

it.each<readonly [string, string]>([
  ['./build.sh', '/w/build.sh'],
  ['tools/../build.sh --all', '/w/build.sh'],
  ['/elsewhere/link/build.sh', '/w/build.sh'],
  ['BUILD/Build.SH', '/w/build.sh'],
  ...['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'fish', 'source', '.', '/bin/bash', 'env bash'].map(
    (shell) => [`${shell} build.sh`, '/w/build.sh'] as const,
  ),
  ['pwsh build.ps1', '/w/build.ps1'],
  ...['node', 'deno run', 'bun', 'tsx', 'ts-node', 'node --test', 'node.exe', 'nice node', 'sudo -u x node'].map(
    (program) => [`${program} src/a.js`, '/w/src/a.js'] as const,
  ),
  ...['python', 'python3', 'python3.12', 'pypy3', 'ruby', 'perl', 'php8.3', 'lua5.4', 'Rscript', 'osascript'].map(
    (program) => [`${program} a.x`, '/w/a.x'] as const,
  ),
  ['node {a,b}.js', '/w/b.js'],
  ['node build', '/w/build.js'],
  ['node ./lib/build/', '/w/lib/build.js'],
  ['python -m pkg.build', '/w/pkg/build.py'],
  ['node --import=./hook.mjs a.js', '/w/hook.mjs'],
  ['cd sub && ls | bash build.sh', '/w/sub/build.sh'],
  ["bash -c './build.sh'", '/w/build.sh'],
  ['(timeout 5 ./build.sh)', '/w/build.sh'],
  ...['npm', 'npx', 'pnpm', 'yarn', 'bun'].map((program) => [`${program} test`, '/w/package.json'] as const),
  ['make', '/w/Makefile'],
  ['make', '/w/GNUmakefile'],
  ['gmake', '/w/Makefile'],
  ['gmake all', '/w/GNUmakefile'],
  ['just test', '/w/justfile'],
  ['just test', '/w/.justfile'],
  ['rake', '/w/Rakefile'],
  ['make -f x.mk', '/w/x.mk'],
  ['make --file=build/x.mk all', '/w/build/x.mk'],
  ['just -f ci.just', '/w/ci.just'],
  ['node .', '/w/index.js'],
  ['node .', '/w/package.json'],
  ['node ./', '/w/index.mjs'],
  ['node ./lib', '/w/lib/index.cjs'],
  ['python3 .', '/w/__main__.py'],
  ['python3 app', '/w/app/__main__.py'],
  ['python3 -m app', '/w/app/__main__.py'],
  ['python3 -m pkg.app', '/w/pkg/app/__init__.py'],
  ['go run .', '/w/main.go'],
  ['go test ./...', '/w/go.mod'],
  ['cargo build', '/w/build.rs'],
  ['awk -f x.awk data', '/w/x.awk'],
  ['sed -fx.sed data', '/w/x.sed'],
  ['psql --file=x.sql', '/w/x.sql'],
  ['cmake -P x.cmake', '/w/x.cmake'],
  ['./gradlew test', '/w/build.gradle'],
  ['mvn test', '/w/pom.xml'],
  ['java Main.java', '/w/Main.java'],
])('%s runs the file %s', (command, path) => {
  expect(find(command, '/w/README.md', path)).toBe(path);
});

it.each([
  ['npm test', '/w/src/a.js'],
  ['npm test -- src/a.js', '/w/src/a.js'],
  ['cat build.sh', '/w/build.sh'],
  ['build.sh', '/w/build.sh'],
  ['git add build.sh', '/w/build.sh'],
  ['bash other.sh', '/w/build.sh'],
  ['bash rebuild.sh', '/w/build.sh'],
  ['make', '/w/package.json'],
  ['tsc -p .', '/w/.env.d.ts'],
  ['echo node a.js', '/w/a.js'],
  ['constructor', '/w/constructor.js'],
  ['sed -n 5p a.js', '/w/a.js'],
  ['awk {print} data.txt', '/w/data.txt'],
  ['node a.js', '/w/lib/index.js'],
])('%s does not run the file %s', (command, path) => {
  expect(find(command, path)).toBeUndefined();
});

it.each(['bash *.sh', 'bash "$FILE"'])('%s may run every file', (command) => {
  expect(find(command, '/w/README.md')).toBe('/w/README.md');
});

it('a command runs no written file if none was written', () => {
  expect(find('bash build.sh')).toBeUndefined();
});

it('the first of several written files is named', () => {
  expect(find('bash a.sh b.sh', '/w/b.sh', '/w/a.sh')).toBe('/w/b.sh');
});

describe('a command that may run written files', () => {
  it.each([
    ['npm test', true],
    ['make -f x.mk', true],
    ['node .', true],
    ['python3 -m app', true],
    ['python3 -c "import app"', true],
    ['./build.sh', true],
    ['sh -c "$X"', true],
    ['$X', true],
    ['find . -exec ./t.sh {} +', true],
    ['ls | xargs ./t.sh', true],
    ['env A=1 ./t.sh', true],
    ['git commit -m x', true],
    ['git -c core.pager=./t.sh log', true],
    ['pytest', true],
    ['docker build .', true],
    ['go test ./...', true],
    ['cargo run', true],
    ['npx eslint .', true],
    ['bundle exec rake', true],
    ['terraform plan', true],
    ['ls -la', false],
    ['cat a | grep b > c', false],
    ['cp a b && rm -r c && mkdir d', false],
    ['git add . && git reset a', false],
    ['curl -O https://example.org', false],
    ['node --version', false],
    ['cd src && ls', false],
    ['git --version', false],
  ])('%s: %s', (command, expected) => {
    expect(mayRunFiles(command, PLACES)).toBe(expected);
  });

  it.each([
    ['/w/a.sh', true],
    ['/w/Makefile', true],
    ['/w/a.json', true],
    ['/w/README.md', false],
    ['/w/logo.SVG', false],
  ])('%s may be code: %s', (file, expected) => {
    expect(mayBeCode(file)).toBe(expected);
  });
});
