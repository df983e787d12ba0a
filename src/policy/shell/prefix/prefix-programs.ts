/**
 * A program with its first words, and the words behind them that neither run other code, nor read it from elsewhere, nor
 * write to another place.
 */
export interface PrefixProgram {
  /** The first words. `*` is any name, such as that of a script of the project. */
  readonly words: readonly string[];
  /** Options of one letter: `m:` takes a value, which is text. */
  readonly short?: string;
  /**
   * Options with a whole name: `name=` takes a value, which is text; `name=?` takes one only after `=`; `name/` takes a
   * path. Nothing is abbreviated.
   */
  readonly long?: string;
  /** The whole names also stand behind one dash, and letters are never joined, as the programs of Go read them. */
  readonly oneDash?: true;
  /** Other whole words that are harmless. */
  readonly also?: RegExp;
  /** The form of each operand, besides that of every operand. */
  readonly operands?: RegExp;
  /** Options behind `--` that are harmless, as whole words. */
  readonly after?: RegExp;
}

/** Options that the usual runners of tests and checkers of a project have, and that none of them runs code for. */
const OF_SCRIPTS =
  /^--(?:fix|run|watch=false|no-watch|watchAll=false|coverage|silent|verbose|quiet|bail|ci|runInBand|no-color|passWithNoTests|max-warnings=\d+|check)$/;

const SCRIPT = { after: OF_SCRIPTS } as const;
const NPM = { ...SCRIPT, short: 's', long: 'silent if-present workspaces ws include-workspace-root ignore-scripts' };

/** The scripts that `pnpm` and `yarn` run by their names alone, because no subcommand of theirs has one of them. */
const SCRIPTS = 'build lint typecheck type-check format check compile dev start'.split(' ');

type Rows = Readonly<Record<string, Omit<PrefixProgram, 'words'>>>;

/** Programs of Node.js, which `npx` and its kind start, too. */
const NODE_TOOLS: Rows = {
  vitest: {
    short: 't:',
    long: 'run watch=? no-watch coverage no-coverage silent=? bail= testNamePattern= passWithNoTests project= no-color color changed=? retry= hideSkippedTests',
    also: /^--reporter=(?:default|verbose|dot|json|tap|basic|junit|github-actions)$/,
  },
  jest: {
    short: 'it:bou',
    long: 'testNamePattern= testPathPattern= testPathPatterns= runInBand ci coverage=? silent verbose bail=? watchAll=? passWithNoTests onlyChanged no-cache no-coverage colors detectOpenHandles forceExit maxWorkers= updateSnapshot listTests',
  },
  mocha: { short: 'g:bt:', long: 'grep= bail timeout= exit recursive dry-run no-color color check-leaks' },
  'playwright test': { short: 'g:', long: 'grep= grep-invert= project= workers= retries= headed max-failures= list' },
  tsc: { long: 'noEmit pretty skipLibCheck strict listFiles noEmitOnError version', short: 'v' },
  eslint: {
    long: 'fix fix-dry-run ext= quiet max-warnings= cache color no-color no-error-on-unmatched-pattern',
  },
  prettier: { short: 'cwlu', long: 'check write list-different ignore-unknown no-color color log-level=' },
  'biome check': { long: 'write fix max-diagnostics= no-errors-on-unmatched verbose colors=' },
  'biome lint': { long: 'write fix max-diagnostics= no-errors-on-unmatched verbose colors=' },
  'biome format': { long: 'write fix max-diagnostics= no-errors-on-unmatched verbose colors=' },
};

/** Programs of Python, which `python -m`, `uv run` and its kind start, too. */
const PYTHON_TOOLS: Rows = {
  pytest: {
    short: 'qvxslk:m:r:n:',
    long: 'quiet verbose exitfirst maxfail= tb= lf last-failed ff failed-first nf new-first sw stepwise co collect-only durations= no-header no-summary capture= color= disable-warnings showlocals no-cov cov-fail-under= timeout=',
    also: /^--(?:cov|cov-report=(?:term|term-missing))$|^--cov=(?!.*\.\.)\w[\w./-]*$/,
  },
  unittest: { short: 'vqfbk:', long: 'verbose quiet failfast buffer locals' },
  mypy: { long: 'strict ignore-missing-imports no-incremental pretty show-error-codes' },
  pyright: { long: 'warnings stats skipunannotated' },
  'ruff check': {
    short: 'q',
    long: 'fix no-fix diff quiet verbose no-cache select= ignore= output-format= line-length= statistics exit-zero',
  },
  'ruff format': { short: 'q', long: 'check diff quiet verbose no-cache line-length=' },
  black: { short: 'qvl:', long: 'check diff quiet verbose line-length= color no-color fast safe' },
  isort: { short: 'cq', long: 'check check-only diff quiet' },
};

