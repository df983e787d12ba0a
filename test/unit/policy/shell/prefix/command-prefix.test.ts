import { describe, expect, it } from 'vitest';
import {
  beginsWith,
  havePrefixes,
  prefixOf,
  prefixProblem,
} from '../../../../../src/policy/shell/prefix/command-prefix.ts';
import { prefixText, prefixWords } from '../../../../../src/policy/shell/prefix/prefix-words.ts';

const PLACES = { workspace: '/w', workingDirectory: '/w', home: '/home/u', platform: 'posix' } as const;

const offered = (command: string): string | undefined => prefixOf(command, PLACES)?.join(' ');
const has = (prefix: string, command: string): boolean => havePrefixes(command, [prefix.split(' ')], PLACES);

describe('the words that a rule may begin with', () => {
  it.each([
    ['npm test', 'npm test'],
    ['npm test -- --watch=false', 'npm test'],
    ...'fix run no-watch watchAll=false coverage silent verbose quiet bail ci runInBand no-color passWithNoTests check'
      .split(' ')
      .map((option): [string, string] => [`npm test -- --${option}`, 'npm test']),
    ['npm run lint -- --fix --max-warnings=0', 'npm run lint'],
    ['npm run build', 'npm run build'],
    ['pnpm run test:unit', 'pnpm run test:unit'],
    ['yarn build', 'yarn build'],
    ['cargo build --release', 'cargo build'],
    ['cargo test -p core -- --nocapture', 'cargo test'],
    ['cargo clippy --all-targets -- -D warnings', 'cargo clippy'],
    ['go test ./... -run TestX -count=1 -v', 'go test'],
    ['go vet ./...', 'go vet'],
    ['git commit -m "fix: a.b, ../x and -f"', 'git commit'],
    ['git add -A', 'git add'],
    ['git add src/*.ts', 'git add'],
    // https://github.com/anthropics/claude-code/issues/28240
    ['git add -A && git commit -qm x', 'git add && git commit'],
    ['cd sub && git add . && npm test 2>&1 | tail -3 && git add b', 'git add && npm test'],
    ['git add -A && git push', undefined],
    ['npx tsc --noEmit', 'npx tsc'],
    ['npx vitest run test/a.test.ts -t "adds a row"', 'npx vitest'],
    ['npx prettier --write "src/**/*.ts"', 'npx prettier'],
    ['python -m pytest -q', 'python -m pytest'],
    ['python3 -m pytest tests/test_a.py::test_b -x', 'python3 -m pytest'],
    ['pytest -q -k "a and not b" --tb=short', 'pytest'],
    ['uv run pytest -q', 'uv run pytest'],
    ['ruff check --fix .', 'ruff check'],
    ['bundle exec rspec spec/a_spec.rb', 'bundle exec rspec'],
    ['./gradlew test --info', './gradlew'],
    ['make test -j4', 'make test'],
    ['mkdir -p src/a', 'mkdir'],
    ['npm test && npm test', 'npm test'],
    // Judged by what runs in the end
    ['timeout 60 npm test', 'npm test'],
    ['timeout -k 5 60 npm test', 'npm test'],
    ['nice -n 10 npm test', 'npm test'],
    ['time npm test', 'npm test'],
    ['time -p npm test', 'npm test'],
    ['command time -p npm test', 'npm test'],
    ['command time -v npm test', undefined],
    ['CI=1', undefined],
    ['env CI=1 timeout 60', undefined],
    ['npx vitest run --reporter=dot', 'npx vitest'],
    ['pytest -:', undefined],
    ['pytest -', undefined],
    ['npx tsc --=x', undefined],
    ['go test -', undefined],
    ['env CI=1 npm test', 'npm test'],
    ['CI=1 npm test', 'npm test'],
    ['NODE_ENV=test FORCE_COLOR=0 npm test', 'npm test'],
    ['stdbuf -oL npm test', 'npm test'],
    ['cd sub && npm test', 'npm test'],
    ['cd /w/sub && npm test', 'npm test'],
    ['cd sub && npm test && cd .. && npm test', 'npm test'],
    ['npm test 2>&1 | tail -40', 'npm test'],
    ['npm test 2>/dev/null | grep -v ok | head -5', 'npm test'],
    ['npm test; echo "exit $?"', undefined],
    ['npm test && echo done', 'npm test'],
    ['(cd sub && npm test)', 'npm test'],
    ['if [ -d sub ]; then npm test || exit 1; elif test -f a; then { npm test; } else npm test; fi', 'npm test'],
    ['for d in a b; do (cd $d && npm test); done', 'npm test'],
    ['npm test; exit x', undefined],
    ['set -a; npm test', undefined],
    ['for PATH in a; do npm test; done', undefined],
    ['[ $x ] && npm test', undefined],
  ])('of %s are %s', (command, prefix) => {
    expect(offered(command)).toBe(prefix);
  });

  // https://github.com/anthropics/claude-code/issues/28036: the words of a part that is allowed already are of no use
  it.each([
    ['npm test && touch x.txt', ['npm test'], 'touch'],
    ['git add -A && git commit -qm x', ['git add'], 'git commit'],
    ['git add -A && git commit -qm x && npm test', ['git add'], 'git commit && npm test'],
    ['npm test && node x.js', ['npm test'], undefined],
    ['npm test', ['npm test'], undefined],
    ['npm test -- --outputFile x && touch x.txt', ['npm test'], undefined],
  ])('of %s beside rules for %j are %s', (command, known, prefix) => {
    const prefixes = known.map((words) => words.split(' '));
    expect(prefixOf(command, PLACES, prefixes)?.join(' ')).toBe(prefix);
  });

  // An everyday command of each program, with options of one letter and with whole names
  it.each([
    ['npm test -s', 'npm test'],
    ...'npm t,npm run-script a,pnpm test,pnpm run a,yarn test,yarn run a,npx tsc,pnpm exec tsc,pnpm tsc,yarn tsc,bunx tsc,python -m black,uv run black,poetry run black,pipenv run black,cargo check,cargo fmt,cargo doc,cargo bench,go fmt'
      .split(',')
      .map((words): [string, string] => [words, words]),
    ...['build', 'test', 'check', 'assemble', 'clean', 'classes', 'compileJava'].map((task): [string, string] => [
      `./gradlew ${task}`,
      './gradlew',
    ]),
    ...['clean', 'validate', 'compile', 'test-compile', 'package'].map((goal): [string, string] => [
      `mvn ${goal}`,
      'mvn',
    ]),
    ['cargo test -- --color=never', 'cargo test'],
    ['cargo test -- --check', 'cargo test'],
    ['zig build check', 'zig build'],
    ['git add --intent-to-add a', 'git add'],
    ['npm run lint --silent --if-present', 'npm run lint'],
    ['pnpm lint -- --quiet', 'pnpm lint'],
    ['npx vitest --run --silent --retry=2 --hideSkippedTests', 'npx vitest'],
    ...['default', 'verbose', 'dot', 'json', 'tap', 'basic', 'junit', 'github-actions'].map(
      (reporter): [string, string] => [`npx vitest --reporter=${reporter}`, 'npx vitest'],
    ),
    ['npx jest -i -t "adds a row"', 'npx jest'],
    ['npx jest --runInBand --coverage --testPathPattern=cart', 'npx jest'],
    ['npx mocha -b -g cart', 'npx mocha'],
    ['npx mocha --recursive --timeout=5000', 'npx mocha'],
    ['npx playwright test -g cart', 'npx playwright test'],
    ['npx playwright test --project=chromium --workers=1', 'npx playwright test'],
    ['npx tsc -v', 'npx tsc'],
    ['npx eslint --fix --max-warnings=0 src', 'npx eslint'],
    ['npx prettier -c src', 'npx prettier'],
    ['npx biome check --write src', 'npx biome check'],
    ['npx biome lint --max-diagnostics=50 src', 'npx biome lint'],
    ['npx biome format --write src', 'npx biome format'],
    ['pytest --cov --cov-report=term tests', 'pytest'],
    ['pytest --cov=src --cov-report=term-missing', 'pytest'],
    ['python -m unittest -v -k cart', 'python -m unittest'],
    ['python -m unittest --failfast --buffer', 'python -m unittest'],
    ['mypy --strict --show-error-codes src', 'mypy'],
    ['pyright --stats src', 'pyright'],
    ['ruff check -q --select=E', 'ruff check'],
    ['ruff format -q src', 'ruff format'],
    ['ruff format --check --diff src', 'ruff format'],
    ['black -q -l 100 src', 'black'],
    ['black --check --diff src', 'black'],
    ['isort -c src', 'isort'],
    ['isort --check-only --diff src', 'isort'],
    ['bundle exec rspec -e cart', 'bundle exec rspec'],
    ['bundle exec rspec --only-failures --seed=7', 'bundle exec rspec'],
    ['bundle exec rubocop -A', 'bundle exec rubocop'],
    ['bundle exec rubocop --autocorrect --parallel', 'bundle exec rubocop'],
    ['cargo nextest run -p core --no-fail-fast', 'cargo nextest run'],
    ...['--nocapture', '--test-threads=1', '--exact', '--ignored', '--include-ignored', '--show-output', '--skip'].map(
      (option): [string, string] => [`cargo test -- ${option}`, 'cargo test'],
    ),
    ['gofmt -l -w .', 'gofmt'],
    ['gradle build -q --offline', 'gradle'],
    ['./gradlew :app:testClasses --tests=CartTest', './gradlew'],
    ['mvn -q -B verify --no-transfer-progress', 'mvn'],
    ['./mvnw test --offline', './mvnw'],
    ['dotnet build -c Release --no-restore', 'dotnet build'],
    ['dotnet test --filter=Cart', 'dotnet test'],
    ['make lint -k', 'make lint'],
    ['make lint --keep-going', 'make lint'],
    ['just test', 'just test'],
    ['task build', 'task build'],
    ['rake spec -t', 'rake spec'],
    ['tox -e py312', 'tox'],
    ['nox -s tests', 'nox'],
    ['nox --session=tests', 'nox'],
    ['mix test --trace --seed=0', 'mix test'],
    ['mix compile --warnings-as-errors', 'mix compile'],
    ['mix format --check-formatted', 'mix format'],
    ['swift build -c release --verbose', 'swift build'],
    ['swift test --filter=CartTests -v', 'swift test'],
    ['zig build test', 'zig build'],
    ['cmake --build build -j 4 --clean-first', 'cmake --build'],
    ['ctest -V --output-on-failure', 'ctest'],
    ['bun test -t cart --bail', 'bun test'],
    ['bun run lint -- --fix', 'bun run lint'],
    ['deno test -q --parallel src/cart.ts', 'deno test'],
    ['deno lint -q --compact', 'deno lint'],
    ['deno fmt -q --check', 'deno fmt'],
    ['deno check -q --quiet src/cart.ts', 'deno check'],
    ['git switch -c fix', 'git switch'],
    ['git switch --create fix', 'git switch'],
    ['git mv -v a b', 'git mv'],
    ['git mv --dry-run a b', 'git mv'],
    ['mkdir --parents src/a', 'mkdir'],
    ['touch -a a.txt', 'touch'],
  ])('of %s are %s', (command, expected) => {
    expect(offered(command)).toBe(expected);
  });

  it.each([
    // Programs that never qualify
    'sh x.sh',
    'bash -c ls',
    'zsh x',
    'fish x',
    'node a.js',
    'node --test',
    'deno run x.ts',
    'bun x.ts',
    'tsx a.ts',
    ...['python3 -c x', 'python3.12 x.py', 'python manage.py test', 'ruby a.rb', 'perl a.pl', 'php a.php', 'lua a.lua'],
    'npx x',
    'npx cowsay hi',
    'npm exec x',
    'npm run',
    'npm',
    'npm install x',
    'npm ci',
    'pnpm',
    'pnpm add x',
    'yarn',
    ...['git', 'git push', 'git push --force', 'git reset --hard', 'git clean -fd', 'git checkout -- .', 'git stash'],
    ...['git rebase main', 'git config a b', 'git -C /x status', 'git --git-dir=x status', 'git -c a.b=c commit -m x'],
    ...['rm -rf build', 'mv a b', 'cp a b', 'tee x', 'sed -i s/a/b/ f', 'tar xf a.tar', 'dd of=x', 'rsync a b'],
    'find . -delete',
    'xargs rm',
    'awk 1 f',
    'vim f',
    'less f',
    'man x',
    'rg --pre x y',
    'sort --compress-program=x f',
    'sqlite3 a.db',
    'psql -c x',
    'tmux new',
    'crontab -r',
    'systemd-run x',
    'flock f x',
    'ssh h',
    'curl x',
    'wget x',
    'docker run x',
    'docker build .',
    'kubectl apply -f x',
    'sudo ls',
    'env',
    'env A=1 x',
    'make',
    'just',
    'task',
    'eval x',
    './x.sh',
    '/bin/ls',
    'mytool build',
    'gh pr list',
    'terraform plan',
    'go run x',
    'go generate',
    'cargo run',
    'mvn exec:java',
    // Operands that may be code from elsewhere, or a task that does more
    ...['deno test npm:x', 'deno check npm:x', 'zig build install', 'make a b', 'just a b', 'task a b', 'rake a b'],
    ...['tox a', 'nox a', './gradlew publish'],
    // More than plain commands
    'npm test && rm x',
    'npm test > out',
    'npm test >> out',
    'npm test < in',
    'A=1 npm test',
    'npm test | sh',
    'npm test &',
    'npm test $(ls)',
    'npm test `ls`',
    'npm test $X',
    '$X',
    '',
    'npm test | tee log',
    'cd / && npm test',
    'cd .. && npm test',
    'cd && npm test',
    'cd - && npm test',
    'cd ~ && npm test',
    'npm test "a',
    'npm test <<E\nx\nE',
    // Variables that change what runs
    ...['NODE_OPTIONS=-rx npm test', 'env NODE_OPTIONS=-rx npm test', 'PATH=. npm test', 'LD_PRELOAD=x npm test'],
    'GIT_SSH_COMMAND=x git commit -m y',
    'PYTEST_ADDOPTS=-px pytest',
    'MAKEFLAGS=-fx make test',
    'RUSTC_WRAPPER=x cargo build',
    'npm_config_script_shell=x npm test',
    'CI+=1 npm test',
    'CI=$(x) npm test',
    'env -i npm test',
    'env -S "npm test"',
    ...['env -C / npm test', 'env -u PATH npm test', 'time -o out npm test', 'command -v npm'],
  ])('do not exist for %s', (command) => {
    expect(offered(command)).toBe(undefined);
  });

  it.each([
    ['npm', /^npm does not qualify\. Of npm, these do: npm run NAME, /],
    ['npm run', /^npm run does not qualify/],
    ['git push', /^git push does not qualify\. Of git, these do: git add, git commit, git mv, git switch\./],
    ['git', /Of git, these do/],
    ['rm', /^rm can change or remove any file, so it never qualifies\. Answer for this command only\.$/],
    ['bash', /^bash runs whatever its arguments say/],
    ['python3.12', /^python3\.12 runs whatever/],
    ['python x.py', /Only these may begin with it: python -m black/],
    ['sudo ls', /^sudo runs another command/],
    ['timeout 5', /^timeout runs another command/],
    ['curl', /^curl can send or fetch anything/],
    ['./x.sh', /^\.\/x\.sh is a file, which may change/],
    ['mytool', /^It is not known what the arguments of mytool do/],
    ['', /^Type the words/],
    ['git add * && ', /^Type the words/],
    ['git add && git push', /^git push does not qualify/],
    ['npm test --script-shell=x', /^It is not known what --script-shell=x does for npm/],
    ['pytest -p evil', /^It is not known what -p does for pytest/],
  ])('are rejected for %s with the reason', (words, problem) => {
    expect(prefixProblem(prefixWords(words))).toMatch(problem);
  });

  it.each([
    [
      'runs whatever its arguments say',
      'sh bash dash zsh ksh mksh ash fish csh tcsh nu pwsh powershell cmd node deno bun python python2 python3 pypy ruby perl php lua osascript rscript java tsx ts-node awk gawk mawk sed ed ex vi vim nvim emacs less more man tar rg sort sqlite3 psql mysql gdb expect tmux screen eval source . trap alias find fd crontab at batch npx bunx pnpx uvx busybox toybox m4 zip ctags openssl ffmpeg',
    ],
    [
      'can change or remove any file',
      'rm rmdir unlink shred dd truncate mv cp install ln tee chmod chown rsync unzip patch sponge split kill pkill killall',
    ],
    [
      'can send or fetch anything, or change other machines',
      'ssh scp sftp curl wget nc ncat socat telnet docker podman kubectl helm terraform tofu ansible ansible-playbook aws gcloud az gh glab heroku vercel',
    ],
  ])('never qualify for what %s', (reason, names) => {
    const others = names.split(' ').filter((name) => prefixProblem([name])?.startsWith(`${name} ${reason}`) !== true);
    expect(others).toEqual([]);
  });

  it('are read as the user types them', () => {
    expect(prefixWords(' npm  test * ')).toEqual(['npm', 'test']);
    expect(prefixWords('*')).toEqual([]);
    const both = prefixWords('git add *&&git commit * ');
    expect(both).toEqual(['git', 'add', '&&', 'git', 'commit']);
    expect(prefixText(both)).toBe('git add * && git commit *');
  });
});

