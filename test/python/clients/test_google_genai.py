"""google-genai: Gemini."""

import datetime
import enum
from typing import Literal

import pytest
from google import genai
from google.genai import errors, types
from pydantic import BaseModel, Field


class Person(BaseModel):
    name: str
    age: int


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = Field(ge=1, le=9)


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str] = Field(min_length=2)


class Owner(BaseModel):
    pet: Cat | Dog
    since: datetime.date
    pets: list[Cat | Dog] = Field(min_length=1)


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@pytest.fixture
def client(model):
    options = types.HttpOptions(base_url=model.url)
    return genai.Client(api_key="unused", http_options=options)


def get_weather(city: str) -> str:
    """Weather of a city."""
    return f"20 in {city}"


def test_text(client, model):
    model.play({"content": "Hello."})
    answer = client.models.generate_content(model="gemini-2.5-flash", contents="go")
    assert answer.text == "Hello."
    assert answer.usage_metadata.total_token_count > 0


async def test_async(client, model):
    model.play({"content": "Hello."})
    answer = await client.aio.models.generate_content(model="gemini-2.5-flash", contents="go")
    assert answer.text == "Hello."


def test_automatic_function_calling(client, model):
    model.play(
        {"tool_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]},
        {"content": "Sunny: {{tool_result 1}}"},
    )
    config = types.GenerateContentConfig(tools=[get_weather])
    answer = client.models.generate_content(model="gemini-2.5-flash", contents="go", config=config)
    assert answer.text == "Sunny: 20 in Rome"


def test_chat_keeps_its_history(client, model):
    model.play(
        {"tool_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]},
        {"content": "Sunny."},
    )
    chat = client.chats.create(model="gemini-3-flash", config=types.GenerateContentConfig(tools=[get_weather]))
    assert chat.send_message("go").text == "Sunny."


def test_forced_tool(client, model):
    model.play({"content": '{"city": "Rome"}'})
    declaration = types.FunctionDeclaration.from_callable(client=client._api_client, callable=get_weather)
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declaration])],
        tool_config=types.ToolConfig(
            function_calling_config=types.FunctionCallingConfig(mode="ANY", allowed_function_names=["get_weather"])
        ),
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    answer = client.models.generate_content(model="gemini-2.5-flash", contents="go", config=config)
    assert [(call.name, call.args) for call in answer.function_calls] == [("get_weather", {"city": "Rome"})]


@pytest.mark.parametrize("schema", [Person, Owner, list[Person]])
def test_schema_without_a_scenario(client, schema):
    config = types.GenerateContentConfig(response_mime_type="application/json", response_schema=schema)
    answer = client.models.generate_content(model="gemini-2.5-flash", contents="who is it", config=config)
    assert answer.parsed is not None


def test_schema_in_snake_case(client):
    """A dict keeps its spelling, which proto3 JSON accepts at every depth."""
    schema = {
        "type": "OBJECT",
        "properties": {
            "id": {"any_of": [{"type": "INTEGER", "minimum": 3}, {"type": "NULL"}]},
            "tags": {"type": "ARRAY", "min_items": 2, "items": {"type": "STRING", "max_length": 3}},
        },
        "required": ["id", "tags"],
        "property_ordering": ["id", "tags"],
    }
    config = types.GenerateContentConfig(response_mime_type="application/json", response_schema=schema)
    answer = client.models.generate_content(model="gemini-2.5-flash", contents="who is it", config=config)
    assert answer.parsed["id"] == 3
    assert [len(tag) for tag in answer.parsed["tags"]] == [3, 3]


def test_enum(client):
    config = types.GenerateContentConfig(response_mime_type="text/x.enum", response_schema=Colour)
    answer = client.models.generate_content(model="gemini-2.5-flash", contents="which one", config=config)
    assert answer.parsed in Colour


@pytest.mark.parametrize(("status", "error"), [(400, errors.ClientError), (429, errors.ClientError), (503, errors.ServerError)])
def test_errors(client, model, status, error):
    model.play({"response": {"content": "x"}, "fault": {"status": status}})
    with pytest.raises(error) as raised:
        client.models.generate_content(model="gemini-2.5-flash", contents="go")
    assert raised.value.code == status


def test_counts_models_and_embeddings(client):
    assert client.models.count_tokens(model="gemini-2.5-flash", contents="go").total_tokens > 0
    assert [each.name for each in client.models.list()] == ["models/mock-model"]
    result = client.models.embed_content(model="gemini-embedding-001", contents=["a", "b"])
    assert len(result.embeddings) == 2