/** Programs of Ruby, which `bundle exec` starts, too. */
const RUBY_TOOLS: Rows = {
  rspec: { short: 'e:', long: 'example= fail-fast=? color no-color only-failures next-failure dry-run seed=' },
  rubocop: { short: 'aA', long: 'autocorrect autocorrect-all fail-fast lint parallel only= except=' },
};

const CARGO: Omit<PrefixProgram, 'words'> = {
  short: 'vqrp:j:F:',
  long: 'release verbose quiet all workspace package= exclude= all-features features= no-default-features all-targets lib bins bin= tests test= examples example= benches bench= no-run no-fail-fast locked offline frozen keep-going jobs= message-format= doc color= check all',
  after: /^(?:--(?:nocapture|test-threads=\d+|exact|ignored|include-ignored|show-output|skip|check|color=\w+)|-[DWA])$/,
};

const GO: Omit<PrefixProgram, 'words'> = {
  oneDash: true,
  long: 'v x n race short cover failfast json benchmem trimpath count= run= skip= bench= benchtime= timeout= parallel= cpu= p= list= shuffle= tags= covermode=',
};

/** Files of this machine, and no modules of a registry, such as `npm:x`. */
const FILES = /^[\w./-]+$/;

/** No operand. */
const NONE = /^(?!)/;

const GRADLE: Omit<PrefixProgram, 'words'> = {
  short: 'qis',
  long: 'info quiet stacktrace offline no-daemon continue parallel tests= rerun-tasks console=',
  // Every other task may publish or deploy.
  operands: /^(?:[\w:-]*:)?(?:build|test|check|assemble|clean|classes|testClasses|compile\w*)$/,
};

const MAVEN: Omit<PrefixProgram, 'words'> = {
  short: 'qBoeX',
  long: 'quiet batch-mode offline errors no-transfer-progress',
  // Every other goal may be that of a plugin which runs programs.
  operands: /^(?:clean|validate|compile|test-compile|test|package|verify)$/,
};

const DOTNET: Omit<PrefixProgram, 'words'> = {
  short: 'c:v:f:',
  long: 'no-restore no-build nologo configuration= verbosity= filter= framework=',
};

/** Rows by their first words. None begins with the words of another one. */
const ROWS: Rows = {
  'npm test': NPM,
  'npm t': NPM,
  'npm run *': NPM,
  'npm run-script *': NPM,
  'pnpm test': SCRIPT,
  'pnpm run *': SCRIPT,
  'yarn test': SCRIPT,
  'yarn run *': SCRIPT,
  ...Object.fromEntries(SCRIPTS.flatMap((name) => [`pnpm ${name}`, `yarn ${name}`]).map((words) => [words, SCRIPT])),
  'bun test': { short: 't:', long: 'timeout= bail=? only todo coverage' },
  'bun run *': SCRIPT,
  'deno test': { short: 'q', long: 'quiet parallel shuffle fail-fast=? filter= no-run', operands: FILES },
  'deno lint': { short: 'q', long: 'quiet compact json' },
  'deno fmt': { short: 'q', long: 'quiet check' },
  'deno check': { short: 'q', long: 'quiet', operands: FILES },
  ...startedBy(NODE_TOOLS, ['npx', 'pnpm exec', 'pnpm', 'yarn', 'bunx']),
  ...startedBy(PYTHON_TOOLS, ['python -m', 'python3 -m', 'uv run', 'poetry run', 'pipenv run']),
  ...startedBy(RUBY_TOOLS, ['bundle exec']),
  ...Object.fromEntries(['build', 'test', 'check', 'clippy', 'fmt', 'doc', 'bench'].map((n) => [`cargo ${n}`, CARGO])),
  'cargo nextest run': CARGO,
  ...Object.fromEntries(['build', 'test', 'vet', 'fmt'].map((name) => [`go ${name}`, GO])),
  gofmt: { short: 'lwds' },
  ...Object.fromEntries(['gradle', './gradlew'].map((name) => [name, GRADLE])),
  mvn: MAVEN,
  './mvnw': MAVEN,
  'dotnet build': DOTNET,
  'dotnet test': DOTNET,
  'make *': { short: 'knsBj:', long: 'keep-going silent quiet jobs=? dry-run', operands: NONE },
  'just *': { operands: NONE },
  'task *': { operands: NONE },
  'rake *': { short: 'tsqv', operands: NONE },
  tox: { short: 'e:qv', operands: NONE },
  nox: { short: 's:', long: 'session=', operands: NONE },
  'mix test': { long: 'trace stale failed seed= max-failures= only= exclude= color' },
  'mix compile': { long: 'warnings-as-errors force' },
  'mix format': { long: 'check-formatted' },
  'swift build': { short: 'c:v', long: 'configuration= verbose' },
  'swift test': { short: 'c:v', long: 'configuration= verbose filter= skip= parallel' },
  'zig build': { operands: /^(?:test|check)$/ },
  'cmake --build': { short: 'j:', long: 'parallel=? config= verbose clean-first' },
  ctest: { short: 'VR:E:L:j:', long: 'test-dir/ output-on-failure verbose parallel= rerun-failed stop-on-failure' },
  'git add': { short: 'AuNvn', long: 'all update verbose dry-run intent-to-add ignore-errors' },
  'git commit': { short: 'am:vsq', long: 'all message= verbose quiet signoff allow-empty dry-run' },
  'git switch': { short: 'c:q', long: 'create= quiet' },
  'git mv': { short: 'vnk', long: 'verbose dry-run' },
  mkdir: { short: 'pv', long: 'parents verbose' },
  touch: { short: 'acm' },
};

