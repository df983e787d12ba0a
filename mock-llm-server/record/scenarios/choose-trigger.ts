import type { Conversation } from '../../conversation/conversation.ts';
import { REDACTED } from '../../journal/redact.ts';
import type { ConditionSpecification, TriggerSpecification } from '../../scenario/format/trigger-format.ts';
import { startOfText } from '../../text.ts';
import type { Exchange } from '../exchange.ts';
import type { Run } from './group-runs.ts';

/** Maximum length of the text of a trigger: about what a person would quote of a prompt. */
const MAX_TRIGGER = 80;

/** A tool result without a word. */
const WORDLESS = { regex: '^[^\\p{L}\\p{N}]*$', flags: 'u' } as const;

/** The parts of a trigger. All of them must hold. */
export interface TriggerParts {
  /** A text of the user must contain it; undefined for prompts without words. */
  text: string | undefined;
  /** The text must be this one, not only contain it. */
  exact: boolean;
  /** Conditions that distinguish a run from others with the same text. */
  conditions: Record<string, ConditionSpecification>;
  /** A part of the tool result that a run starts at, or an expression for one without words, such as a picture. */
  toolResult: string | typeof WORDLESS | undefined;
  /** A header with its value. */
  testId: string | undefined;
}

/** The shortest trigger of a run, which other runs may share. */
export function firstTrigger({ texts, start, first }: Run): TriggerParts {
  const text = promptOf(texts);
  // OpenAI accepts texts of the assistant after the results, as crewAI sends them.
  const last = start.findLast(({ type }) => type !== 'assistant');
  const result = last?.type === 'tool_results' ? (quotable(last.results.at(-1)?.content ?? '') ?? WORDLESS) : undefined;
  return {
    text,
    exact: false,
    conditions: text === undefined ? { model: first.conversation.model } : {},
    toolResult: result,
    testId: undefined,
  };
}

/** The trigger in the form of a file. */
export function writeTrigger(parts: TriggerParts, texts: readonly string[]): TriggerSpecification {
  const { text, exact, conditions, toolResult, testId } = parts;
  const whole = exact ? texts.findLast((each) => text !== undefined && each.includes(text)) : undefined;
  const wanted = whole === undefined ? { ...(text !== undefined && { text }) } : exactly(whole);
  const more = {
    ...conditions,
    ...(testId !== undefined && { header: { 'x-test-id': testId } }),
    ...(toolResult !== undefined && { tool_result: toolResult }),
  };
  return text !== undefined && whole === undefined && Object.keys(more).length === 0 ? text : { ...wanted, ...more };
}

/** An expression that matches a text as a whole. A redacted part matches anything: a client sends the secret itself. */
function exactly(text: string): { readonly regex: string; readonly flags: string } {
  const parts = text.split(REDACTED).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return { regex: `^${parts.join('[^]+')}$`, flags: '' };
}

/** The part of the user's texts that a person would call the prompt: the first line of the last one without markup. */
function promptOf(texts: readonly string[]): string | undefined {
  const plain = texts.map((text) => text.replaceAll(/<([a-z][\w-]*)\b[^<>]*>[\s\S]*?<\/\1>/gi, '\n'));
  return [...plain.toReversed(), ...texts.toReversed()].map(quotable).find((line) => line !== undefined);
}

/** The first line with words, cut after a word; its longest part without a redacted secret. */
function quotable(text: string): string | undefined {
  for (const line of text.split('\n')) {
    const [part = ''] = line
      .split(REDACTED)
      .map((each) => each.trim())
      .sort((one, other) => other.length - one.length);
    if (!/[\p{L}\p{N}]/u.test(part)) continue;
    const start = startOfText(part, MAX_TRIGGER);
    return start === part ? part : start.replace(/\s+\S*$/, '').trimEnd();
  }
  return undefined;
}

/** A difference of two requests: the conditions that hold for only one of them. */
export interface Difference {
  readonly one: Record<string, ConditionSpecification>;
  readonly other: Record<string, ConditionSpecification>;
}

/** The first difference of two requests that conditions can express; undefined if there is none. */
export function findDifference(one: Exchange, other: Exchange): Difference | undefined {
  const [left, right] = [one.conversation, other.conversation];
  if (left.protocol !== right.protocol)
    return { one: { protocol: left.protocol }, other: { protocol: right.protocol } };
  if (formatOf(left) !== formatOf(right)) {
    return { one: { response_format: formatOf(left) }, other: { response_format: formatOf(right) } };
  }
  const [ownModel, otherModel] = [left.model.toLowerCase(), right.model.toLowerCase()];
  if (!ownModel.includes(otherModel) && !otherModel.includes(ownModel)) {
    return { one: { model: left.model }, other: { model: right.model } };
  }
  const tool = toolOnlyIn(left, right);
  const otherTool = toolOnlyIn(right, left);
  if (tool !== undefined || otherTool !== undefined) return { one: { ...tool }, other: { ...otherTool } };
  const system = systemOnlyIn(left, right);
  const otherSystem = systemOnlyIn(right, left);
  return system !== undefined || otherSystem !== undefined
    ? { one: { ...system }, other: { ...otherSystem } }
    : undefined;
}

function formatOf({ outputSchema, outputIsText }: Conversation): string {
  if (outputSchema === undefined) return 'text';
  return outputIsText ? 'enum' : 'json';
}

function toolOnlyIn({ tools }: Conversation, other: Conversation): { readonly tool: string } | undefined {
  const others = other.tools.map(({ name }) => name.toLowerCase());
  const own = tools.find(({ name }) => !others.some((each) => each.includes(name.toLowerCase())));
  return own && { tool: own.name };
}

function systemOnlyIn({ system }: Conversation, other: Conversation): { readonly system: string } | undefined {
  const others = other.system.join('\n').toLowerCase();
  for (const line of system.flatMap((text) => text.split('\n'))) {
    const part = quotable(line);
    if (part !== undefined && !others.includes(part.toLowerCase())) return { system: part };
  }
  return undefined;
}
