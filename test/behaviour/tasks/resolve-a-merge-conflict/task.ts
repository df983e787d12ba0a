import { edit, read, run, type Task, write } from '../task.ts';

export const task: Task = {
  prompt: 'merge the branch polite',
  end: 'polite is merged; the greeting has a default name and is polite.',
  after: [
    `run_shell: run git switch -q -c polite && sed -i 's/Hello, /Good day, /' src/greet.js && git `,
    'edit_file: edit src/greet.js (+2 −2)',
  ],
  steps: [
    [run('git status && git branch -a'), run('git log --oneline --graph --all | head -20')],
    [read('src/greet.js'), read('test/greet.test.js'), read('CHANGELOG.md'), read('src/names.js')],
    run(
      "git switch -q -c polite && sed -i 's/Hello, /Good day, /' src/greet.js && git commit -qam 'Greet politely' && git switch -q main && git log --oneline polite -1",
    ),
    edit(
      'src/greet.js',
      `export function greet(name) {\n  return \`Hello, \${name}\`;`,
      `export function greet(name = 'you') {\n  return \`Hello, \${name}!\`;`,
    ),
    edit('CHANGELOG.md', '## Unreleased\n', '## Unreleased\n\n- `greet` has a default name.\n'),
    run("git add -A && git commit -qm 'Greet anybody' && git log --oneline -3"),
    run('git diff main...polite --stat; git diff main polite -- src/greet.js | cat'),
    run('git merge --no-ff polite 2>&1 | tail -3; git status --short'),
    run("grep -n '^[<=>]\\{7\\}' src/greet.js; git diff --name-only --diff-filter=U"),
    read('src/greet.js'),
    write('src/greet.js', `export function greet(name = 'you') {\n  return \`Good day, \${name}!\`;\n}\n`),
    run("grep -c '^<<<<<<<' src/greet.js || echo 'no marker left'"),
    run('npm test 2>&1 | tail -9'),
    edit(
      'test/greet.test.js',
      "test('greets by name', () => {\n  assert.match(greet('Ada'), /Ada/);",
      "test('greets by name', () => {\n  assert.equal(greet('Ada'), 'Good day, Ada!');\n  assert.equal(greet(), 'Good day, you!');",
    ),
    run('node --test --test-reporter=dot && git add -A && git status --short'),
    run("git commit -qm 'Merge polite' && git log --oneline --graph -5"),
    edit('src/names.js', "['Ada', 'Grace']", "['Ada', 'Barbara', 'Grace']"),
    write(
      'src/main.js',
      "import { greet } from './greet.js';\nimport { NAMES } from './names.js';\n\nfor (const name of NAMES) console.log(greet(name));\n",
    ),
    run('node src/main.js | sort | head -3'),
    edit('CHANGELOG.md', '- `greet` has a default name.\n', '- `greet` has a default name, and is polite.\n'),
    run('git branch --merged | cat; git diff --stat HEAD~1 | tail -4'),
    run('npm test --silent > /dev/null && echo passed'),
  ],
};
