import { UsageError } from '../../agent/errors.ts';
import { namedAgent } from '../../tools/triggers/parse-triggers.ts';
import { readTypedPrompt, type TypedPrompt } from '../../tools/triggers/typed-prompt.ts';
import type { Agent } from '../agent.ts';
import { chooseAgent } from './agent-command.ts';
import type { CommandContext } from './chat-command.ts';
import { type ChatInput, unknownCommand } from './commands.ts';

/** A message of the chat that becomes a prompt. */
export type PromptInput = Extract<ChatInput, { type: 'prompt' | 'other_command' }>;

/**
 * The prompt of a message that a person has typed: reads the files that it names, chooses the agent that it names, and
 * expands a command in a Markdown file, whose own text has no triggers. The text of the prompt is empty if the message only
 * chooses an agent. Throws `UsageError` if something of it cannot be used; then nothing has changed.
 */
export async function readTypedMessage(
  input: PromptInput,
  agent: Agent,
  context: CommandContext,
): Promise<TypedPrompt> {
  const { signal } = context;
  if (input.type === 'other_command') return readMarkdownCommand(input, agent, signal);
  const { agent: name, text } = namedAgent(input.text);
  const { prompt, notes } = await readTypedPrompt(text, agent, signal);
  // Last, because a message that is refused must change nothing.
  const chosen = name === undefined ? [] : [await chooseAgent(agent, name, context)];
  return { prompt, notes: [...chosen, ...notes] };
}

async function readMarkdownCommand(
  { name, argument }: Extract<PromptInput, { type: 'other_command' }>,
  agent: Agent,
  signal: AbortSignal,
): Promise<TypedPrompt> {
  const { commands, unusedCommands } = await agent.extensions();
  const command = commands.find((each) => each.name === name);
  if (command === undefined) {
    const reason = unusedCommands.get(name);
    throw new UsageError(reason === undefined ? unknownCommand(name, commands) : `/${name} is not used. ${reason}`);
  }
  const { expandCommand } = await import('../extensions/command-file.ts');
  const { prompt, notes } = await readTypedPrompt(argument, agent, signal);
  const text = (await command.expand?.(argument, signal)) ?? expandCommand(command, argument);
  return { prompt: { ...prompt, text }, notes };
}
