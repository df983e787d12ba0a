import { edit, read, run, type Task, write } from '../task.ts';

export const task: Task = {
  prompt: 'notes need tags',
  end: 'Notes have tags now.',
  after: ['run_shell: run npm test --silent 2>&1 | tail -8', 'edit_file: edit src/note.js (+2 −1)'],
  steps: [
    [run('pwd && ls -R . | head -40'), run('git log -3 --format="%h %s"')],
    run('cat README.md src/*.js test/*.js'),
    run('for f in src/*.js; do echo "== $f"; head -20 "$f"; done'),
    run('grep -rn "createNote" --include=*.js . | wc -l'),
    run('npm test --silent 2>&1 | tail -8'),
    [read('src/note.js'), read('src/store.js'), read('src/cli.js'), read('README.md'), read('test/notes.test.js')],
    edit(
      'src/note.js',
      'return { text };',
      'const tags = [...text.matchAll(/#(\\w+)/g)].map(([, tag]) => tag);\n  return { text, tags };',
    ),
    run(`node -e "import('./src/note.js').then(({ createNote }) => console.log(createNote('a #b')))"`),
    edit(
      'src/store.js',
      '    list: () => [...notes],',
      '    list: (tag) => notes.filter(({ tags }) => tag === undefined || tags.includes(tag)),',
    ),
    write(
      'src/tags.js',
      '/** All tags of the notes of a store, sorted. */\nexport function tagsOf(store) {\n  return [...new Set(store.list().flatMap(({ tags }) => tags))].sort();\n}\n',
    ),
    edit(
      'src/cli.js',
      "import { createNote } from './note.js';",
      "import { createNote } from './note.js';\nimport { tagsOf } from './tags.js';",
    ),
    edit(
      'src/cli.js',
      '  return store.list()',
      "  if (command === 'tags') return tagsOf(store);\n  const tag = command === 'list' ? words[0] : undefined;\n  return store.list(tag)",
    ),
    run('node --check src/cli.js && node --test'),
    write(
      'test/tags.test.js',
      "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { run } from '../src/cli.js';\nimport { createStore } from '../src/store.js';\n\ntest('lists the notes of a tag, and the tags', () => {\n  const store = createStore();\n  run(store, ['add', 'milk #shop']);\n  run(store, ['add', 'call Ada #home']);\n  assert.deepEqual(run(store, ['list', 'shop']), ['1 milk #shop']);\n  assert.deepEqual(run(store, ['tags']), ['home', 'shop']);\n});\n",
    ),
    run('node --test test/tags.test.js 2>&1 | tail -15'),
    run('npm test 2>&1 | grep -E "^# (tests|pass|fail)"'),
    edit(
      'README.md',
      'adds a note.\n',
      'adds a note; `#word` in it is a tag.\n- `list TAG` lists the notes of a tag, `tags` all tags.\n',
    ),
    run('npm run build && ls dist'),
    run('mkdir -p examples && cp README.md examples/usage.md && sed -i "s/^# notes/# usage/" examples/usage.md'),
    run('git diff --stat; git status --porcelain'),
    run('git diff README.md | cat'),
    run('git add -N src/tags.js && git diff --name-only'),
  ],
};