describe('a rule with the first words of commands', () => {
  it.each([
    ['npm test', 'npm test a.test.js'],
    ['npm run', 'npm run lint'],
    ['npm run lint -- --fix', 'npm run lint -- --fix src'],
    ['pytest -q', 'pytest -q tests'],
    ['git commit', 'git commit -am "x" --signoff'],
    ['cmake --build', 'cmake --build build -j 4'],
    ['ctest', 'ctest --test-dir build --output-on-failure'],
    ['ctest', 'ctest --test-dir=build'],
    ['go build', 'go build --race ./cmd/x'],
    ['make test', 'make test'],
    ['npm test', 'npm test -- -- src'],
    ['pytest', 'pytest /w/tests/a.py'],
  ])('%s allows %s if the rule is valid', (prefix, command) => {
    expect(has(prefix, command)).toBe(prefix !== 'npm run' && command !== 'npm test -- -- src');
  });

  // Options by which a program runs another one, reads code from elsewhere or writes elsewhere, and short forms of them
  it.each([
    ['git commit', 'git commit -m x --template=/etc/x'],
    ['git commit', 'git commit -F /etc/passwd'],
    ['git commit', 'git commit --amend -m x'],
    ['git commit', 'git commit -S -m x'],
    ['git commit', 'git commit --mess x'],
    ['git add', 'git add /etc/x'],
    ['git add', 'git add ../x'],
    ['git add', 'git add -p'],
    ['git mv', 'git mv -f a b'],
    ['npm test', 'npm test --script-shell ./x'],
    ['npm test', 'npm test --script-sh=./x'],
    ['npm test', 'npm test --prefix /x'],
    ['npm test', 'npm --prefix x test'],
    ['npm test', 'npm test -- --config evil.js'],
    ['npm test', 'npm test -- --reporter=./evil.js'],
    ['npm test', 'npm test -C x'],
    ['npx vitest run', 'npx vitest run --config evil.ts'],
    ['npx vitest run', 'npx vitest run --conf evil.ts'],
    ['npx vitest run', 'npx vitest run --reporter=./evil.ts'],
    ['npx vitest run', 'npx vitest run --outputFile=/x'],
    ['npx jest', 'npx jest --globalSetup=./x'],
    ['npx mocha', 'npx mocha -r ./x'],
    ['npx mocha', 'npx mocha --require ./x'],
    ['npx eslint', 'npx eslint --rulesdir x src'],
    ['npx eslint', 'npx eslint -f ./x src'],
    ['npx prettier', 'npx prettier --plugin=./x --write src'],
    ['npx tsc', 'npx tsc --build'],
    ['npx tsc', 'npx tsc -p /elsewhere'],
    ['npx tsc', 'npx tsc --outDir /x'],
    ['npx tsc', 'npx tsc @args'],
    ['npx playwright test', 'npx playwright test --config=x'],
    ['go test', 'go test -exec ./x ./...'],
    ['go test', 'go test --exec=./x ./...'],
    ['go test', 'go test -toolexec x ./...'],
    ['go test', 'go test ./... -args -x'],
    ['go build', 'go build -o /usr/bin/x'],
    ['go build', 'go build -ldflags=-extld=x'],
    ['go build', 'go build -overlay x'],
    ['go build', 'go build -C /x'],
    ['go build', 'go build -'],
    ['go vet', 'go vet -vettool=x ./...'],
    ['cargo build', 'cargo build --config x'],
    ['cargo build', 'cargo build --conf x'],
    ['cargo build', 'cargo build --manifest-path /x/Cargo.toml'],
    ['cargo build', 'cargo build --target-dir /x'],
    ['cargo build', 'cargo build -Zunstable'],
    ['cargo test', 'cargo test -- --logfile=/x'],
    ['make test', 'make test SHELL=./x'],
    ['make test', 'make test --eval=x'],
    ['make test', 'make test -f x.mk'],
    ['make test', 'make test -kfx.mk'],
    ['make test', 'make test -C /x'],
    ['make test', 'make test deploy'],
    ['pytest', 'pytest -p evil'],
    ['pytest', 'pytest -c evil.ini'],
    ['pytest', 'pytest --rootdir=/x'],
    ['pytest', 'pytest --confcutdir=/x'],
    ['pytest', 'pytest --rootd /x'],
    ['pytest', 'pytest -o python_files=x'],
    ['pytest', 'pytest -qc evil.ini'],
    ['pytest', 'pytest -W error::evil.X'],
    ['pytest', 'pytest --cov=../x'],
    ['pytest', 'pytest /elsewhere'],
    ['pytest', 'pytest ../elsewhere'],
    ['pytest', 'pytest @args'],
    ['pytest', 'pytest -k'],
    ['pytest', 'pytest -k -x'],
    ['python -m pytest', 'python -m pytest --pdbcls=x:y'],
    ['python -m pytest', 'python -I -m pytest'],
    ['ruff check', 'ruff check --config x'],
    ['rspec', 'rspec -r ./x'],
    ['./gradlew', './gradlew -I init.gradle test'],
    ['./gradlew', './gradlew publish'],
    ['mvn', 'mvn test exec:java'],
    ['mvn', 'mvn test -Dx=y'],
    ['dotnet test', 'dotnet test -p:x=y'],
    ['dotnet test', 'dotnet test /p:x=y'],
    ['deno test', 'deno test npm:evil'],
    ['deno test', 'deno test -A'],
    ['bun test', 'bun test --preload ./x'],
    ['ctest', 'ctest -S x.cmake'],
    ['ctest', 'ctest --test-dir /x'],
    ['ctest', 'ctest --test-dir=../x'],
    ['mkdir', 'mkdir /x'],
    ['mkdir', 'mkdir -m 777 x'],
    ['touch', 'touch -r /etc/passwd x'],
    ['npm test', 'npm test https://x'],
    ['npm test', 'npm test ~/x'],
    ['npm test', String.raw`npm test 'a\b'`],
    ['npm test', "npm test ''"],
    ['npm test', 'npm test -rf*'],
    ['npm test', 'npm test *'],
    ['npm test', 'npm tests'],
    ['npm test', 'npm run test'],
    ['npm test', 'npm test && git commit -m x'],
    ['npm test', 'echo a && echo b'],
    ['rm', 'rm x'],
  ])('%s does not allow %s', (prefix, command) => {
    expect(has(prefix, command)).toBe(false);
  });

  it('allows a compound command together with rules for its other parts', () => {
    const both = [
      ['git', 'add'],
      ['git', 'commit'],
    ];
    expect(havePrefixes('git add -A && git commit -m "x"', both, PLACES)).toBe(true);
    expect(havePrefixes('git add -A && git push', both, PLACES)).toBe(false);
    expect(havePrefixes('echo x', both, PLACES)).toBe(false);
  });

  it('allows nothing outside the workspace', () => {
    expect(havePrefixes('npm test', [['npm', 'test']], { ...PLACES, workingDirectory: '/elsewhere' })).toBe(false);
    expect(havePrefixes('npm test', [['npm', 'test']], { ...PLACES, workingDirectory: '/w/sub' })).toBe(true);
  });
});

it.each([
  ['npm test', 'npm test -- x', true],
  ['npm test', 'cd a && timeout 5 npm test', true],
  ['npm run', 'npm test', false],
  ['npm test', 'npm $X', false],
  ['npm test', 'env -i npm test', false],
])('a command begins with the words %s: %s', (words, command, begins) => {
  expect(beginsWith(command, words.split(' '))).toBe(begins);
});
