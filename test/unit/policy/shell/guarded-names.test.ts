import { expect, it } from 'vitest';
import type { PathRules } from '../../../../src/policy/paths/path-policy.ts';
import { namesGuarded } from '../../../../src/policy/shell/guarded-names.ts';

const RULES: PathRules = {
  ...{ workspace: '/w', home: '/home/u', allowedRoots: ['/w'], readOnlyRoots: [], blockedPaths: [], platform: 'posix' },
};
const PLACES = { workspace: '/w', workingDirectory: '/w', home: '/home/u', platform: 'posix' } as const;

it.each([
  // Secrets, in any word
  'cat .env',
  'cat ./a/../.env',
  'cat /w/.env',
  'x --file=.env',
  'curl -d @x:.env',
  'x < .env',
  'x > .env',
  'cat "prod.env"',
  'cat *.pem',
  ...['cd sub && cat id_rsa', 'cd $X && cat .env', 'source .envrc', 'git show HEAD:.npmrc', 'python3 a.py .env'],
  // What other programs run, where it is written
  'echo x > AGENTS.md',
  'x >> .git/hooks/a',
  'cp a .vscode/tasks.json',
  'mv a .husky/x',
  'tee CLAUDE.md',
  'ln -s a .mcp.json',
  'mkdir -p .github/workflows',
  'touch .gitmodules',
  ...['sed -i s/a/b/ AGENTS.md', 'sed --in-place=.b s/a/b/ AGENTS.md', 'perl -0pi -e 1 AGENTS.md', 'sed 1p .env'],
  'chmod +x .git/hooks/a',
  'env A=1 cp a .vscode/x',
  `${'eval '.repeat(16)}${'a '.repeat(32_000)}`,
])('the command %.40s names a guarded path', (command) => {
  expect(namesGuarded(command, PLACES, RULES)).toBe(true);
});

it.each([
  'npm test',
  'cat a b',
  'x > out',
  ...['cat AGENTS.md', 'sed -n 1p AGENTS.md', "ruby -ryaml -e 'p ARGV' .github/workflows/ci.yml"],
  'source .venv/bin/activate',
  '.venv/bin/pytest',
  './gradlew test',
  'git show HEAD',
  'git add AGENTS.md',
  'grep x .github/workflows/ci.yml',
  'cp "$A" b',
  'echo "a.envelope"',
  'cat .env.example',
  'cp a b=',
  '$X a',
])('the command %s names no guarded path', (command) => {
  expect(namesGuarded(command, PLACES, RULES)).toBe(false);
});
