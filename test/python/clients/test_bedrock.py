"""boto3: Converse, ConverseStream, InvokeModel and InvokeModelWithResponseStream; anthropic: AnthropicBedrock."""

import json

import anthropic
import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, EventStreamError

CLAUDE = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
NOVA = "amazon.nova-lite-v1:0"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = {"tools": [{"toolSpec": {"name": "get_weather", "description": "Weather.", "inputSchema": {"json": SCHEMA}}}]}
KEYS = {"aws_access_key_id": "unused", "aws_secret_access_key": "unused", "region_name": "us-east-1"}


def say(text):
    return [{"role": "user", "content": [{"text": text}]}]


@pytest.fixture
def client(model):
    config = Config(retries={"total_max_attempts": 1})
    client = boto3.client("bedrock-runtime", endpoint_url=model.url, config=config, **KEYS)
    yield client
    client.close()


def converse(client, stream, **request):
    """The content, the reason for the end and the usage of an answer."""
    request = {"modelId": CLAUDE, "messages": say("go"), **request}
    if not stream:
        answer = client.converse(**request)
        return answer["output"]["message"]["content"], answer["stopReason"], answer["usage"]
    blocks, stop, usage = {}, None, None
    for event in client.converse_stream(**request)["stream"]:
        if "contentBlockStart" in event:
            start = event["contentBlockStart"]
            blocks[start["contentBlockIndex"]] = {"toolUse": {**start["start"]["toolUse"], "input": ""}}
        elif "contentBlockDelta" in event:
            piece = event["contentBlockDelta"]
            block = blocks.setdefault(piece["contentBlockIndex"], {})
            for kind, value in piece["delta"].items():
                if kind == "text":
                    block["text"] = block.get("text", "") + value
                elif kind == "toolUse":
                    block["toolUse"]["input"] += value["input"]
                else:
                    text = block.setdefault("reasoningContent", {}).setdefault("reasoningText", {})
                    for name, part in value.items():
                        text[name] = text.get(name, "") + part
        elif "messageStop" in event:
            stop = event["messageStop"]["stopReason"]
        elif "metadata" in event:
            usage = event["metadata"]["usage"]
    for block in blocks.values():
        if "toolUse" in block:
            block["toolUse"]["input"] = json.loads(block["toolUse"]["input"])
    return list(blocks.values()), stop, usage


@pytest.mark.parametrize("stream", [True, False])
def test_text(client, model, stream):
    model.play({"content": "Grüße, 漢字 🙂."})
    content, stop, usage = converse(client, stream)
    assert (content, stop) == ([{"text": "Grüße, 漢字 🙂."}], "end_turn")
    assert usage["totalTokens"] == usage["inputTokens"] + usage["outputTokens"]


@pytest.mark.parametrize("stream", [True, False])
def test_tool_loop(client, model, stream):
    calls = [{"name": "get_weather", "arguments": {"city": city}} for city in ("Rome", "Oslo")]
    model.play({"content": "Look.", "tool_calls": calls}, {"content": "{{tool_result 1}} and {{tool_result 2}}"})
    messages = say("go")
    content, stop, _ = converse(client, stream, messages=messages, toolConfig=TOOLS)
    assert (content[0], stop) == ({"text": "Look."}, "tool_use")
    used = [block["toolUse"] for block in content[1:]]
    assert [call["input"] for call in used] == [{"city": "Rome"}, {"city": "Oslo"}]
    results = [
        {"toolResult": {"toolUseId": used[0]["toolUseId"], "content": [{"text": "sun"}]}},
        {"toolResult": {"toolUseId": used[1]["toolUseId"], "content": [{"json": {"sky": "grey"}}], "status": "success"}},
    ]
    messages += [{"role": "assistant", "content": content}, {"role": "user", "content": results}]
    content, stop, _ = converse(client, stream, messages=messages, toolConfig=TOOLS)
    assert (content, stop) == ([{"text": 'sun and {"sky":"grey"}'}], "end_turn")
    assert model.steps == [0, 1]


