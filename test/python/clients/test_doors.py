"""Every door with its official client: text, stream, tool call, error, and a stream that the client leaves."""

import json
from contextlib import closing

import anthropic
import boto3
import ollama
import openai
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError
from google import genai
from google.oauth2.credentials import Credentials

PROMPT = [{"role": "user", "content": "go"}]
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
CLAUDE = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"


class Chat:
    """openai: Chat Completions."""

    error = openai.APIError

    def __init__(self, url):
        tool = {"type": "function", "function": {"name": "get_weather", "parameters": SCHEMA}}
        self.completions = openai.OpenAI(base_url=f"{url}/v1", api_key="unused", max_retries=0).chat.completions
        self.ask = {"model": "gpt-5", "messages": PROMPT, "tools": [tool]}

    def message(self):
        return self.completions.create(**self.ask).choices[0].message

    def text(self):
        return self.message().content

    def stream(self):
        with self.completions.create(**self.ask, stream=True) as chunks:
            for chunk in chunks:
                if chunk.choices and chunk.choices[0].delta.content:
                    yield chunk.choices[0].delta.content

    def call(self):
        [call] = self.message().tool_calls
        return call.function.name, json.loads(call.function.arguments)


class Responses:
    """openai: Responses."""

    error = openai.APIError

    def __init__(self, url):
        self.client = openai.OpenAI(base_url=f"{url}/v1", api_key="unused", max_retries=0)
        tool = {"type": "function", "name": "get_weather", "parameters": SCHEMA, "strict": False}
        self.ask = {"model": "gpt-5", "input": "go", "tools": [tool]}

    def events(self):
        with self.client.responses.create(**self.ask, stream=True) as events:
            yield from events
    def text(self):
        return list(self.events())[-1].response.output_text

    def stream(self):
        for event in self.events():
            if event.type == "response.output_text.delta":
                yield event.delta

    def call(self):
        [call] = [item for item in list(self.events())[-1].response.output if item.type == "function_call"]
        return call.name, json.loads(call.arguments)


class Socket(Responses):
    """openai: Responses over a WebSocket."""

    def events(self):
        with self.client.responses.connect() as connection:
            connection.response.create(**self.ask)
            for event in connection:
                if event.type == "error":
                    raise openai.APIError(str(event), None, body=None)
                yield event
                if event.type == "response.completed":
                    return


class Gemini:
    """google-genai: Gemini."""

    error = genai.errors.APIError
    where = {"api_key": "unused"}

    def __init__(self, url):
        self.client = genai.Client(http_options={"base_url": url}, **self.where)
        self.models = self.client.models
        tools = [{"function_declarations": [{"name": "get_weather", "parameters_json_schema": SCHEMA}]}]
        self.ask = {"model": "gemini-2.5-flash", "contents": "go", "config": {"tools": tools}}

    def text(self):
        return self.models.generate_content(**self.ask).text

    def stream(self):
        for chunk in self.models.generate_content_stream(**self.ask):
            if chunk.text:
                yield chunk.text

    def call(self):
        [call] = self.models.generate_content(**self.ask).function_calls
        return call.name, call.args


class Vertex(Gemini):
    """google-genai: the paths of Vertex AI."""

    where = {"vertexai": True, "project": "p", "location": "us-central1", "credentials": Credentials("unused")}


class Interactions:
    """google-genai: Interactions."""

    error = Exception

    def __init__(self, url):
        self.client = genai.Client(api_key="unused", http_options={"base_url": url})
        self.interactions = self.client.interactions
        tool = {"type": "function", "name": "get_weather", "parameters": SCHEMA}
        self.ask = {"model": "gemini-3-pro", "input": "go", "tools": [tool]}

    def text(self):
        steps = self.interactions.create(**self.ask).steps
        return "".join(part.text for step in steps if step.type == "model_output" for part in step.content)

    def stream(self):
        for event in self.interactions.create(**self.ask, stream=True):
            if event.event_type == "step.delta" and event.delta.type == "text":
                yield event.delta.text

    def call(self):
        [call] = [step for step in self.interactions.create(**self.ask).steps if step.type == "function_call"]
        return call.name, call.arguments


class Anthropic:
    """anthropic: Messages."""

    error = anthropic.APIStatusError

    def __init__(self, client, model):
        self.messages = client.messages
        tool = {"name": "get_weather", "input_schema": SCHEMA}
        self.ask = {"model": model, "max_tokens": 1000, "messages": PROMPT, "tools": [tool]}

    def text(self):
        return self.messages.create(**self.ask).content[0].text

    def stream(self):
        with self.messages.stream(**self.ask) as stream:
            yield from stream.text_stream

    def call(self):
        [call] = self.messages.create(**self.ask).content
        return call.name, call.input


