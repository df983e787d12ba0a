import { estimateTokens } from '../../text/tokens.ts';

/** The names of the parts of the system prompt, in order. */
export type PartName =
  | 'rules'
  | 'environment'
  | 'instructions'
  | 'project_type'
  | 'file_tree'
  | 'git'
  | 'skills'
  | 'append'
  /** The instructions of the agent that the user has chosen. */
  | 'agent'
  /** Protocol of the tool calls, where that is not part of the API. */
  | 'tool_protocol'
  /** The whole prompt, which a program gave. */
  | 'system';

/** One part of the system prompt. The text ends with a line feed. */
export interface PromptPart {
  readonly name: PartName;
  readonly text: string;
}

/** The system prompt: its parts, with an empty line between them. */
export function systemText(parts: readonly PromptPart[]): string {
  return parts.map(({ text }) => text).join('\n');
}

/** A part, unless its text is empty. */
export function partOf(name: PartName, text: string): readonly PromptPart[] {
  return text.trim() === '' ? [] : [{ name, text: text.replace(/\n*$/, '\n') }];
}

/** Estimated tokens, rounded up. */
export function tokensOf(text: string): number {
  return Math.ceil(estimateTokens(text));
}
