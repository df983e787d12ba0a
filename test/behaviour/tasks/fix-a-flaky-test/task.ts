import { edit, read, run, type Task, write } from '../task.ts';

export const task: Task = {
  prompt: 'the cache test fails now and then, find out why and fix it',
  end: 'The tests no longer share a directory or a clock.',
  after: [
    'run_shell: run for i in $(seq 1 5); do npm test > /tmp/run-$i.log 2>&1; echo "run $i: $?"; done',
    'edit_file: edit src/cache.js (+1 −1)',
  ],
  steps: [
    [run('git log --oneline -- test | head'), run('git ls-files'), run('cat package.json')],
    run('for i in $(seq 1 5); do npm test > /tmp/run-$i.log 2>&1; echo "run $i: $?"; done'),
    run('grep -hE "^not ok|✖|expected|actual" /tmp/run-*.log | sort | uniq -c | sort -rn | head -10'),
    [read('src/cache.js'), read('test/cache.test.js'), read('test/clear.test.js'), read('src/index.js')],
    run("grep -rn 'tmp/cache' . --include='*.js' --exclude-dir=node_modules"),
    run('ls -la tmp 2>/dev/null; ls tmp/cache 2>/dev/null | head'),
    run('node --test --test-concurrency=1 2>&1 | tail -12; node --test test/clear.test.js 2>&1 | tail -8'),
    run('rm -rf tmp && node --test test/cache.test.js > /dev/null; echo "alone: $?"'),
    edit(
      'src/cache.js',
      'constructor(directory, lifetimeMs) {',
      'constructor(directory, lifetimeMs, now = Date.now) {',
    ),
    edit(
      'src/cache.js',
      '    this.lifetimeMs = lifetimeMs;\n',
      '    this.lifetimeMs = lifetimeMs;\n    this.now = now;\n',
    ),
    edit('src/cache.js', '{ value, at: Date.now() }', '{ value, at: this.now() }'),
    edit('src/cache.js', 'return Date.now() - at', 'return this.now() - at'),
    run("! grep -n 'Date.now()' src/cache.js && node --check src/cache.js"),
    run('git stash && node --test test/cache.test.js > /dev/null 2>&1; echo "before: $?"; git stash pop'),
    write(
      'test/temporary.js',
      "import { mkdtempSync } from 'node:fs';\nimport os from 'node:os';\nimport path from 'node:path';\n\nexport const temporary = () => mkdtempSync(path.join(os.tmpdir(), 'cachebox-'));\n",
    ),
    write(
      'test/cache.test.js',
      "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { Cache } from '../src/index.js';\nimport { temporary } from './temporary.js';\n\ntest('keeps a value', () => {\n  const cache = new Cache(temporary(), 1000);\n  cache.set('a', 1);\n  assert.equal(cache.get('a'), 1);\n});\n\ntest('forgets a value after its lifetime', () => {\n  let now = 0;\n  const cache = new Cache(temporary(), 5, () => now);\n  cache.set('b', 2);\n  now = 6;\n  assert.equal(cache.get('b'), undefined);\n});\n",
    ),
    run(
      "sed -i \"s#new Cache('tmp/cache', 1000)#new Cache(temporary(), 1000)#; 3a import { temporary } from './temporary.js';\" test/clear.test.js && cat test/clear.test.js",
    ),
    run(
      'seq 8 | xargs -P 4 -I{} sh -c \'node --test > /tmp/again-{}.log 2>&1 || echo "run {} failed"\'; echo finished',
    ),
    run('timeout 60 npm run coverage 2>&1 | grep -E "cache.js|all files|pass|fail"'),
    run('rm -f /tmp/run-*.log /tmp/again-*.log; rm -rf tmp coverage; git status --short'),
    edit(
      'README.md',
      'A cache in files.',
      'A cache in files. Tests can set its clock: `new Cache(directory, ms, now)`.',
    ),
    run('time npm test --silent > /dev/null'),
    run("git diff --stat && git commit -aqm 'Give each cache test its own directory and clock' && git status -sb"),
    run('git add test/temporary.js && git commit --amend --no-edit -q && git show --stat --oneline'),
  ],
};
