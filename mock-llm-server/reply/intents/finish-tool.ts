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
  'completetask', // subagents of Gemini CLI
  'taskdone', // trae-agent
]);

/** Names of an argument for an answer, by which a tool ends the work whatever its own name is. */
const ANSWER_KEYS = /^(?:final_?)?(?:answer|result|response|output|summary|report|message|text|content)$/i;

/** A tool that ends the work of an agent, and its argument for the answer; some have none. */
export interface FinishTool {
  readonly tool: OfferedTool;
  readonly key: string | undefined;
}

/**
 * The tool that ends the work of the agent that offers `tools`. If `isForced`, the request requires a call of the only
 * one, which needs no known name then. Pure.
 */
export function finishTool(tools: readonly OfferedTool[], isForced = false): FinishTool | undefined {
  for (const tool of tools) {
    if (tool.input !== 'json') continue;
    const properties = readProperties(tool) ?? [];
    const answer =
      properties.find(({ isText, isRequired }) => isText && isRequired) ?? properties.find(({ isText }) => isText);
    const isKnown = FINISH_TOOLS.has(tool.name.toLowerCase().replace(/[^a-z]/g, ''));
    if (!isKnown && !(isForced && answer !== undefined && ANSWER_KEYS.test(answer.key))) continue;
    if (properties.every((property) => property === answer || isFillable(property))) return { tool, key: answer?.key };
  }
  return undefined;
}

/** The arguments of a call of such a tool. */
export function finishArguments({ key }: FinishTool, text: string): string {
  return JSON.stringify(key === undefined ? {} : { [key]: text });
}
