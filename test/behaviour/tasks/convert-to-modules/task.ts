import { edit, read, run, type Task } from '../task.ts';

export const task: Task = {
  prompt: 'turn this CommonJS package into modules',
  end: 'slugs is a package of modules now.',
  after: ['run_shell: run npm test 2>&1 | tail -12', 'edit_file: edit package.json (+2 −1)'],
  steps: [
    [
      run('ls -R . -I .git | head -40; cat package.json'),
      run('grep -rnE "require\\(|module\\.exports|__dirname|__filename" src test README.md'),
    ],
    run('git status --short | head; git log --oneline -5; node --version'),
    run('npm test 2>&1 | tail -12'),
    [
      read('src/index.js'),
      read('src/slug.js'),
      read('src/words.js'),
      read('test/slug.test.js'),
      read('package.json'),
      read('README.md'),
    ],
    run('for f in src/*.js; do printf "%s: " "$f"; wc -l < "$f"; done'),
    edit('package.json', '"main": "src/index.js"', '"type": "module",\n  "exports": "./src/index.js"'),
    run(`node -e "console.log(JSON.parse(require('fs').readFileSync('package.json')).type)"`),
    edit(
      'src/index.js',
      "const { slug } = require('./slug');\nconst { words } = require('./words');\n\nmodule.exports = { slug, words };",
      "export { slug } from './slug.js';\nexport { words } from './words.js';",
    ),
    edit(
      'src/slug.js',
      "const { words } = require('./words');\n\nfunction slug",
      "import { words } from './words.js';\n\nexport function slug",
    ),
    run("sed -n '/module.exports/p' src/slug.js src/words.js"),
    edit('src/slug.js', '\n\nmodule.exports = { slug };', ''),
    edit('src/words.js', 'function words(text)', 'export function words(text)'),
    edit('src/words.js', '\n\nmodule.exports = { words };', ''),
    run(`node --input-type=module -e "import('./src/index.js').then((m) => console.log(Object.keys(m)))"`),
    edit(
      'test/slug.test.js',
      "const assert = require('node:assert');\nconst path = require('node:path');\nconst { test } = require('node:test');\nconst { slug, words } = require('../src');",
      "import assert from 'node:assert';\nimport path from 'node:path';\nimport { test } from 'node:test';\nimport { slug, words } from '../src/index.js';",
    ),
    run('npm test 2>&1 | grep -E "not ok|ReferenceError|^# (pass|fail)" | head; true'),
    edit('test/slug.test.js', 'path.basename(__filename)', 'path.basename(import.meta.filename)'),
    run('npm test --silent 2>&1 | tail -9 && echo "all green"'),
    edit('README.md', "const { slug } = require('slugs');", "import { slug } from 'slugs';"),
    run('! grep -rnE "require\\(|module\\.exports" src test README.md && echo "no CommonJS left"'),
    run('git diff --stat && git diff src | head -40'),
    run('cd test && node --test slug.test.js > /dev/null && echo ok; cd .. && pwd'),
  ],
};
