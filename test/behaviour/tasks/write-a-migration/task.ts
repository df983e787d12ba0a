import { edit, read, run, type Task, write } from '../task.ts';

export const task: Task = {
  prompt: 'split the name of users into two columns, with a migration',
  end: 'The migration splits the names.',
  after: [
    'run_shell: run python3 -m unittest discover -v 2>&1 | tail -8',
    'write_file: create migrations/002_names.sql (+3)',
  ],
  steps: [
    [run('ls -R . | grep -v pyc | head -40'), run('git log --oneline -3; git status -s'), run('cat migrations/*.sql')],
    [read('app/migrate.py'), read('app/users.py'), read('tests/test_users.py'), read('migrations/001_users.sql')],
    [read('README.md'), read('CHANGELOG.md'), read('.gitignore')],
    run('python3 --version && python3 -c "import sqlite3; print(sqlite3.sqlite_version)"'),
    run('python3 -m unittest discover -v 2>&1 | tail -8'),
    run('python3 -m app.migrate dev.db && sqlite3 dev.db ".schema users" "select * from users"'),
    write(
      'migrations/002_names.sql',
      "alter table users add column first_name text not null default '';\nalter table users add column last_name text not null default '';\nupdate users set first_name = name;\n",
    ),
    run(
      'cp dev.db /tmp/before.db && python3 -m app.migrate dev.db && sqlite3 -header -column dev.db "select id, first_name, last_name from users;"',
    ),
    run(
      'python3 - <<\'EOF\'\nimport sqlite3\nc = sqlite3.connect("dev.db")\nprint(c.execute("pragma table_info(users)").fetchall())\nprint(c.execute("select count(*) from users where first_name = \'\'").fetchone())\nEOF',
    ),
    edit(
      'app/users.py',
      '"select name from users order by id"',
      '"select trim(first_name || \' \' || last_name) from users order by id"',
    ),
    edit(
      'tests/test_users.py',
      '    def test_names(self)',
      '    def test_runs_once(self) -> None:\n        with tempfile.TemporaryDirectory() as directory:\n            path = os.path.join(directory, "shop.db")\n            self.assertEqual(len(migrate(path)), 2)\n            self.assertEqual(migrate(path), [])\n\n    def test_names(self)',
    ),
    run('python3 -m unittest discover 2>&1 | tail -4'),
    run('python3 -m pytest -q 2>&1 | tail -3; python3 -W error -m compileall -q app tests'),
    edit(
      'app/migrate.py',
      '        connection.executescript(file.read_text())\n',
      '        connection.executescript("begin;\\n" + file.read_text() + "\\ncommit;")\n',
    ),
    run('rm -f dev.db && python3 -m app.migrate dev.db && python3 -m unittest -q tests.test_users'),
    write(
      'migrations/down/002_names.sql',
      'alter table users drop column last_name;\nalter table users drop column first_name;\n',
    ),
    run(
      'cp dev.db /tmp/down.db; sqlite3 /tmp/down.db < migrations/down/002_names.sql && sqlite3 /tmp/down.db .schema | head -5',
    ),
    edit(
      'README.md',
      'Run `python3 -m app.migrate shop.db`.',
      'Run `python3 -m app.migrate shop.db`. `migrations/down` has the way back.',
    ),
    edit('CHANGELOG.md', '# Changelog\n', '# Changelog\n\n- Users have a first and a last name.\n'),
    run(
      'for i in 1 2 3; do python3 -m app.migrate /tmp/race$i.db > /dev/null & done; wait; ls /tmp/race*.db | wc -l; rm /tmp/race*.db',
    ),
    run(
      'sqlite3 dev.db "explain query plan select * from users where first_name = \'Ada\'" && sqlite3 dev.db "pragma integrity_check"',
    ),
    run('find . -name __pycache__ -prune -exec rm -rf {} + ; rm -f dev.db; git status --short'),
    run(
      'git switch -qc names && git add migrations app tests README.md CHANGELOG.md && git commit -m "Split the names of users" --quiet; git log -1 --stat | cat',
    ),
  ],
};
