import { edit, read, run, type Task, write } from '../task.ts';

export const task: Task = {
  prompt: 'amounts must round half up',
  end: 'cents rounds half up now.',
  after: [
    'run_shell: run python3 -m venv .venv --without-pip && . .venv/bin/activate && python -c "import ',
    'edit_file: edit invoices/money.py (+3 −0)',
  ],
  steps: [
    [run('ls -la && cat pyproject.toml'), run('find . -name "*.py" -not -path "./.venv/*" | sort')],
    run('which python3 && python3 --version; ls .venv 2>/dev/null || echo "no venv"'),
    run('python3 -m venv .venv --without-pip && . .venv/bin/activate && python -c "import sys; print(sys.prefix)"'),
    run(
      'source .venv/bin/activate && python -m pytest -q 2>&1 | tail -20 || true; python -m unittest -v 2>&1 | tail -20',
    ),
    [
      run('cat -A invoices/money.py | head -5; cat invoices/total.py'),
      run('grep -rn "cents(" --include="*.py" . | grep -v ".venv"'),
    ],
    [read('invoices/money.py'), read('invoices/total.py'), read('tests/test_money.py'), read('pyproject.toml')],
    run("python3 - <<'EOF'\nfor value in (0.125, 0.135, 2.675):\n    print(value, round(value * 100))\nEOF"),
    edit(
      'invoices/money.py',
      'def cents(amount: float) -> int:',
      'from decimal import ROUND_HALF_UP, Decimal\n\n\ndef cents(amount: float) -> int:',
    ),
    edit(
      'invoices/money.py',
      '    return round(amount * 100)',
      '    return int((Decimal(str(amount)) * 100).quantize(Decimal(1), ROUND_HALF_UP))',
    ),
    run('.venv/bin/python -m unittest tests.test_money.MoneyTest.test_rounds_half_up -v'),
    write('repro.py', 'from invoices.total import total\n\nprint(total([{"price": 0.125, "count": 2}]))\n'),
    run('.venv/bin/python repro.py && rm repro.py'),
    edit(
      'tests/test_money.py',
      '        self.assertEqual(cents(0.125), 13)',
      '        for amount, expected in ((0.125, 13), (0.135, 14), (2.675, 268)):\n            with self.subTest(amount=amount):\n                self.assertEqual(cents(amount), expected)',
    ),
    write(
      'invoices/__main__.py',
      '"""Print the total of an invoice in JSON."""\n\nimport json\nimport sys\n\nfrom .total import total\n\nprint(total(json.load(sys.stdin)))\n',
    ),
    run(`echo '[{"price": 0.125, "count": 2}]' | .venv/bin/python -m invoices`),
    edit('pyproject.toml', 'version = "0.3.0"', 'version = "0.3.1"'),
    run('python3 -m compileall -q invoices && python3 -m json.tool < /dev/null > /dev/null 2>&1; echo "compiled"'),
    write(
      'README.md',
      '# invoices\n\n    python -m invoices < invoice.json\n\nprints the total in cents. Amounts are rounded half up.\n',
    ),
    run(
      'source .venv/bin/activate && PYTHONWARNINGS=error python -W error -m unittest discover -s tests -t . 2>&1 | tail -4',
    ),
    run('find . -name __pycache__ -not -path "./.venv/*" -prune -exec rm -rf {} + ; git status --short'),
    run('git diff | cat'),
  ],
};
