"""Frameworks that build agents on the official clients."""

from typing import Literal

import pytest
from pydantic import BaseModel, Field


class Weather(BaseModel):
    """The weather of a city."""

    city: str
    degrees: int = Field(ge=-90, le=60)
    sky: Literal["clear", "cloudy"]


WEATHER = '{"city": "Rome", "degrees": 20, "sky": "clear"}'
CALL = {"tool_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]}


def pydantic_ai_model(name, url):
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.anthropic import AnthropicProvider
    from pydantic_ai.providers.google import GoogleProvider
    from pydantic_ai.providers.openai import OpenAIProvider

    key = "unused"
    openai = OpenAIProvider(base_url=f"{url}/v1", api_key=key)
    return {
        "chat": lambda: OpenAIChatModel("gpt-5", provider=openai),
        "responses": lambda: OpenAIResponsesModel("gpt-5", provider=openai),
        "anthropic": lambda: AnthropicModel("claude-sonnet-4-5", provider=AnthropicProvider(base_url=url, api_key=key)),
        "google": lambda: GoogleModel("gemini-2.5-flash", provider=GoogleProvider(base_url=url, api_key=key)),
    }[name]()


PROVIDERS = ["chat", "responses", "anthropic", "google"]

#: pydantic-ai 2.68 calls `BetaMessageParam(…)`, which is a union of types in anthropic 2.14 and cannot be called.
NOT_WITH_ANTHROPIC_2 = pytest.mark.xfail(raises=TypeError, strict=True, reason="pydantic-ai does not know anthropic 2.14")


@pytest.mark.parametrize(
    "provider", ["chat", "responses", pytest.param("anthropic", marks=NOT_WITH_ANTHROPIC_2), "google"]
)
class TestPydanticAi:
    def agent(self, model, provider, **more):
        from pydantic_ai import Agent

        agent = Agent(pydantic_ai_model(provider, model.url), **more)

        @agent.tool_plain
        def get_weather(city: str) -> str:
            """Weather of a city."""
            return f"20 in {city}"

        return agent

    def test_tool_loop(self, model, provider):
        model.play(CALL, {"content": "Sunny: {{tool_result 1}}"})
        assert self.agent(model, provider).run_sync("go").output == "Sunny: 20 in Rome"

    def test_output_type(self, model, provider):
        """The default asks for a call of an output tool."""
        model.play(CALL, {"content": WEATHER})
        assert self.agent(model, provider, output_type=Weather).run_sync("go").output.degrees == 20

    @pytest.mark.parametrize("mode", ["NativeOutput", "PromptedOutput"])
    def test_output_modes(self, model, provider, mode):
        import pydantic_ai

        model.play({"content": WEATHER})
        output = getattr(pydantic_ai, mode)(Weather)
        from pydantic_ai import Agent

        agent = Agent(pydantic_ai_model(provider, model.url), output_type=output)
        assert agent.run_sync("go").output.sky == "clear"

    async def test_stream(self, model, provider):
        model.play({"content": "One two three."})
        async with self.agent(model, provider).run_stream("go") as result:
            assert await result.get_output() == "One two three."


def langchain_model(name, url):
    if name == "chat":
        from langchain_openai import ChatOpenAI

        return ChatOpenAI(model="gpt-5", base_url=f"{url}/v1", api_key="unused")
    if name == "responses":
        from langchain_openai import ChatOpenAI

        return ChatOpenAI(model="gpt-5", base_url=f"{url}/v1", api_key="unused", use_responses_api=True)
    if name == "anthropic":
        from langchain_anthropic import ChatAnthropic

        return ChatAnthropic(model="claude-sonnet-4-5", base_url=url, api_key="unused")
    if name == "google":
        from langchain_google_genai import ChatGoogleGenerativeAI

        return ChatGoogleGenerativeAI(model="gemini-2.5-flash", api_key="unused", base_url=url)
    from langchain_ollama import ChatOllama

    return ChatOllama(model="llama3.2", base_url=url)


@pytest.mark.parametrize("provider", [*PROVIDERS, "ollama"])
class TestLangChain:
    def test_text_and_stream(self, model, provider):
        model.play({"content": "One two three."})
        llm = langchain_model(provider, model.url)
        assert llm.invoke("go").text == "One two three."
        assert "".join(chunk.text for chunk in llm.stream("go")) == "One two three."

    def test_agent(self, model, provider):
        from langchain.agents import create_agent

        def get_weather(city: str) -> str:
            """Weather of a city."""
            return f"20 in {city}"

        model.play(CALL, {"content": "Sunny: {{tool_result 1}}"})
        agent = create_agent(langchain_model(provider, model.url), [get_weather])
        result = agent.invoke({"messages": [{"role": "user", "content": "go"}]})
        assert result["messages"][-1].text == "Sunny: 20 in Rome"

    @pytest.mark.parametrize("method", ["function_calling", "json_schema"])
    @pytest.mark.parametrize("prompt", ["go", "which weather"])
    def test_structured_output(self, model, provider, method, prompt):
        """With a scenario and without."""
        if (provider, method) == ("ollama", "function_calling"):
            pytest.xfail("the protocol of Ollama has no tool_choice, so nothing requires a call")
        model.play({"content": WEATHER})
        llm = langchain_model(provider, model.url).with_structured_output(Weather, method=method)
        assert isinstance(llm.invoke(prompt), Weather)

    def test_response_format(self, model, provider):
        from langchain.agents import create_agent
        from langchain.agents.structured_output import ToolStrategy

        if provider == "ollama":
            pytest.xfail("the protocol of Ollama has no tool_choice, so nothing requires a call")
        model.play({"content": WEATHER})
        agent = create_agent(langchain_model(provider, model.url), [], response_format=ToolStrategy(Weather))
        result = agent.invoke({"messages": [{"role": "user", "content": "go"}]}, {"recursion_limit": 6})
        assert result["structured_response"].degrees == 20


def test_langchain_ollama_validates_the_model(model):
    from langchain_ollama import ChatOllama

    model.play({"content": "Hello."}, trigger={"text": "go", "model": "qwen3:8b"})
    llm = ChatOllama(model="qwen3:8b", base_url=model.url, validate_model_on_init=True)
    assert llm.invoke("go").text == "Hello."


@pytest.mark.parametrize("api", ["chat", "responses"])
async def test_openai_agents(model, api):
    import agents
    from openai import AsyncOpenAI

    agents.set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=f"{model.url}/v1", api_key="unused")
    kind = agents.OpenAIChatCompletionsModel if api == "chat" else agents.OpenAIResponsesModel

    @agents.function_tool
    def get_weather(city: str) -> str:
        """Weather of a city."""
        return f"20 in {city}"

    model.play(CALL, {"content": WEATHER})
    agent = agents.Agent(
        name="a", model=kind(model="gpt-5", openai_client=client), tools=[get_weather], output_type=Weather
    )
    result = await agents.Runner.run(agent, "go")
    assert result.final_output.degrees == 20


