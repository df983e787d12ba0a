"""openai: Chat Completions and Responses."""

import json

import openai
import pytest
from pydantic import BaseModel

WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
CHAT_TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": WEATHER}}
RESPONSES_TOOL = {"type": "function", "name": "get_weather", "parameters": WEATHER, "strict": True}
PROMPT = [{"role": "user", "content": "go"}]


class Person(BaseModel):
    name: str
    age: int


@pytest.fixture
def client(model):
    with openai.OpenAI(base_url=f"{model.url}/v1", api_key="unused") as client:
        yield client


def test_chat_text(client, model):
    model.play({"content": "Hello."})
    answer = client.chat.completions.create(model="gpt-5", messages=PROMPT)
    assert answer.choices[0].message.content == "Hello."
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage.total_tokens > 0


def test_chat_stream(client, model):
    model.play({"content": "One two three."})
    chunks = list(
        client.chat.completions.create(
            model="gpt-5", messages=PROMPT, stream=True, stream_options={"include_usage": True}
        )
    )
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == "One two three."
    assert chunks[-1].usage.completion_tokens > 0


async def test_chat_async(model):
    model.play({"content": "Hello."})
    async with openai.AsyncOpenAI(base_url=f"{model.url}/v1", api_key="unused") as client:
        answer = await client.chat.completions.create(model="gpt-5", messages=PROMPT)
    assert answer.choices[0].message.content == "Hello."


def test_chat_tool_loop(client, model):
    calls = [{"name": "get_weather", "arguments": {"city": city}} for city in ("Rome", "Oslo")]
    model.play({"tool_calls": calls}, {"content": "Sunny: {{tool_result 1}}, {{tool_result 2}}"})
    messages = list(PROMPT)
    first = client.chat.completions.create(model="gpt-5", messages=messages, tools=[CHAT_TOOL]).choices[0]
    assert first.finish_reason == "tool_calls"
    assert [json.loads(call.function.arguments) for call in first.message.tool_calls] == [
        {"city": "Rome"},
        {"city": "Oslo"},
    ]
    messages.append(first.message.model_dump(exclude_none=True))
    for call, degrees in zip(first.message.tool_calls, ("20", "5")):
        messages.append({"role": "tool", "tool_call_id": call.id, "content": degrees})
    last = client.chat.completions.create(model="gpt-5", messages=messages, tools=[CHAT_TOOL])
    assert last.choices[0].message.content == "Sunny: 20, 5"
    assert model.steps == [0, 1]


def test_chat_parse(client, model):
    model.play({"content": '{"name": "Ada", "age": 36}'})
    answer = client.chat.completions.parse(model="gpt-5", messages=PROMPT, response_format=Person)
    assert answer.choices[0].message.parsed == Person(name="Ada", age=36)


def test_chat_parse_without_a_scenario(client):
    messages = [{"role": "user", "content": "who is it"}]
    answer = client.chat.completions.parse(model="gpt-5", messages=messages, response_format=Person)
    assert isinstance(answer.choices[0].message.parsed, Person)


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "get_weather"}}])
def test_chat_forced_tool(client, model, choice):
    model.play({"content": '{"city": "Rome"}'})
    answer = client.chat.completions.create(
        model="gpt-5", messages=PROMPT, tools=[CHAT_TOOL], tool_choice=choice
    )
    call = answer.choices[0].message.tool_calls[0]
    assert (call.function.name, json.loads(call.function.arguments)) == ("get_weather", {"city": "Rome"})


