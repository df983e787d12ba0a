import { edit, read, run, type Task, write } from '../task.ts';

export const task: Task = {
  prompt: 'move the package to pyproject.toml',
  end: 'The package is built from pyproject.toml and has a command.',
  after: [
    'run_shell: run python3 -m unittest discover -s tests -t . 2>&1 | tail -4',
    'write_file: create pyproject.toml (+9)',
  ],
  steps: [
    [run('ls -la && cat setup.py .gitignore'), run('git ls-files | xargs wc -l'), run('git log --oneline | head -5')],
    run('grep -rn "setup.py" . --include="*.md" --include="*.cfg" --include="*.yml"'),
    [read('tempconv/__init__.py'), read('tempconv/convert.py'), read('README.md'), read('.gitignore')],
    run('python3 -m unittest discover -s tests -t . 2>&1 | tail -4'),
    write(
      'pyproject.toml',
      '[build-system]\nrequires = ["setuptools>=68"]\nbuild-backend = "setuptools.build_meta"\n\n[project]\nname = "tempconv"\nversion = "0.5.0"\nrequires-python = ">=3.9"\nscripts = { tempconv = "tempconv.__main__:main" }\n',
    ),
    run(`python3 -c "import tomllib; print(tomllib.load(open('pyproject.toml', 'rb'))['project'])"`),
    run('mkdir -p src && git mv tempconv src/tempconv && git status --short'),
    [run('git rm -q setup.py && ls'), read('src/tempconv/__init__.py')],
    write(
      'src/tempconv/__main__.py',
      'import sys\n\nfrom .convert import to_celsius\n\n\ndef main() -> None:\n    print(to_celsius(float(sys.argv[1]), sys.argv[2]))\n\n\nif __name__ == "__main__":\n    main()\n',
    ),
    run('PYTHONPATH=src python3 -m tempconv 212 F && PYTHONPATH=src python3 -m unittest discover -s tests -t . 2>&1'),
    edit('src/tempconv/__init__.py', '__version__ = "0.4.0"', '__version__ = "0.5.0"'),
    edit('README.md', 'Run `python setup.py install`.', 'Run `pip install .`, then `tempconv 212 F`.'),
    edit('.gitignore', '*.egg-info/', '*.egg-info/\ndist/'),
    write('tests/__init__.py', ''),
    [run('python3 -m compileall -q src'), run('grep -rn "0.5.0" pyproject.toml src')],
    run('git add -A && git commit -qm "Build from pyproject.toml" && git show --stat --format=%s HEAD | tail -12'),
  ],
};
