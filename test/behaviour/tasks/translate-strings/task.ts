import { edit, read, run, type Task, write } from '../task.ts';

export const task: Task = {
  prompt: 'finish the German translation, and find missing keys in the tests',
  end: 'German is complete.',
  after: ['run_shell: run npm test 2>&1 | tail -8', 'edit_file: edit locales/de.json (+3 −1)'],
  steps: [
    [
      run('tree -I node_modules 2>/dev/null || find . -path ./.git -prune -o -type f -print'),
      run('cat locales/en.json locales/de.json'),
    ],
    run('diff <(jq -r "keys[]" locales/en.json | sort) <(jq -r "keys[]" locales/de.json | sort)'),
    run("jq -s '.[0] as $en | .[1] as $de | ($en | keys) - ($de | keys)' locales/en.json locales/de.json"),
    [read('src/i18n.js'), read('src/main.js'), read('locales/de.json'), read('locales/en.json')],
    [read('po/de.po'), read('test/i18n.test.js'), read('README.md'), read('package.json')],
    run('grep -rnE "console\\.log\\(\'[A-Z]" src'),
    run('npm test 2>&1 | tail -8'),
    run('APP_LOCALE=de npm start --silent; LANG=de_DE.UTF-8 LC_ALL=C.UTF-8 APP_LOCALE=en node src/main.js'),
    edit(
      'locales/de.json',
      '"greeting": "Hallo, {name}!"',
      '"greeting": "Hallo, {name}!",\n  "items": "{count} Einträge",\n  "bye": "Auf Wiedersehen"',
    ),
    edit(
      'src/main.js',
      "console.log('You have 3 items');",
      "console.log(t(locale, 'items', { count: 3 }));\nconsole.log(t(locale, 'bye'));",
    ),
    run('APP_LOCALE=de node src/main.js | iconv -f utf-8 -t utf-8 && file locales/*.json'),
    edit('po/de.po', 'msgid "Goodbye"\nmsgstr ""', 'msgid "Goodbye"\nmsgstr "Auf Wiedersehen"'),
    run(
      'msgfmt --check --statistics -o /dev/null po/de.po; msgfmt -o /tmp/de.mo po/de.po && msgunfmt /tmp/de.mo | tail -3',
    ),
    write(
      'test/keys.test.js',
      "import assert from 'node:assert/strict';\nimport { readdirSync, readFileSync } from 'node:fs';\nimport { test } from 'node:test';\n\nconst read = (name) => JSON.parse(readFileSync('locales/' + name, 'utf8'));\n\nfor (const name of readdirSync('locales')) {\n  test(name + ' has all keys', () => assert.deepEqual(Object.keys(read(name)).sort(), Object.keys(read('en.json')).sort()));\n}\n",
    ),
    run('node --test test/keys.test.js 2>&1 | grep -c "^# pass\\|ℹ pass" ; npm test --silent 2>&1 | tail -6'),
    edit('src/i18n.js', '  return texts[key]', '  return (texts[key] ?? key)'),
    edit(
      'test/i18n.test.js',
      "test('fills in values'",
      "test('shows a key without a text', () => assert.equal(t('de', 'x'), 'x'));\n\ntest('fills in values'",
    ),
    run(
      'for f in locales/*.json; do jq --sort-keys --indent 2 . "$f" > /tmp/sorted.json && cp /tmp/sorted.json "$f"; done && git diff --stat locales',
    ),
    edit('README.md', 'Locales: en.', 'Locales: de, en.'),
    run(
      "awk -F'\"' '/\": \"/ {print length($4), $2}' locales/de.json | sort -rn | head -3; python3 -c \"import json,re; a=json.load(open('locales/en.json')); b=json.load(open('locales/de.json')); print([k for k in a if sorted(re.findall(r'{\\w+}', a[k])) != sorted(re.findall(r'{\\w+}', b[k]))])\"",
    ),
    run('npm test 2>&1 | grep -E "pass|fail" && node --check src/main.js'),
    run('LC_ALL=C grep -nP "[^\\x00-\\x7F]" locales/*.json | head; xxd locales/de.json | head -2'),
    run(
      'git add -A . && git -c core.quotepath=off status -s && git commit -m "German: all texts" -m "A test finds missing keys." | tail -2',
    ),
  ],
};
