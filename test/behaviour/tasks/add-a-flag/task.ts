import { edit, read, run, type Task, write } from '../task.ts';

export const task: Task = {
  prompt: 'add a --json flag, with docs and tests',
  end: 'The flag prints both counts.',
  after: ['run_shell: run npm test 2>&1 | tail -20', 'edit_file: edit src/options.js (+1 −1)'],
  steps: [
    [run('ls -la'), run('git log --oneline -10')],
    run('cat package.json && cat bin/wordcount.js'),
    run('rg -n "options\\." --type js || grep -rn "options\\." --include="*.js" bin src'),
    [read('src/options.js'), read('src/format.js'), read('test/wordcount.test.js'), read('docs/usage.md')],
    [read('README.md'), read('CHANGELOG.md'), read('bin/wordcount.js'), read('package.json')],
    run('npm test 2>&1 | tail -20'),
    run('node bin/wordcount.js README.md; echo "one two" | node bin/wordcount.js --lines'),
    run('git checkout -b feature/json-flag'),
    edit('src/options.js', 'lines: false, help: false }', 'lines: false, json: false, help: false }'),
    edit(
      'src/options.js',
      "    else if (arg === '--help')",
      "    else if (arg === '--json') options.json = true;\n    else if (arg === '--help')",
    ),
    edit(
      'src/format.js',
      '  return options.lines',
      '  if (options.json) return JSON.stringify({ lines, words });\n  return options.lines',
    ),
    run(
      'cd "$(git rev-parse --show-toplevel)" && echo "one two" | node bin/wordcount.js --json | jq . 2>/dev/null || true',
    ),
    edit('bin/wordcount.js', 'wordcount [--lines] FILE', 'wordcount [--lines | --json] FILE'),
    write(
      'test/json.test.js',
      "import assert from 'node:assert/strict';\nimport { execFileSync } from 'node:child_process';\nimport { test } from 'node:test';\n\ntest('--json prints both counts', () => {\n  const output = execFileSync(process.execPath, ['bin/wordcount.js', '--json', 'README.md'], { encoding: 'utf8' });\n  assert.deepEqual(Object.keys(JSON.parse(output)), ['lines', 'words']);\n});\n",
    ),
    run('node --test test/json.test.js'),
    run('npm test -- --test-reporter=spec 2>&1 | grep -E "✔|✖|pass|fail" | head -20; npm run lint'),
    edit(
      'docs/usage.md',
      '| `--lines` | count lines |',
      '| `--lines` | count lines |\n| `--json` | both counts as JSON |',
    ),
    edit('README.md', 'Counts the words of a file.', 'Counts the words of a file, also as JSON.'),
    write('CHANGELOG.md', '# Changelog\n\n## 1.3.0\n\n- `--json`\n\n## 1.2.0\n\n- `--lines`\n'),
    run('npm version 1.3.0 --no-git-tag-version && grep \'"version"\' package.json'),
    run('npm pack --dry-run 2>&1 | tail -15'),
    run('diff <(node bin/wordcount.js README.md) <(node bin/wordcount.js --json README.md | jq .words) && echo same'),
    run('mkdir -p /tmp/wc && cp README.md /tmp/wc/a.md && node bin/wordcount.js /tmp/wc/a.md; rm -rf /tmp/wc'),
    run(
      'git add -A && git commit -m "$(cat <<\'EOF\'\nfeat: add --json\n\nPrints the number of lines and words as one object.\nEOF\n)"',
    ),
    run('git status && git log --oneline -1 && git show --stat HEAD | tail -8'),
  ],
};