@pytest.mark.parametrize("prompt", ["go", "which weather"])
@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_instructor(model, provider, prompt):
    import instructor

    model.play({"content": WEATHER})
    messages = [{"role": "user", "content": prompt}]
    if provider == "openai":
        import openai

        client = instructor.from_openai(openai.OpenAI(base_url=f"{model.url}/v1", api_key="unused"))
        answer = client.chat.completions.create(model="gpt-5", messages=messages, response_model=Weather)
    else:
        import anthropic

        client = instructor.from_anthropic(anthropic.Anthropic(base_url=model.url, api_key="unused"))
        answer = client.messages.create(
            model="claude-sonnet-4-5", max_tokens=1000, messages=messages, response_model=Weather
        )
    assert isinstance(answer, Weather)


@pytest.mark.parametrize(
    ("name", "path"),
    [("openai/gpt-5", "/v1"), ("anthropic/claude-sonnet-4-5", ""), ("gemini/gemini-2.5-flash", None), ("ollama_chat/llama3.2", "")],
)
def test_litellm(model, name, path):
    import litellm

    if path is None:
        # LiteLLM appends only the method to the base of Gemini.
        base = f"{model.url}/v1beta/models/gemini-2.5-flash"
    else:
        base = f"{model.url}{path}"
    model.play({"content": "One two three."})
    ask = {"model": name, "messages": [{"role": "user", "content": "go"}], "api_base": base, "api_key": "unused"}
    assert litellm.completion(**ask).choices[0].message.content == "One two three."
    chunks = litellm.completion(**ask, stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "One two three."
