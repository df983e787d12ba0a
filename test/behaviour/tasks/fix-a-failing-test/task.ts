import { edit, read, run, type Task } from '../task.ts';

export const task: Task = {
  prompt: 'make the tests pass again',
  end: 'All five tests pass.',
  after: ['run_shell: run npm test 2>&1 | tail -40', 'edit_file: edit src/money.js (+1 −1)'],
  steps: [
    [run('git status'), run('git log --oneline -5')],
    run('ls -la && cat package.json'),
    run('npm test 2>&1 | tail -40'),
    run("sed -n '1,60p' src/cart.js; cat src/money.js src/receipt.js"),
    run('grep -rn "toCents\\|format(" src test | head -20'),
    run('node -e "console.log(19.99 * 100 * 3)"'),
    [read('src/money.js'), read('src/cart.js'), read('src/receipt.js')],
    edit('src/money.js', 'return price * 100;', 'return Math.round(price * 100);'),
    run('node --test test/shop.test.js 2>&1 | grep -E "^# (pass|fail)"'),
    edit('src/money.js', '.toFixed(1)', '.toFixed(2)'),
    edit('src/cart.js', 'cents > 5000', 'cents >= 5000'),
    run('npm test 2>&1 | grep -A8 "not ok" | head -30'),
    edit(
      'src/receipt.js',
      '  const sum = subtotal(items);',
      '  const sum = subtotal(items);\n  const parcel = shipping(sum);',
    ),
    edit(
      'src/receipt.js',
      `    \`Shipping \${format(shipping(sum))}\`,\n    \`Total \${format(sum)}\`,`,
      `    \`Shipping \${format(parcel)}\`,\n    \`Total \${format(sum + parcel)}\`,`,
    ),
    run('npm test 2>&1 | tail -12'),
    edit(
      'test/shop.test.js',
      "test('prices have",
      "test('shipping costs below', () => assert.equal(shipping(4999), 495));\ntest('prices have",
    ),
    [run('node --test'), run('npm run lint')],
    [run('git diff --stat'), run('git diff src | head -60')],
    run('wc -l src/*.js && git status --short'),
  ],
};
