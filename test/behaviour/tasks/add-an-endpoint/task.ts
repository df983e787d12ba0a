import { edit, read, run, type Task, write } from '../task.ts';

export const task: Task = {
  prompt: 'add an endpoint that marks a todo as done',
  end: 'PATCH /todos/ID marks a todo as done.',
  after: ['run_shell: run npm test 2>&1 | tail -9', 'edit_file: edit src/store.js (+4 −0)'],
  steps: [
    [
      run('tree -L 2 . 2>/dev/null || find . -path ./.git -prune -o -type f -print'),
      run("jq '.scripts' package.json 2>/dev/null || grep -A4 scripts package.json"),
    ],
    [
      run("rg -n 'route\\(' src test 2>/dev/null || grep -rn 'route(' src test"),
      read('src/routes.js'),
      read('src/store.js'),
      read('src/server.js'),
      read('test/routes.test.js'),
      read('docs/api.md'),
    ],
    run('npm test 2>&1 | tail -9'),
    run('PORT=3999 node src/server.js & sleep 1; curl -s http://127.0.0.1:3999/todos; echo; kill $!'),
    edit(
      'src/store.js',
      'export function all() {',
      'export function find(id) {\n  return todos.get(id);\n}\n\nexport function all() {',
    ),
    edit('src/routes.js', "import { add, all } from './store.js';", "import { add, all, find } from './store.js';"),
    edit(
      'src/routes.js',
      "  return { status: 404, body: { error: 'not found' } };",
      "  const [, id] = /^\\/todos\\/(\\d+)$/.exec(path) ?? [];\n  const todo = id === undefined ? undefined : find(Number(id));\n  if (method === 'PATCH' && todo !== undefined) {\n    if (typeof body.done !== 'boolean') return { status: 422, body: { error: 'done must be true or false' } };\n    todo.done = body.done;\n    return { status: 200, body: todo };\n  }\n  return { status: 404, body: { error: 'not found' } };",
    ),
    run('node --check src/routes.js && node --check src/store.js && echo "syntax ok"'),
    edit(
      'test/routes.test.js',
      "test('a todo is added",
      `test('a todo is done, and nothing else is accepted', () => {\n  const { body } = route('POST', '/todos', { title: 'bread' });\n  assert.deepEqual(route('PATCH', \`/todos/\${body.id}\`, { done: true }).body, { ...body, done: true });\n  assert.equal(route('PATCH', \`/todos/\${body.id}\`, { done: 'yes' }).status, 422);\n  assert.equal(route('PATCH', '/todos/99', { done: true }).status, 404);\n});\n\ntest('a todo is added`,
    ),
    run('npm test 2>&1 | grep -E "^# (tests|pass|fail)|not ok|expected|actual"'),
    edit('test/routes.test.js', 'body.length, 1)', 'body.length, 2)'),
    run('npm test 2>&1 | grep -E "^# (pass|fail)"'),
    run(
      `PORT=3998 node src/server.js & server=$!; sleep 1; curl -s -X POST -d '{"title":"milk"}' http://127.0.0.1:3998/todos; curl -s -o /dev/null -w " %{http_code}" -X PATCH -d '{"done":1}' http://127.0.0.1:3998/todos/1; curl -s -X PATCH -d '{"done":true}' http://127.0.0.1:3998/todos/1; kill $server`,
    ),
    edit(
      'docs/api.md',
      '- `POST /todos`\n',
      '- `POST /todos`\n- `PATCH /todos/ID` with `{ "done": true }`; 422 for anything else\n',
    ),
    run(`sed -i 's/"version": "0.4.0"/"version": "0.5.0"/' package.json && grep version package.json`),
    run('for i in 1 2 3; do npm test --silent > /dev/null 2>&1 && echo "run $i ok"; done'),
    write(
      'test/status.test.js',
      "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { route } from '../src/routes.js';\n\ntest('unknown paths are not found', () => {\n  assert.equal(route('GET', '/', {}).status, 404);\n});\n",
    ),
    run('node --test --experimental-test-coverage 2>&1 | grep -E "routes.js|store.js|all files" | head -5; true'),
    run('git status --short; git diff --stat | tail -5'),
    run(`awk 'length > 120 { print FILENAME": "FNR }' src/*.js test/*.js; echo checked`),
  ],
};
