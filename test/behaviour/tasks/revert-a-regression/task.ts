import { edit, read, run, type Task, write } from '../task.ts';

export const task: Task = {
  prompt: 'since when is the slug wrong?',
  end: 'The slug has been wrong since "Shorten slug"; it is right again.',
  after: [
    `run_shell: run sed -i "s/.trim()//" src/slug.js && git commit -qam 'Shorten slug' && git `,
    'write_file: replace README.md (+2 −0)',
  ],
  steps: [
    [run('git log --oneline --decorate -n 10'), run('git status -sb; git stash list; git tag -l')],
    [run('cat src/slug.js; git blame -s src/slug.js'), run('git log -p -3 -- src/slug.js | head -60')],
    run('git config --get user.name; git remote -v'),
    run(`sed -i "s/.trim()//" src/slug.js && git commit -qam 'Shorten slug' && git rev-parse --short HEAD`),
    read('README.md'),
    write('README.md', '# slugs\n\nMakes slugs of titles.\n'),
    run('git commit -qam "Describe slugs"'),
    run('npm test --silent > /tmp/test.log 2>&1; echo "exit $?"; tail -5 /tmp/test.log'),
    run('git bisect start HEAD HEAD~2 && git bisect run npm test --silent 2>&1 | tail -15'),
    run('git bisect log | tail -3; git bisect reset'),
    run('git show --stat HEAD~1 && git show HEAD~2:src/slug.js'),
    run('git checkout -b fix/slug && git revert --no-edit HEAD~1'),
    run('npm test --silent && git log --oneline -4'),
    [read('src/slug.js'), read('test/slug.test.js'), read('package.json')],
    edit(
      'test/slug.test.js',
      "test('replaces spaces'",
      "test('keeps no space at the ends', () => assert.equal(slug(' a '), 'a'));\n\ntest('replaces spaces'",
    ),
    edit('src/slug.js', ".replaceAll(' ', '-')", ".replaceAll(/\\s+/gu, '-')"),
    edit(
      'test/slug.test.js',
      "test('keeps no space",
      "test('joins spaces', () => assert.equal(slug('a  b'), 'a-b'));\n\ntest('keeps no space",
    ),
    edit('package.json', '"type": "module"', '"version": "1.0.1",\n  "type": "module"'),
    write('CHANGELOG.md', '# Changelog\n\n## 1.0.1\n\n- Titles with spaces at their ends have the right slug again.\n'),
    run('node --test --test-reporter=dot && git diff --check'),
    run('git add -p < /dev/null; git add . && git commit -m "Keep no space at the ends of a slug" | head -1'),
    run('git switch - && git merge --no-ff -m "Merge fix/slug" fix/slug && git branch -d fix/slug'),
    run('git log --graph --oneline | head -12; git diff HEAD~1 --stat'),
  ],
};
