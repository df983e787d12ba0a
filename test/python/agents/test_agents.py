"""Agents that send results as texts, or end in their own way."""

import asyncio

import pytest


def test_smolagents_code(model, monkeypatch):
    from smolagents import CodeAgent, OpenAIServerModel

    llm = OpenAIServerModel(model_id="gpt-4o", api_base=f"{model.url}/v1", api_key="unused")
    model.play(
        {"response": {"content": "Thought: add.\n<code>\nprint(1 + 2)\n</code>"}, "results": 1},
        {"content": 'Thought: done.\n<code>\nfinal_answer("three")\n</code>'},
    )
    agent = CodeAgent(tools=[], model=llm, max_steps=4, verbosity_level=0)
    assert agent.run("go") == "three"
    assert model.steps == [0, 1]


def test_smolagents_tools(model):
    """It requires a call in each turn; the last text becomes its final answer."""
    from smolagents import OpenAIServerModel, ToolCallingAgent, tool

    @tool
    def get_weather(city: str) -> str:
        """Weather of a city.

        Args:
            city: The city.
        """
        return f"20 in {city}"

    llm = OpenAIServerModel(model_id="gpt-4o", api_base=f"{model.url}/v1", api_key="unused")
    calls = [{"name": "get_weather", "arguments": {"city": city}} for city in ("Rome", "Oslo")]
    model.play({"tool_calls": calls}, {"content": "Sunny."})
    agent = ToolCallingAgent(tools=[get_weather], model=llm, max_steps=4, verbosity_level=0)
    assert agent.run("go") == "Sunny."
    assert model.steps == [0, 1]


@pytest.mark.parametrize("text", [False, True])
def test_mini_swe_agent(model, tmp_path, text):
    import yaml
    from minisweagent.agents.default import DefaultAgent
    from minisweagent.config import builtin_config_dir
    from minisweagent.environments.local import LocalEnvironment

    name = "mini_textbased.yaml" if text else "mini.yaml"
    config = yaml.safe_load((builtin_config_dir / name).read_text())
    if text:
        from minisweagent.models.litellm_textbased_model import LitellmTextbasedModel as Model
    else:
        from minisweagent.models.litellm_model import LitellmModel as Model
    settings = {
        **config["model"],
        "model_name": "openai/gpt-4o",
        "cost_tracking": "ignore_errors",
        "model_kwargs": {"api_base": f"{model.url}/v1", "api_key": "unused"},
    }
    commands = ["echo hi > hello.txt", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"]
    if text:
        steps = [
            {"response": {"content": f"THOUGHT: go.\n\n```mswea_bash_command\n{command}\n```"}, "results": 1}
            for command in commands
        ]
    else:
        steps = [{"tool_calls": [{"name": "bash", "arguments": {"command": command}}]} for command in commands]
    model.play(*steps, trigger="write the greeting")
    agent_settings = {
        key: value for key, value in config["agent"].items() if key in ("system_template", "instance_template")
    }
    agent = DefaultAgent(Model(**settings), LocalEnvironment(cwd=str(tmp_path)), **agent_settings)
    agent.run("write the greeting")
    assert (tmp_path / "hello.txt").read_text() == "hi\n"
    assert model.steps == [0, 1]


def test_dspy_react(model):
    import dspy

    def get_weather(city: str) -> str:
        """Weather of a city."""
        return f"20 in {city}"

    lm = dspy.LM("openai/gpt-4o", api_base=f"{model.url}/v1", api_key="unused", cache=False)

    def turn(tool, args):
        return (
            f"[[ ## next_thought ## ]]\nlook\n\n[[ ## next_tool_name ## ]]\n{tool}\n\n"
            f"[[ ## next_tool_args ## ]]\n{args}\n\n[[ ## completed ## ]]"
        )

    model.play(
        {"response": {"content": turn("get_weather", '{"city": "Rome"}')}, "results": 1},
        {"response": {"content": turn("finish", "{}")}, "results": 1},
        {"content": "[[ ## reasoning ## ]]\nseen\n\n[[ ## answer ## ]]\nSunny.\n\n[[ ## completed ## ]]"},
        trigger="which weather",
    )
    with dspy.context(lm=lm):
        assert dspy.ReAct("question -> answer", tools=[get_weather])(question="Which weather?").answer == "Sunny."
    assert model.steps == [0, 1, 2]


def test_llama_index_react(model):
    from llama_index.core.agent.workflow import ReActAgent
    from llama_index.llms.openai_like import OpenAILike

    def get_weather(city: str) -> str:
        """Weather of a city."""
        return f"20 in {city}"

    llm = OpenAILike(model="gpt-4o", api_base=f"{model.url}/v1", api_key="unused", is_chat_model=True)
    model.play(
        {
            "response": {"content": 'Thought: I look.\nAction: get_weather\nAction Input: {"city": "Rome"}'},
            "results": 1,
        },
        {"content": "Thought: I can answer without using any more tools.\nAnswer: Sunny."},
    )
    async def run():
        return await ReActAgent(tools=[get_weather], llm=llm).run("go")

    result = asyncio.run(run())
    assert str(result) == "Sunny."
    assert model.steps == [0, 1]
