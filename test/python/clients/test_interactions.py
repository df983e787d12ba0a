"""google-genai: Interactions."""

import pytest
from google import genai

MODEL = "gemini-3-pro"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOL = {"type": "function", "name": "get_weather", "description": "Weather.", "parameters": SCHEMA}


@pytest.fixture
def interactions(model):
    with genai.Client(api_key="unused", http_options={"base_url": model.url}) as client:
        yield client.interactions


def text_of(interaction):
    steps = [step for step in interaction.steps if step.type == "model_output"]
    return "".join(content.text for step in steps for content in step.content)


def test_text(interactions, model):
    model.play({"content": "Grüße, 漢字 🙂."})
    answer = interactions.create(model=MODEL, input="go")
    assert (text_of(answer), answer.status) == ("Grüße, 漢字 🙂.", "completed")
    assert answer.usage.total_tokens == answer.usage.total_input_tokens + answer.usage.total_output_tokens


def test_stream(interactions, model):
    model.play({"content": "One two three.", "reasoning": "Think."})
    config = {"thinking_summaries": "auto"}
    events = list(interactions.create(model=MODEL, input="go", stream=True, generation_config=config))
    assert [events[0].event_type, events[-1].event_type] == ["interaction.created", "interaction.completed"]
    deltas = [event.delta for event in events if event.event_type == "step.delta"]
    assert "".join(delta.text for delta in deltas if delta.type == "text") == "One two three."
    assert "".join(delta.content.text for delta in deltas if delta.type == "thought_summary") == "Think."


@pytest.mark.parametrize("stateful", [True, False])
def test_tool_loop(interactions, model, stateful):
    calls = [{"name": "get_weather", "arguments": {"city": city}} for city in ("Rome", "Oslo")]
    model.play({"tool_calls": calls}, {"content": "{{tool_result 1}} and {{tool_result 2}}"})
    first = interactions.create(model=MODEL, input="go", tools=[TOOL])
    used = [step for step in first.steps if step.type == "function_call"]
    assert (first.status, [call.arguments for call in used]) == ("requires_action", [{"city": "Rome"}, {"city": "Oslo"}])
    results = [
        {"type": "function_result", "call_id": call.id, "name": call.name, "result": text}
        for call, text in zip(used, ["sun", [{"type": "text", "text": "rain"}]])
    ]
    if stateful:
        more = {"previous_interaction_id": first.id, "input": results}
    else:
        prompt = {"type": "user_input", "content": [{"type": "text", "text": "go"}]}
        more = {"input": [prompt, *(step.model_dump(exclude_none=True) for step in first.steps), *results]}
    assert text_of(interactions.create(model=MODEL, tools=[TOOL], **more)) == "sun and rain"
    assert model.steps == [0, 1]


@pytest.mark.parametrize("choice", ["any", {"allowed_tools": {"mode": "any", "tools": ["get_weather"]}}])
def test_forced_tool(interactions, model, choice):
    model.play({"content": '{"city": "Rome"}'})
    answer = interactions.create(model=MODEL, input="go", tools=[TOOL], generation_config={"tool_choice": choice})
    assert answer.steps[-1].arguments == {"city": "Rome"}


@pytest.mark.parametrize("status", [400, 403, 404, 429, 503])
def test_error(interactions, model, status):
    model.play({"response": {"content": "x"}, "fault": {"status": status, "message": "On purpose."}})
    with pytest.raises(Exception, match="On purpose.") as caught:
        interactions.create(model=MODEL, input="go")
    error = caught.value
    assert getattr(error, "status_code", getattr(error, "code", None)) == status, repr(error)


def test_schema(interactions):
    answer = interactions.create(
        model=MODEL, input="go", response_format={"type": "text", "mime_type": "application/json", "schema": SCHEMA}
    )
    assert '"city"' in text_of(answer)
