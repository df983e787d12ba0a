import type { OfferedTool } from '../../conversation/conversation.ts';
import { isFillable, readProperties } from './offered-properties.ts';

/** Names in lower case and without separators: `FinalAnswer` is `finalanswer`. Each comment names who has the tool. */
const FINISH_TOOLS: ReadonlySet<string> = new Set([
  'finalanswer', // smolagents
  'finalresult', // pydantic-ai
  'finish', // OpenHands, dspy
  'complete', // gptme
  'submit', // SWE-agent
  'done', // browser-use
  'attemptcompletion', // Cline and Roo
  'taskcomplete', // Copilot CLI
  'taskdone', // trae-agent
]);

/** A tool that ends the work of an agent, and its argument for the answer; some have none. */
export interface FinishTool {
  readonly tool: OfferedTool;
  readonly key: string | undefined;
}

/** The tool that ends the work of the agent that offers `tools`. Pure. */
export function finishTool(tools: readonly OfferedTool[]): FinishTool | undefined {
  for (const tool of tools) {
    if (tool.input !== 'json' || !FINISH_TOOLS.has(tool.name.toLowerCase().replace(/[^a-z]/g, ''))) continue;
    const properties = readProperties(tool) ?? [];
    const answer =
      properties.find(({ isText, isRequired }) => isText && isRequired) ?? properties.find(({ isText }) => isText);
    if (properties.every((property) => property === answer || isFillable(property))) return { tool, key: answer?.key };
  }
  return undefined;
}

/** The arguments of a call of such a tool. */
export function finishArguments({ key }: FinishTool, text: string): string {
  return JSON.stringify(key === undefined ? {} : { [key]: text });
}
