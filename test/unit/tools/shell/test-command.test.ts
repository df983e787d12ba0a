import { expect, it } from 'vitest';
import { isTestCommand } from '../../../../src/tools/shell/test-command.ts';

it.each([
  'npm test',
  'npm t',
  'npm run test',
  'npm --silent run test:unit -- --watch',
  'cd app && CI=1 npm test 2>&1 | tail -20',
  'yarn test',
  'node --test',
  'node --import tsx --test',
  'npx vitest run',
  './node_modules/.bin/jest src',
  'python3 -m pytest -q',
  'uv run pytest',
  'go test ./...',
  'cargo test',
  'make check',
  './gradlew test',
  'bundle exec rspec',
  'timeout 60 npm test',
])('%s runs tests', (command) => {
  expect(isTestCommand(command)).toBe(true);
});

it.each([
  'npm install',
  'npm run tests-report',
  'echo npm test',
  'cat test.js',
  'node test.js',
  'git commit -m "npm test"',
  'constructor',
  'npx',
  'python -m http.server',
  '"',
  '',
  `find ${'-exec find '.repeat(5000)}`,
])('%s does not', (command) => {
  expect(isTestCommand(command)).toBe(false);
});
