import type { ToolChoice } from '../../conversation/conversation.ts';
import { BUILT_IN_TYPES } from './shared.ts';
import type { ChosenTool, ToolChoiceField } from './shared-schema.ts';

/** The rule of a `tool_choice`; undefined for `auto` and for tools that the API runs. */
export function readToolChoice(choice: ToolChoiceField): ToolChoice | undefined {
  if (choice === undefined || choice === null || choice === 'auto') return undefined;
  const text = `tool_choice ${JSON.stringify(choice)}`;
  if (typeof choice === 'string')
    return choice === 'none' || choice === 'required' ? { mode: choice, text } : undefined;
  const { mode, tools } = choice.allowed_tools ?? choice;
  if (tools === undefined) {
    const name = nameOf(choice);
    return name === undefined ? undefined : { mode: 'required', names: [name], text };
  }
  return { mode: mode === 'required' ? mode : 'auto', names: tools.flatMap((tool) => nameOf(tool) ?? []), text };
}

/** The name of a chosen tool. A tool that OpenAI defines is named by its type. */
function nameOf({ type, name, function: json, custom }: ChosenTool): string | undefined {
  return name ?? json?.name ?? custom?.name ?? BUILT_IN_TYPES.find((builtIn) => builtIn === type);
}
