"""aider: edits in texts, reflections, and commit messages."""

import os
import subprocess
import sys

ANSWER = """hello.py
```python
<<<<<<< SEARCH
=======
{code}
>>>>>>> REPLACE
```
"""


def aider(model, directory, *args, message="go"):
    subprocess.run(["git", "init", "-q"], cwd=directory, check=True)
    for key, value in (("user.name", "A"), ("user.email", "a@example.com")):
        subprocess.run(["git", "config", key, value], cwd=directory, check=True)
    settings = ["--no-analytics", "--no-check-update", "--no-show-model-warnings", "--yes-always", "--no-pretty"]
    command = [os.path.join(os.path.dirname(sys.executable), "aider"), "--model", "openai/gpt-4o", "--edit-format", "diff"]
    env = {**os.environ, "OPENAI_API_BASE": f"{model.url}/v1", "OPENAI_API_KEY": "unused", "AIDER_ANALYTICS": "false"}
    return subprocess.run(
        [*command, *settings, *args, "--message", message],
        cwd=directory, env=env, capture_output=True, text=True, timeout=180,
    )


def test_edit_and_commit(model, tmp_path):
    model.play({"content": ANSWER.format(code='print("hi")')}, trigger="write the greeting")
    ran = aider(model, tmp_path, message="Write the greeting.")
    assert (tmp_path / "hello.py").exists(), ran.stdout
    assert 'print("hi")' in (tmp_path / "hello.py").read_text()
    subjects = subprocess.run(["git", "log", "--format=%s"], cwd=tmp_path, capture_output=True, text=True).stdout
    assert "SEARCH" not in subjects, "the commit message is no step of the story"
    assert model.steps.count(0) == 1


def test_lint_reflection(model, tmp_path):
    """The output of the linter leads to the next step."""
    model.play(
        {"response": {"content": ANSWER.format(code="print('hi'")}, "results": 1},
        {"content": "hello.py\n```python\n<<<<<<< SEARCH\nprint('hi'\n=======\nprint('hi')\n>>>>>>> REPLACE\n```\n"},
        trigger="write the greeting",
    )
    ran = aider(model, tmp_path, "--no-auto-commits", message="Write the greeting.")
    assert (tmp_path / "hello.py").exists(), ran.stdout
    assert (tmp_path / "hello.py").read_text().strip() == "print('hi')", ran.stdout
    assert model.steps == [0, 1]