@pytest.mark.parametrize("stream", [True, False])
def test_reasoning_goes_back(client, model, stream):
    call = {"name": "get_weather", "arguments": {"city": "Rome"}}
    model.play({"reasoning": "Think.", "tool_calls": [call]}, {"content": "Done."})
    more = {"toolConfig": TOOLS, "additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 1024}}}
    messages = say("go")
    content, _, _ = converse(client, stream, messages=messages, **more)
    reasoning = content[0]["reasoningContent"]["reasoningText"]
    assert reasoning["text"] == "Think." and reasoning["signature"]
    result = {"toolResult": {"toolUseId": content[1]["toolUse"]["toolUseId"], "content": [{"text": "sun"}]}}
    messages += [{"role": "assistant", "content": content}, {"role": "user", "content": [result]}]
    assert converse(client, stream, messages=messages, **more)[0] == [{"text": "Done."}]


@pytest.mark.parametrize("choice", [{"any": {}}, {"tool": {"name": "get_weather"}}])
def test_forced_tool(client, model, choice):
    model.play({"content": '{"city": "Rome"}'})
    content, stop, _ = converse(client, False, toolConfig={**TOOLS, "toolChoice": choice})
    assert (content[0]["toolUse"]["input"], stop) == ({"city": "Rome"}, "tool_use")


def test_schema(client):
    schema = {"name": "place", "schema": json.dumps({**SCHEMA, "additionalProperties": False})}
    output = {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": schema}}}
    content, _, _ = converse(client, False, outputConfig=output)
    assert list(json.loads(content[0]["text"])) == ["city"]


def test_limit(client, model):
    model.play({"content": "One two three four five six seven."})
    content, stop, _ = converse(client, True, inferenceConfig={"maxTokens": 3})
    assert (content, stop) == ([{"text": "One two thre"}], "max_tokens")


@pytest.mark.parametrize(
    "status, code", [(400, "ValidationException"), (403, "AccessDeniedException"), (429, "ThrottlingException"), (503, "ServiceUnavailableException")]
)
def test_error(client, model, status, code):
    model.play({"response": {"content": "x"}, "fault": {"status": status, "message": "On purpose."}})
    with pytest.raises(ClientError) as caught:
        converse(client, True)
    error = caught.value.response
    assert (error["Error"], error["ResponseMetadata"]["HTTPStatusCode"]) == (
        {"Message": "On purpose.", "Code": code},
        status,
    )


def test_error_within_a_stream(client, model):
    model.play({"response": {"content": "One two three."}, "fault": {"status": 429, "at": "middle"}})
    with pytest.raises(EventStreamError, match="throttlingException.*Too many requests"):
        converse(client, True)


def test_retry(model):
    model.play({"response": {"content": "Now."}, "fault": {"status": 503, "times": 1}})
    config = Config(retries={"total_max_attempts": 2, "mode": "standard"})
    client = boto3.client("bedrock-runtime", endpoint_url=model.url, config=config, **KEYS)
    assert converse(client, False)[0] == [{"text": "Now."}]


def test_missing_result(client, model):
    call = {"toolUse": {"toolUseId": "tooluse_1", "name": "get_weather", "input": {"city": "Rome"}}}
    messages = [*say("go"), {"role": "assistant", "content": [call]}, *say("and?")]
    with pytest.raises(ClientError, match="Expected toolResult blocks at messages.2.content for the following Ids: tooluse_1"):
        converse(client, False, messages=messages, toolConfig=TOOLS)


def test_count_tokens(client):
    answer = client.count_tokens(modelId=CLAUDE, input={"converse": {"messages": say("go")}})
    assert answer["inputTokens"] > 0


def test_invoke_claude(client, model):
    model.play({"content": "Hello."})
    body = {"anthropic_version": "bedrock-2023-05-31", "max_tokens": 100, "messages": [{"role": "user", "content": "go"}]}
    answer = client.invoke_model(modelId=CLAUDE, body=json.dumps(body))
    assert json.loads(answer["body"].read())["content"][0]["text"] == "Hello."
    stream = client.invoke_model_with_response_stream(modelId=CLAUDE, body=json.dumps(body))["body"]
    events = [json.loads(event["chunk"]["bytes"]) for event in stream]
    assert [events[0]["type"], events[-1]["type"]] == ["message_start", "message_stop"]
    assert events[-1]["amazon-bedrock-invocationMetrics"]["outputTokenCount"] > 0


def test_invoke_nova(client, model):
    model.play({"content": "Hello."})
    body = {"messages": say("go"), "inferenceConfig": {"max_new_tokens": 100}}
    answer = json.loads(client.invoke_model(modelId=NOVA, body=json.dumps(body))["body"].read())
    assert answer["output"]["message"]["content"] == [{"text": "Hello."}]


@pytest.fixture
def claude(model):
    keys = {"aws_access_key": "unused", "aws_secret_key": "unused", "aws_region": "us-east-1"}
    with anthropic.AnthropicBedrock(base_url=model.url, max_retries=0, **keys) as client:
        yield client


ASK = {"model": CLAUDE, "max_tokens": 1000, "messages": [{"role": "user", "content": "go"}]}


def test_anthropic(claude, model):
    model.play({"content": "Hello."})
    assert claude.messages.create(**ASK).content[0].text == "Hello."
    with claude.messages.stream(**ASK) as stream:
        assert "".join(stream.text_stream) == "Hello."
        assert stream.get_final_message().stop_reason == "end_turn"


def test_anthropic_error(claude, model):
    model.play({"response": {"content": "x"}, "fault": {"status": 429}})
    with pytest.raises(anthropic.RateLimitError, match="Too many requests"):
        claude.messages.create(**ASK)