def test_chat_pydantic_tool_without_a_scenario(client):
    tool = openai.pydantic_function_tool(Person)
    answer = client.chat.completions.parse(
        model="gpt-5",
        messages=[{"role": "user", "content": "who is it"}],
        tools=[tool],
        tool_choice={"type": "function", "function": {"name": "Person"}},
    )
    assert isinstance(answer.choices[0].message.tool_calls[0].function.parsed_arguments, Person)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, openai.BadRequestError),
        (401, openai.AuthenticationError),
        (403, openai.PermissionDeniedError),
        (404, openai.NotFoundError),
        (422, openai.UnprocessableEntityError),
        (429, openai.RateLimitError),
        (500, openai.InternalServerError),
        (503, openai.InternalServerError),
    ],
)
def test_errors(client, model, status, error):
    model.play({"response": {"content": "x"}, "fault": {"status": status}})
    with pytest.raises(error):
        client.with_options(max_retries=0).chat.completions.create(model="gpt-5", messages=PROMPT)


def test_retry(client, model):
    model.play({"response": {"content": "At last."}, "fault": {"status": 503, "times": 2}})
    answer = client.chat.completions.create(model="gpt-5", messages=PROMPT)
    assert answer.choices[0].message.content == "At last."
    assert len(model.requests) == 3


def test_miss_says_what_to_do(client, model):
    model.play({"content": "x"}, trigger="fix the bug")
    with pytest.raises(openai.BadRequestError, match="nearest trigger is .*fix the bug"):
        client.chat.completions.create(model="gpt-5", messages=[{"role": "user", "content": "fix the bag"}])


def test_broken_stream(client, model):
    model.play({"response": {"content": "One two three four."}, "fault": {"reset": True, "at": "middle"}})
    with pytest.raises((openai.APIConnectionError, Exception)) as raised:
        list(client.chat.completions.create(model="gpt-5", messages=PROMPT, stream=True))
    assert "closed" in str(raised.value).lower() or "connection" in str(raised.value).lower()


def test_models(client):
    assert "mock-model" in [each.id for each in client.models.list()]
    assert client.models.retrieve("gpt-5").id == "gpt-5"


def test_embeddings(client):
    one, two, other = (
        client.embeddings.create(model="text-embedding-3-small", input=text).data[0].embedding
        for text in ("a cat", "a cat", "a dog")
    )
    assert one == two != other


def test_responses_text(client, model):
    model.play({"content": "Hello.", "reasoning": "Think."})
    answer = client.responses.create(model="gpt-5", input="go", reasoning={"summary": "auto"})
    assert answer.output_text == "Hello."
    assert answer.status == "completed"


def test_responses_stream(client, model):
    model.play({"content": "One two three."})
    with client.responses.stream(model="gpt-5", input="go") as stream:
        text = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
        assert stream.get_final_response().output_text == text == "One two three."


@pytest.mark.parametrize("stored", [True, False])
def test_responses_tool_loop(client, model, stored):
    model.play(
        {"tool_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]},
        {"content": "Sunny: {{tool_result 1}}"},
    )
    first = client.responses.create(model="gpt-5", input="go", tools=[RESPONSES_TOOL])
    [call] = [item for item in first.output if item.type == "function_call"]
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "20"}
    if stored:
        more = {"previous_response_id": first.id, "input": [result]}
    else:
        echoed = [item.model_dump(exclude_none=True) for item in first.output]
        more = {"input": [{"role": "user", "content": "go"}, *echoed, result]}
    last = client.responses.create(model="gpt-5", tools=[RESPONSES_TOOL], **more)
    assert last.output_text == "Sunny: 20"


def test_responses_parse(client, model):
    model.play({"content": '{"name": "Ada", "age": 36}'})
    answer = client.responses.parse(model="gpt-5", input="go", text_format=Person)
    assert answer.output_parsed == Person(name="Ada", age=36)


@pytest.mark.parametrize("choice", ["required", {"type": "function", "name": "get_weather"}])
def test_responses_forced_tool(client, model, choice):
    model.play({"content": '{"city": "Rome"}'})
    answer = client.responses.create(model="gpt-5", input="go", tools=[RESPONSES_TOOL], tool_choice=choice)
    [call] = [item for item in answer.output if item.type == "function_call"]
    assert (call.name, json.loads(call.arguments)) == ("get_weather", {"city": "Rome"})