function startedBy(tools: Rows, launchers: readonly string[]): Rows {
  const names = ['', ...launchers.map((launcher) => `${launcher} `)];
  return Object.fromEntries(
    Object.entries(tools).flatMap(([words, row]) => names.map((launcher) => [`${launcher}${words}`, row])),
  );
}

/** The rows, with their first words as a list. */
export const PREFIX_PROGRAMS: readonly PrefixProgram[] = Object.entries(ROWS).map(([words, row]) => ({
  ...row,
  words: words.split(' '),
}));

/** Variables that change how a program prints or which settings of the project it takes, and never which code runs. */
export const HARMLESS_VARIABLE =
  /^(?:CI|NODE_ENV|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLUMNS|LINES|TZ|LANG|LC_[A-Z]+|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|DEBUG|VERBOSE|LOG_LEVEL)=[\w.,:@%+*-]*$/;

/** Kinds of programs of which no words limit what they do, with the reason. */
export const NEVER: readonly { readonly reason: string; readonly names: ReadonlySet<string> }[] = [
  {
    reason: 'runs whatever its arguments say',
    names: new Set([
      ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'fish', 'csh', 'tcsh', 'nu', 'pwsh', 'powershell', 'cmd'],
      ...['node', 'deno', 'bun', 'python', 'python2', 'python3', 'pypy', 'ruby', 'perl', 'php', 'lua', 'osascript'],
      ...['rscript', 'java', 'tsx', 'ts-node', 'awk', 'gawk', 'mawk', 'sed', 'ed', 'ex', 'vi', 'vim', 'nvim', 'emacs'],
      ...['less', 'more', 'man', 'tar', 'rg', 'sort', 'sqlite3', 'psql', 'mysql', 'gdb', 'expect', 'tmux', 'screen'],
      ...['eval', 'source', '.', 'trap', 'alias', 'find', 'fd', 'crontab', 'at', 'batch', 'npx', 'bunx', 'pnpx', 'uvx'],
      ...['busybox', 'toybox', 'm4', 'zip', 'ctags', 'openssl', 'ffmpeg'],
    ]),
  },
  {
    reason: 'can change or remove any file',
    names: new Set([
      ...['rm', 'rmdir', 'unlink', 'shred', 'dd', 'truncate', 'mv', 'cp', 'install', 'ln', 'tee', 'chmod', 'chown'],
      ...['rsync', 'unzip', 'patch', 'sponge', 'split', 'kill', 'pkill', 'killall'],
    ]),
  },
  {
    reason: 'can send or fetch anything, or change other machines',
    names: new Set([
      ...['ssh', 'scp', 'sftp', 'curl', 'wget', 'nc', 'ncat', 'socat', 'telnet', 'docker', 'podman', 'kubectl', 'helm'],
      ...['terraform', 'tofu', 'ansible', 'ansible-playbook', 'aws', 'gcloud', 'az', 'gh', 'glab', 'heroku', 'vercel'],
    ]),
  },
];
