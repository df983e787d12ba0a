import { describe, expect, it } from 'vitest';
import { findDecidingCommands } from '../../../../src/policy/shell/deciding-command.ts';
import { testPartOf } from '../../../../src/tools/shell/test-command.ts';

it.each([
  'npm test',
  ...'npm t,npm tst,npm run-script test,pnpm test,pnpm t,pnpm run test,yarn run test,bun test,bun run test,deno test,deno task test'.split(
    ',',
  ),
  ...'vitest,jest,mocha,ava,tap,playwright test,cypress run,tsx --test,pytest,tox,nox,python -m pytest,python -m unittest'.split(
    ',',
  ),
  ...'python manage.py test,python3 -m unittest,python3 manage.py test,cargo t,cargo nextest run,make test,just test'.split(
    ',',
  ),
  ...'mvn test,mvn verify,mvnw test,mvnw verify,gradle test,gradle check,gradlew check,dotnet test,swift test'.split(
    ',',
  ),
  ...'mix test,rspec,rake test,rake spec,rails test,phpunit,composer test,ctest,bats a.bats'.split(','),
  'npm run test',
  'npm --silent run test:unit -- --watch',
  'cd app && CI=1 npm test 2>&1',
  'npm ci; npm test',
  'npm run build && npm test > log.txt',
  'yes | npm test',
  '(cd app && npm test)',
  '{ npm test; } 2>&1',
  'time npm test',
  'set -o pipefail; npm test 2>&1 | tail -20',
  'set -euo pipefail && yes | npm test | tee log',
  "sh -c 'cd app && npm test'",
  'bash -lc "npm test"',
  'yarn test',
  'node --test',
  'node --import tsx --test',
  'npx vitest run',
  'npx.cmd vitest run',
  'jest.exe',
  './node_modules/.bin/jest src',
  'python3 -m pytest -q',
  'uv run pytest',
  'go test ./...',
  'go test -v -count=1 $(go list ./...)',
  'cargo test -- --nocapture',
  'make check',
  './gradlew test',
  'bundle exec rspec',
  'bunx vitest',
  'pnpx jest',
  'poetry run pytest',
  'pipenv run pytest',
  'pnpm exec vitest run',
  'timeout 60 npm test',
  'timeout 60 env CI=1 npm test',
])('is recognized as running tests: %s', (command) => {
  expect(testPartOf(command)).toBe('decides');
});

it.each([
  'npm install',
  'npm run',
  'npm run tests-report',
  'echo npm test',
  'cat test.js',
  'node test.js',
  'git commit -m "npm test"',
  'constructor',
  'npx',
  'python -m http.server',
  '"',
  '',
  `find ${'-exec find '.repeat(5000)}`,
  `npm test {${'a,'.repeat(1_000)}b}${'x'.repeat(1_000)}`,
  // The exit code is that of another command.
  'npm test; echo x > a',
  'npm test\nls',
  'npm test && npm run lint',
  'npm test || true',
  'npm test 2>&1 | tail -20',
  'npm test | tee log; set -o pipefail',
  '! npm test',
  'npm test &',
  'if npm test; then ls; fi',
  'echo "$(npm test)"',
  "sh -c 'npm test; ls'",
  "sh -c 'npm test | tail'",
  'sh npm test',
  'sh -c',
  'eval "npm test; ls"',
  'npm test )',
  '> log.txt',
  // No tests run.
  'npm test --help',
  'npm test -- --help',
  'npm test -h',
  'pytest --version',
  'pytest -V',
  'pytest --collect-only -q',
  'pytest --co',
  'pytest --fixtures',
  'pytest --markers',
  'npx vitest list',
  'vitest bench',
  'vitest init browser',
  'jest --listTests',
  'jest --showConfig',
  'jest --init',
  'jest --clearCache',
  'playwright test --list',
  'go test -list .',
  'go test -list=. ./...',
  'go test -c ./pkg',
  'go test -n',
  'cargo test --no-run',
  'cargo test -- --list',
  'cargo nextest list',
  'ctest -N',
  'ctest --show-only=json-v1',
  'make -n test',
  'make test --dry-run',
  'make test --just-print',
  'make test --recon',
  './gradlew test -m',
  'gradle test -m',
  'mvn verify -DskipTests',
  'mvnw verify -DskipTests',
  'rspec --dry-run',
  'rake -T test',
  'rake -n test',
  'tox -l',
  'tox --listenvs',
  'nox -l',
  'phpunit --list-tests',
  'dotnet test -t',
  'dotnet test --list-tests',
  'bats --usage',
  'deno test --no-run',
  'cypress run --env-info',
  // Programs that also do other things.
  ...'playwright install,cypress open,tsx a.ts,node a.js,go build,just build,dotnet build,swift build,mix compile'.split(
    ',',
  ),
  ...'rails server,composer install,deno task build,mvn package,gradle build,rake db:migrate,cargo build'.split(','),
])('is not recognized as running tests: %s', (command) => {
  expect(testPartOf(command)).not.toBe('decides');
});

describe('the command that decides the exit code', () => {
  it.each<[string, readonly string[]]>([
    ['a', ['a']],
    ['a; b c', ['b c']],
    ['a && b 2>&1', ['b 2>&1']],
    ['a || b', []],
    ['a && b || c', []],
    ['a | b', ['b']],
    ['set -o pipefail; a | b', ['a', 'b']],
    ['a; set -o pipefail; a | b', ['b']],
    ['! a', []],
    ['a &', []],
    ['(a; b)', ['b']],
    ['{ a; (b) >c; }', ['b']],
    ['while a; do b; done', []],
    ['f() { a; }', []],
    ['', []],
    ['a )', []],
    ['"', []],
    ['('.repeat(20_000), []],
  ])('of %j is %j', (command, found) => {
    expect(findDecidingCommands(command)).toEqual(found);
  });

  it('is not known if the parser fails', () => {
    const parser = () => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    expect(findDecidingCommands('a', parser)).toEqual([]);
  });
});
