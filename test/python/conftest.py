"""One server for all tests of a folder. Each test loads the scenarios that it needs."""

import json
import os
import subprocess
import urllib.request
from dataclasses import dataclass

import pytest


@dataclass
class Model:
    """A running mock-llm-server."""

    url: str

    def play(self, *steps, trigger="go", name="only", **more):
        """Answers a prompt that contains the trigger with these steps."""
        responses = [step if "response" in step or "intent" in step else {"response": step} for step in steps]
        self.load({"scenarios": [{"name": name, "trigger": trigger, "steps": responses, **more}]})

    def load(self, content):
        """Puts a scenario file in front of the others."""
        self.request("PUT", "/__mock/scenarios", content)

    @property
    def requests(self):
        """The journal: the requests of this test, oldest first."""
        return self.request("GET", "/__mock/journal")["entries"]

    @property
    def steps(self):
        """The step that answered each request, or the status of one that was refused."""
        return [entry["step"] if "step" in entry else entry.get("auxiliary", entry["status"]) for entry in self.requests]

    def request(self, method, path, content=None):
        data = None if content is None else json.dumps(content).encode()
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=10) as response:
            text = response.read()
        return json.loads(text) if text else None


@pytest.fixture(scope="session")
def server():
    command = json.loads(os.environ["MOCK_LLM_SERVER"])
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield json.loads(process.stdout.readline())["url"]
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def model(server):
    model = Model(server)
    model.request("DELETE", "/__mock/scenarios")
    model.request("DELETE", "/__mock/journal")
    return model


@pytest.fixture(autouse=True)
def no_foreign_settings(monkeypatch, tmp_path):
    """Keys, addresses and proxies of the developer never reach a client."""
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_BASE_URL", "_API_BASE", "_HOST")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
