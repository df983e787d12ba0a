"""anthropic: Messages."""

import datetime
import decimal
import ipaddress
import uuid
from typing import Annotated, Literal

import anthropic
import pytest
from pydantic import BaseModel, Field

TOOL = {
    "name": "get_weather",
    "description": "Weather.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
ASK = {"model": "claude-sonnet-4-5", "max_tokens": 1000, "messages": [{"role": "user", "content": "go"}]}


class Person(BaseModel):
    name: str
    age: int


@pytest.fixture
def client(model):
    with anthropic.Anthropic(base_url=model.url, api_key="unused") as client:
        yield client


def test_text(client, model):
    model.play({"content": "Hello."})
    answer = client.messages.create(**ASK)
    assert [block.text for block in answer.content] == ["Hello."]
    assert answer.stop_reason == "end_turn"


def test_stream(client, model):
    model.play({"content": "One two three."})
    with client.messages.stream(**ASK) as stream:
        assert "".join(stream.text_stream) == "One two three."
        assert stream.get_final_message().usage.output_tokens > 0


async def test_async(model):
    model.play({"content": "Hello."})
    async with anthropic.AsyncAnthropic(base_url=model.url, api_key="unused") as client:
        answer = await client.messages.create(**ASK)
    assert answer.content[0].text == "Hello."


def test_thinking(client, model):
    model.play({"content": "Hello.", "reasoning": "Think."})
    answer = client.messages.create(**{**ASK, "max_tokens": 4000}, thinking={"type": "enabled", "budget_tokens": 1024})
    assert [block.type for block in answer.content] == ["thinking", "text"]


@pytest.mark.parametrize("stream", [True, False])
def test_tool_loop(client, model, stream):
    model.play(
        {"content": "I look.", "tool_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]},
        {"content": "Sunny: {{tool_result 1}}"},
    )
    if stream:
        with client.messages.stream(**ASK, tools=[TOOL]) as events:
            first = events.get_final_message()
    else:
        first = client.messages.create(**ASK, tools=[TOOL])
    call = first.content[-1]
    assert (first.stop_reason, call.name, call.input) == ("tool_use", "get_weather", {"city": "Rome"})
    echoed = [block.model_dump(exclude_none=True, include={"type", "text", "id", "name", "input"}) for block in first.content]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "20"}
    messages = [
        *ASK["messages"],
        {"role": "assistant", "content": echoed},
        {"role": "user", "content": [result]},
    ]
    last = client.messages.create(**{**ASK, "messages": messages}, tools=[TOOL])
    assert last.content[0].text == "Sunny: 20"


def test_tool_runner(client, model):
    model.play(
        {"tool_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]},
        {"content": "Sunny: {{tool_result 1}}"},
    )

    @anthropic.beta_tool
    def get_weather(city: str) -> str:
        """Weather of a city.

        Args:
            city: The city.
        """
        return f"20 in {city}"

    answer = client.beta.messages.tool_runner(**ASK, tools=[get_weather]).until_done()
    assert answer.content[0].text == "Sunny: 20 in Rome"


@pytest.mark.parametrize("choice", [{"type": "any"}, {"type": "tool", "name": "get_weather"}])
def test_forced_tool(client, model, choice):
    model.play({"content": '{"city": "Rome"}'})
    answer = client.messages.create(**ASK, tools=[TOOL], tool_choice=choice)
    assert [(block.name, block.input) for block in answer.content] == [("get_weather", {"city": "Rome"})]


@pytest.mark.parametrize("arguments", ['{"city": "Ro', "Rome", '["Rome"]'])
def test_broken_arguments_are_an_object(client, model, arguments):
    """The type of `input` is an object, whatever the model wrote."""
    call = {"type": "function", "function": {"name": "get_weather", "arguments": arguments}}
    model.play({"tool_calls": [call]})
    answer = client.messages.create(**ASK, tools=[TOOL])
    assert isinstance(answer.content[0].input, dict)


class Numbers(BaseModel):
    score: int = Field(ge=1, le=100)
    share: float = Field(gt=0, lt=1)
    dozen: int = Field(multiple_of=12, ge=12)


class Texts(BaseModel):
    code: str = Field(pattern=r"^[A-Z]{3}-\d{4}$")
    short: str = Field(min_length=2, max_length=5)


class Lists(BaseModel):
    tags: list[str] = Field(min_length=2, max_length=3)
    pairs: Annotated[list[int], Field(min_length=1)]


class Formats(BaseModel):
    day: datetime.date
    at: datetime.datetime
    clock: datetime.time
    lasts: datetime.timedelta
    id: uuid.UUID
    host: ipaddress.IPv4Address
    host6: ipaddress.IPv6Address


class Amounts(BaseModel):
    price: decimal.Decimal = Field(gt=0)
    kind: Literal["a", "b"]
    note: str | None = None


class Nested(BaseModel):
    people: list[Person] = Field(min_length=1)
    numbers: Numbers
    either: Person | Texts


@pytest.mark.parametrize("schema", [Person, Numbers, Texts, Lists, Formats, Amounts, Nested])
def test_parse_without_a_scenario(client, schema):
    """The SDK moves constraints that the API does not know into descriptions, and checks them in the answer."""
    ask = {**ASK, "messages": [{"role": "user", "content": "who is it"}]}
    answer = client.messages.parse(**ask, output_format=schema)
    assert isinstance(answer.parsed_output, schema)


def test_parse(client, model):
    model.play({"content": '{"name": "Ada", "age": 36}'})
    assert client.messages.parse(**ASK, output_format=Person).parsed_output == Person(name="Ada", age=36)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, anthropic.BadRequestError),
        (401, anthropic.AuthenticationError),
        (403, anthropic.PermissionDeniedError),
        (404, anthropic.NotFoundError),
        (413, anthropic.RequestTooLargeError),
        (429, anthropic.RateLimitError),
        (500, anthropic.InternalServerError),
        (529, anthropic.OverloadedError),
    ],
)
def test_errors(client, model, status, error):
    model.play({"response": {"content": "x"}, "fault": {"status": status}})
    with pytest.raises(error):
        client.with_options(max_retries=0).messages.create(**ASK)


def test_retry(client, model):
    model.play({"response": {"content": "At last."}, "fault": {"status": 529, "times": 1}})
    assert client.messages.create(**ASK).content[0].text == "At last."


def test_count_and_models(client):
    count = client.messages.count_tokens(model=ASK["model"], messages=ASK["messages"])
    assert count.input_tokens > 0
    assert client.models.retrieve("claude-sonnet-4-5").id == "claude-sonnet-4-5"
    assert list(client.models.list())


def test_base_url_with_a_version(model):
    """The message of the error names the address to use."""
    with anthropic.Anthropic(base_url=f"{model.url}/v1", api_key="unused", max_retries=0) as client:
        with pytest.raises(anthropic.NotFoundError, match="base URL"):
            client.messages.create(**ASK)
