import { edit, read, run, type Task, write } from '../task.ts';

export const task: Task = {
  prompt: 'rename fetchUser to loadAccount',
  end: 'fetchUser is loadAccount everywhere.',
  after: [
    `run_shell: run npm test 2>&1 | grep -E "^# (pass|fail)|not ok" ; echo "exit \${PIPESTATUS[0]}"`,
    'edit_file: edit src/client.js (+1 −1)',
    'run_shell: run grep -rl "client.js" src | xargs sed -i "s#./client.js#./accounts.js#"',
  ],
  steps: [
    [
      run('git status --short && git branch --show-current'),
      run("rg -n --hidden -g '!.git' fetchUser || grep -rn fetchUser . --exclude-dir=.git"),
    ],
    run('git ls-files | xargs wc -l'),
    [run("nl -ba src/client.js | sed -n '1,40p'"), run("sed -n '1,200p' src/greet.js; sed -n '1,200p' src/report.js")],
    run(`npm test 2>&1 | grep -E "^# (pass|fail)|not ok" ; echo "exit \${PIPESTATUS[0]}"`),
    run('git switch -c rename-load-account'),
    [
      read('src/client.js'),
      read('src/index.js'),
      read('src/greet.js'),
      read('src/report.js'),
      read('README.md'),
      read('test/accounts.test.js'),
    ],
    edit('src/client.js', 'export async function fetchUser(id) {', 'export async function loadAccount(id) {'),
    edit('src/index.js', 'export { fetchUser } from', 'export { loadAccount } from'),
    edit('src/greet.js', 'import { fetchUser } from', 'import { loadAccount } from'),
    edit('src/greet.js', 'await fetchUser(id)', 'await loadAccount(id)'),
    run("sed -i 's/\\bfetchUser\\b/loadAccount/g' src/report.js && git diff --stat"),
    edit('README.md', '`fetchUser(id)`', '`loadAccount(id)`'),
    run(
      "sed -i 's/user === undefined/!user/' src/greet.js && sed -i 's/Who are you/Who is this/' src/greet.js src/report.js",
    ),
    run("perl -pi -e 's/fetchUser/loadAccount/g' test/accounts.test.js"),
    run('git mv src/client.js src/accounts.js'),
    run('grep -rl "client.js" src | xargs sed -i "s#./client.js#./accounts.js#"'),
    run('node --test 2>&1 | tail -12 && npm run lint --silent'),
    run('npm run build && ls dist'),
    edit('package.json', '"version": "1.4.0"', '"version": "2.0.0"'),
    write('CHANGELOG.md', '# Changelog\n\n## 2.0.0\n\n- `fetchUser` is `loadAccount`.\n'),
    run('! grep -rn "fetchUser" src test && echo "no use left"'),
    run('git --no-pager diff HEAD --stat'),
    run('git add -A && git commit -q -m "Rename fetchUser to loadAccount" && git log --oneline -2'),
  ],
};
