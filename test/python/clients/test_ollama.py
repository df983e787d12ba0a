"""ollama."""

import ollama
import pytest
from pydantic import BaseModel


class Person(BaseModel):
    name: str
    age: int


@pytest.fixture
def client(model):
    return ollama.Client(host=model.url)


GO = [{"role": "user", "content": "go"}]


def get_weather(city: str) -> str:
    """Weather of a city.

    Args:
        city: The city.
    """
    return f"20 in {city}"


def test_tool_loop(client, model):
    model.play(
        {"tool_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]},
        {"content": "Sunny: {{tool_result 1}}"},
    )
    messages = list(GO)
    first = client.chat(model="llama3.2", messages=messages, tools=[get_weather]).message
    messages.append(first)
    for call in first.tool_calls:
        messages.append({"role": "tool", "tool_name": call.function.name, "content": get_weather(**call.function.arguments)})
    assert client.chat(model="llama3.2", messages=messages, tools=[get_weather]).message.content == "Sunny: 20 in Rome"


def test_format(client, model):
    model.play({"content": '{"name": "Ada", "age": 36}'})
    answer = client.chat(model="llama3.2", messages=GO, format=Person.model_json_schema())
    assert Person.model_validate_json(answer.message.content) == Person(name="Ada", age=36)


def test_generate(client, model):
    model.play({"content": "Hello."})
    assert client.generate(model="llama3.2", prompt="go").response == "Hello."


def test_models_of_triggers_are_listed(client, model):
    model.play({"content": "Hello."}, trigger={"text": "go", "model": "qwen3:8b"})
    assert "qwen3:8b" in [each.model for each in client.list().models]
    assert "qwen3:8b" in [each.model for each in client.ps().models]


def test_pull_show_and_embed(client):
    assert client.pull("llama3.2").status == "success"
    assert [each.status for each in client.pull("llama3.2", stream=True)][-1] == "success"
    assert client.show("llama3.2").details is not None
    assert len(client.embed(model="nomic-embed-text", input=["a", "b"]).embeddings) == 2
    assert client.embeddings(model="nomic-embed-text", prompt="a").embedding


@pytest.mark.parametrize("status", [400, 404, 429, 500, 503])
def test_errors(client, model, status):
    model.play({"response": {"content": "x"}, "fault": {"status": status}})
    with pytest.raises(ollama.ResponseError) as raised:
        client.chat(model="llama3.2", messages=GO)
    assert raised.value.status_code == status
