import { edit, read, run, type Task } from '../task.ts';

export const task: Task = {
  prompt: 'switch all lint rules on, fix what they find, and run the linter in CI',
  end: 'All rules are on, and CI runs them.',
  after: [
    'run_shell: run npm run lint; npm test 2>&1 | tail -9',
    'edit_file: edit lint.config.json (+1 −1)',
    'edit_file: edit .github/workflows/ci.yml (+1 −1)',
  ],
  steps: [
    [run('ls -A'), run('cat lint.config.json .editorconfig'), run('cat .github/workflows/*.yml')],
    run("node -p \"Object.entries(require('./lint.config.json').rules).map(([k, v]) => k + '=' + v).join()\""),
    run('npm run lint; npm test 2>&1 | tail -9'),
    run("grep -nE 'var |==[^=]|console\\.' src/*.js | tee /tmp/before.txt | wc -l"),
    [read('lint.config.json'), read('src/area.js'), read('src/scale.js'), read('tools/lint.js')],
    [read('package.json'), read('CONTRIBUTING.md'), read('.editorconfig'), read('.github/workflows/ci.yml')],
    edit('lint.config.json', '"no-var": "off"', '"no-var": "error"'),
    run('npm run lint 2>&1 | tail -15'),
    run('npm run lint -- --fix && git diff --stat'),
    edit('lint.config.json', '"eqeqeq": "off"', '"eqeqeq": "error"'),
    edit('lint.config.json', '"no-console": "off"', '"no-console": "error"'),
    run('npx --no-install eslint --version 2>/dev/null || echo "eslint is not installed"; npm run lint || true'),
    read('src/area.js'),
    edit('src/area.js', "shape.kind == 'circle'", "shape.kind === 'circle'"),
    edit('src/area.js', `  console.log(\`area \${size}\`);\n`, ''),
    run(
      "perl -0pi -e \"s/== 'number'/=== 'number'/\" src/scale.js && sed -i 's/for (let key in/for (const key in/; s/let result/const result/' src/scale.js && cat src/scale.js",
    ),
    run('npm run lint && npm test --silent 2>&1 | tail -5'),
    edit(
      'package.json',
      '"lint": "node tools/lint.js"',
      '"lint": "node tools/lint.js",\n    "check": "npm run lint && npm test"',
    ),
    run("jq -e .scripts.check package.json || node -e \"JSON.parse(require('fs').readFileSync('package.json'))\""),
    edit('.github/workflows/ci.yml', '      - run: npm test\n', '      - run: npm run check\n'),
    edit('CONTRIBUTING.md', 'Run `npm test`.', 'Run `npm run check`.'),
    edit('.editorconfig', 'indent_style = space\n', 'indent_style = space\ninsert_final_newline = true\n'),
    run('git ls-files -z | xargs -0 -n1 sh -c \'tail -c1 "$0" | read -r _ || true\'; echo ok'),
    run(
      "python3 -c \"import yaml, sys; yaml.safe_load(open('.github/workflows/ci.yml'))\" 2>/dev/null || ruby -ryaml -e 'YAML.load_file(ARGV[0])' .github/workflows/ci.yml 2>/dev/null || echo 'no parser'",
    ),
    run('npm run check 2>&1 | tail -12'),
    run("cp lint.config.json /tmp/lint.json && sed 's/error/off/' /tmp/lint.json | diff - lint.config.json; true"),
    run('git diff --name-only && git add . && git diff --cached --stat'),
    run("git -c core.commentChar=';' commit -qm 'Switch all lint rules on' && git log -1 --format=%s"),
  ],
};
