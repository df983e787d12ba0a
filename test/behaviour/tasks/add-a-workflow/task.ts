import { edit, read, run, type Task, write } from '../task.ts';

export const task: Task = {
  prompt: 'run the tests on every push',
  end: 'The workflow runs scripts/check.sh on every push.',
  after: [
    'run_shell: run npm test 2>&1 | tail -8',
    'write_file: create .nvmrc (+1)',
    'write_file: create .github/workflows/ci.yml (+11)',
  ],
  steps: [
    [run('ls -a .github 2>/dev/null || echo "no workflows"; cat package.json'), run('git ls-files; git remote -v')],
    run('node --version; cat .nvmrc 2>/dev/null; git branch --show-current'),
    [read('package.json'), read('README.md'), read('src/median.js'), read('test/median.test.js')],
    run('npm test 2>&1 | tail -8'),
    write('.nvmrc', '22\n'),
    write('scripts/check.sh', '#!/bin/sh\nset -eu\ncd "$(dirname "$0")/.."\nnpm test --silent\ngit diff --check\n'),
    run('chmod +x scripts/check.sh && sh -n scripts/check.sh && ls -l scripts'),
    run('./scripts/check.sh 2>&1 | grep -E "pass|fail"'),
    write(
      '.github/workflows/ci.yml',
      'name: ci\non: [push, pull_request]\njobs:\n  check:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v5\n      - uses: actions/setup-node@v5\n        with:\n          node-version-file: .nvmrc\n      - run: scripts/check.sh\n',
    ),
    [run('grep -n uses: .github/workflows/ci.yml'), run("awk '/\t/ { print NR }' .github/workflows/ci.yml")],
    edit('package.json', '"test": "node --test"', '"check": "scripts/check.sh",\n    "test": "node --test"'),
    run('npm run check 2>&1 | tail -5'),
    edit(
      'test/median.test.js',
      "test('the middle'",
      "test('of an even number', () => assert.equal(median([4, 1, 3, 2]), 2.5));\ntest('the middle'",
    ),
    run('node --test 2>&1 | grep -E "expected|actual" | head -4; true'),
    edit(
      'src/median.js',
      '  return sorted[Math.floor(sorted.length / 2)];',
      '  const middle = sorted.length / 2;\n  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;',
    ),
    run('node --test --experimental-test-coverage 2>&1 | grep -E "median|all files|pass|fail"'),
    run('git add -A && git commit -qm "Run the tests on every push" && git log -1 --stat --format=%s | tail -9'),
  ],
};
