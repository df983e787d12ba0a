import { describe, expect, it } from 'vitest';
import { parseAllowList } from '../../../../src/policy/shell/rules/allowed-commands.ts';
import { type CommandRule, findRuleProblem } from '../../../../src/policy/shell/rules/rule-examples.ts';

const RULES = ['npm test *', 'git status', 'run_shell: make build *', '"my tool" -x', 'npx vitest *', 'a &&'];
const list = parseAllowList(RULES);

describe('a rule of safety.allowed_commands', () => {
  it.each([
    ['npm test', ['npm test *']],
    ['npm test -- -u', ['npm test *']],
    ['  npm   "test"  a', ['npm test *']],
    ['npm test && git status', ['npm test *', 'git status']],
    ['npm test; npm test a | npm test b', ['npm test *']],
    ['npm test > /dev/null 2>&1', ['npm test *']],
    ['git status', ['git status']],
    ['make build', ['run_shell: make build *']],
    ["'my tool' -x", ['"my tool" -x']],
    ['npx vitest run a', ['npx vitest *']],
  ])('allows %s', (command, rules) => {
    expect(list.find(command)).toEqual(rules);
  });

  it.each([
    'npm testing',
    'npm',
    'npm -s test',
    './npm test',
    '/bin/npm test',
    'NPM test',
    'git status -s',
    'npm test && rm a',
    'npm test | sh',
    'npm test > out.txt',
    'npm test < in.txt',
    'A=1 npm test',
    'npm test $A',
    'npm test "$(id)"',
    'npm test *.ts',
    'npm test &',
    '(npm test)',
    'env npm test',
    'npm $A',
    'a',
    '',
    'npm test # all',
  ])('does not allow %j', (command) => {
    expect(list.find(command)).toBeUndefined();
  });

  it('does not exist in an empty list, for which no command is parsed', () => {
    expect(parseAllowList([]).find('"')).toBeUndefined();
  });
});

describe('the examples of a rule', () => {
  it.each<['allowed' | 'blocked', CommandRule]>([
    ['allowed', { rule: 'npm test *' }],
    [
      'allowed',
      { rule: 'npm test *', match: ['npm test', 'npm test a'], not_match: ['npm testing', 'npm test; rm a'] },
    ],
    ['blocked', { rule: 'git push' }],
    [
      'blocked',
      { rule: 'git push', match: ['git push -f', 'ls; git -C . push'], not_match: ['git pull', 'echo git push'] },
    ],
  ])('of %s commands are correct: %j', (kind, rule) => {
    expect(findRuleProblem(kind, rule)).toBeUndefined();
  });

  it.each<['allowed' | 'blocked', CommandRule, (string | number)[], string]>([
    ['allowed', { rule: 'npm test &&' }, ['rule'], '"npm test &&" is not the beginning of one plain command'],
    ['allowed', { rule: 'npm test; ls' }, ['rule'], '"npm test; ls" is not the beginning of one plain command'],
    ['allowed', { rule: '*' }, ['rule'], '"*" is not the beginning of one plain command'],
    ['allowed', { rule: 'npm * test' }, ['rule'], '"npm * test" is not the beginning of one plain command'],
    ['allowed', { rule: 'npm $A' }, ['rule'], '"npm $A" is not the beginning of one plain command'],
    [
      'allowed',
      { rule: 'npm test', match: ['npm test', 'npm test a'] },
      ['match', 1],
      'the rule "npm test" does not match "npm test a"',
    ],
    [
      'allowed',
      { rule: 'npm *', not_match: ['npm install'] },
      ['not_match', 0],
      'the rule "npm *" matches "npm install"',
    ],
    ['blocked', { rule: 'git push (' }, ['rule'], '"git push (" is not the beginning of one plain command'],
    [
      'blocked',
      { rule: 'git push', match: ['git pull'] },
      ['match', 0],
      'the rule "git push" does not match "git pull"',
    ],
    ['blocked', { rule: 'git push', match: ['git $A'] }, ['match', 0], 'the rule "git push" does not match "git $A"'],
    [
      'blocked',
      { rule: 'git push', not_match: ['git push -n'] },
      ['not_match', 0],
      'the rule "git push" matches "git push -n"',
    ],
    [
      'blocked',
      { rule: 'git push', not_match: ['git $A'] },
      ['not_match', 0],
      'the rule "git push" may match "git $A"',
    ],
    [
      'blocked',
      { rule: 'git', not_match: [`ls {${'a,'.repeat(5_000)}}`] },
      ['not_match', 0],
      'the rule "git" may match "ls {a,',
    ],
  ])('of %s commands are wrong: %j', (kind, rule, path, text) => {
    const problem = findRuleProblem(kind, rule);
    expect(problem?.path).toEqual(path);
    expect(problem?.text).toContain(text);
  });
});
