import { edit, read, run, type Task, write } from '../task.ts';

export const task: Task = {
  prompt: 'migrate this package to TypeScript',
  end: 'ledger is TypeScript now.',
  after: ['run_shell: run npm test 2>&1 | tail -8', 'edit_file: edit src/ledger.ts (+1 −1)'],
  steps: [
    [run('git status --porcelain=v1 -b'), run('wc -l $(git ls-files "*.js")'), run('cat package.json | head -30')],
    run(
      'node --version && (npx --no-install tsc --version 2>/dev/null || echo "no tsc"); ls node_modules 2>/dev/null | head -5',
    ),
    run('grep -rn --include="*.js" -E "^(import|export)" src test | cut -d: -f1,3-'),
    [read('src/index.js'), read('src/ledger.js'), read('src/format.js'), read('test/ledger.test.js')],
    [read('package.json'), read('build.js'), read('README.md')],
    run('npm test 2>&1 | tail -8'),
    run(
      `git switch -c typescript && for f in src/*.js test/*.js; do git mv "$f" "\${f%.js}.ts"; done && git status --short`,
    ),
    run(
      "find src test -name '*.ts' -exec sed -i -E \"s#(from '\\./|from '\\.\\./src/)([a-z]+)\\.js'#\\1\\2.ts'#\" {} + && git diff -U0 | grep '^[+-]' ",
    ),
    read('src/ledger.ts'),
    edit(
      'src/ledger.ts',
      "import { formatEntry } from './format.ts';\n",
      "import { type Entry, formatEntry } from './format.ts';\n",
    ),
    edit('src/ledger.ts', '  constructor() {\n    this.entries = [];\n  }\n', '  readonly entries: Entry[] = [];\n'),
    edit('src/ledger.ts', '  add(text, cents) {', '  add(text: string, cents: number): void {'),
    run("sed -i 's/total() {/total(): number {/; s/print() {/print(): string {/' src/ledger.ts && cat src/ledger.ts"),
    read('src/format.ts'),
    edit(
      'src/format.ts',
      'export function formatEntry({ text, cents }) {',
      'export interface Entry {\n  readonly text: string;\n  readonly cents: number;\n}\n\nexport function formatEntry({ text, cents }: Entry): string {',
    ),
    run('node --test test/ledger.test.ts 2>&1 | grep -vE "^#? ?$" | tail -15'),
    write(
      'tsconfig.json',
      '{\n  "compilerOptions": {\n    "module": "nodenext",\n    "strict": true,\n    "noEmit": true,\n    "erasableSyntaxOnly": true,\n    "allowImportingTsExtensions": true\n  },\n  "include": ["src", "test"]\n}\n',
    ),
    edit('package.json', '"main": "src/index.js"', '"main": "src/index.ts"'),
    run(
      "node -i < /dev/null > /dev/null; sed -i 's#test/ledger.test.js#test/*.test.ts#' package.json && npm test --silent | tail -3",
    ),
    edit(
      'build.js',
      `for (const name of readdirSync('src')) copyFileSync(\`src/\${name}\`, \`lib/\${name}\`);`,
      `for (const name of readdirSync('src')) copyFileSync(\`src/\${name}\`, \`lib/\${name}\`);\nconsole.log(\`\${readdirSync('lib').length} files\`);`,
    ),
    run(
      'npm run build --silent && ls lib && node -e "import(\'./lib/index.ts\').then(({ Ledger }) => console.log(new Ledger().total()))"',
    ),
    run('rm -r lib && npm run build --silent; git check-ignore lib'),
    run('grep -rn "\\.js\'" src test README.md build.js || echo "no import of a .js file"'),
    edit('README.md', './src/index.js', './src/index.ts'),
    run(
      'printf "%s\\n" "import { Ledger } from \'./src/index.ts\';" "console.log(new Ledger().print() === \'\');" > /tmp/try.ts && cp /tmp/try.ts ./try.ts && node try.ts; rm -f try.ts /tmp/try.ts',
    ),
    run('git add -A && git commit -qm "Migrate to TypeScript" && git diff --summary HEAD~1 | grep rename'),
    run(
      'git switch -q main && git merge --ff-only typescript && git branch -d typescript && git log --oneline | head -3',
    ),
  ],
};