class Bedrock:
    """boto3: Converse and ConverseStream."""

    error = ClientError

    def __init__(self, url):
        keys = {"aws_access_key_id": "unused", "aws_secret_access_key": "unused", "region_name": "us-east-1"}
        config = Config(retries={"total_max_attempts": 1})
        self.client = boto3.client("bedrock-runtime", endpoint_url=url, config=config, **keys)
        tools = {"tools": [{"toolSpec": {"name": "get_weather", "inputSchema": {"json": SCHEMA}}}]}
        messages = [{"role": "user", "content": [{"text": "go"}]}]
        self.ask = {"modelId": CLAUDE, "messages": messages, "toolConfig": tools}

    def content(self):
        return self.client.converse(**self.ask)["output"]["message"]["content"]

    def text(self):
        return self.content()[0]["text"]

    def stream(self):
        with closing(self.client.converse_stream(**self.ask)["stream"]) as events:
            for event in events:
                text = event.get("contentBlockDelta", {}).get("delta", {}).get("text")
                if text:
                    yield text

    def call(self):
        [block] = self.content()
        return block["toolUse"]["name"], block["toolUse"]["input"]


class Invoke(Bedrock):
    """boto3: InvokeModel and InvokeModelWithResponseStream."""

    def __init__(self, url):
        super().__init__(url)
        tool = {"name": "get_weather", "input_schema": SCHEMA}
        body = {"anthropic_version": "bedrock-2023-05-31", "max_tokens": 1000, "messages": PROMPT, "tools": [tool]}
        self.ask = {"modelId": CLAUDE, "body": json.dumps(body)}

    def content(self):
        return json.loads(self.client.invoke_model(**self.ask)["body"].read())["content"]

    def stream(self):
        with closing(self.client.invoke_model_with_response_stream(**self.ask)["body"]) as events:
            for event in events:
                text = json.loads(event["chunk"]["bytes"]).get("delta", {}).get("text")
                if text:
                    yield text

    def call(self):
        [block] = self.content()
        return block["name"], block["input"]


class Ollama:
    """ollama."""

    error = ollama.ResponseError

    def __init__(self, url):
        tool = {"type": "function", "function": {"name": "get_weather", "parameters": SCHEMA}}
        self.client = ollama.Client(host=url)
        self.ask = {"model": "llama3.2", "messages": PROMPT, "tools": [tool]}

    def text(self):
        return self.client.chat(**self.ask).message.content

    def stream(self):
        for piece in self.client.chat(**self.ask, stream=True):
            if piece.message.content:
                yield piece.message.content

    def call(self):
        [call] = self.client.chat(**self.ask).message.tool_calls
        return call.function.name, call.function.arguments


def messages(url):
    return Anthropic(anthropic.Anthropic(base_url=url, api_key="unused", max_retries=0), "claude-sonnet-4-5")


def anthropic_vertex(url):
    where = {"project_id": "p", "region": "us-east5", "access_token": "unused"}
    return Anthropic(anthropic.AnthropicVertex(base_url=f"{url}/v1", max_retries=0, **where), "claude-sonnet-4-5")


def anthropic_bedrock(url):
    keys = {"aws_access_key": "unused", "aws_secret_key": "unused", "aws_region": "us-east-1"}
    return Anthropic(anthropic.AnthropicBedrock(base_url=url, max_retries=0, **keys), CLAUDE)


DOORS = [Chat, Responses, Socket, messages, anthropic_vertex, anthropic_bedrock, Bedrock, Invoke]
DOORS += [Gemini, Vertex, Interactions, Ollama]


@pytest.fixture(params=DOORS, ids=lambda door: door.__name__.lower())
def door(request, model):
    return request.param(model.url)


def test_text(door, model):
    model.play({"content": "Grüße, 漢字 🙂."})
    assert door.text() == "Grüße, 漢字 🙂."


def test_stream(door, model):
    model.play({"content": "One two three."})
    pieces = list(door.stream())
    assert ("".join(pieces), len(pieces) > 1) == ("One two three.", True)


def test_tool_call(door, model):
    model.play({"tool_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]})
    assert door.call() == ("get_weather", {"city": "Rome"})


@pytest.mark.parametrize("status", [400, 429, 500])
def test_error(door, model, status):
    model.play({"response": {"content": "x"}, "fault": {"status": status}})
    with pytest.raises(door.error):
        door.text()
    assert set(model.steps) == {0}, "the client got no error of the scenario"


def test_leaving_a_stream(door, model):
    """The server sends half of the answer and then nothing. A client that leaves can ask again."""
    answer = {"content": "One two three four five six."}
    model.play({"response": answer, "fault": {"stall": "forever"}})
    pieces = door.stream()
    assert next(pieces).startswith("One")
    pieces.close()
    model.play(answer)
    assert "".join(door.stream()) == answer["content"]


@pytest.mark.parametrize(
    ("name", "contents"),
    [
        ("text-embedding-005", ["a", "b"]),
        ("gemini-embedding-2", [{"parts": [{"text": "a"}]}]),
        ("gemini-embedding-2", [{"parts": [{"text": "a"}]}, {"parts": [{"text": "b"}]}]),
    ],
)
def test_embeddings_at_vertex(model, name, contents):
    """`:predict`, `:embedContent` and `:batchEmbedContents`."""
    door = Vertex(model.url)
    answer = door.models.embed_content(model=name, contents=contents, config={"output_dimensionality": 16})
    assert [len(each.values) for each in answer.embeddings] == [16] * len(contents)
