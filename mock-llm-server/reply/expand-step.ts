import type { Conversation, OfferedTool, ReplyToolCall } from '../conversation/conversation.ts';
import { jsonErrorOf } from '../conversation/json.ts';
import { pinnedStart } from '../matching/find-start.ts';
import type { Match } from '../matching/match.ts';
import { resultsByCall } from '../matching/pair-results.ts';
import { userTextsOf } from '../matching/turns.ts';
import type { Intent } from '../scenario/intent-format.ts';
import type { StepToolCall } from '../scenario/prepare.ts';
import {
  escapeForJson,
  fillTemplate,
  fillTemplatesIn,
  TemplateError,
  type TemplateValues,
} from '../scenario/templates.ts';
import { resolveIntent } from './intents/resolve-intent.ts';
import { findWorkingDirectory } from './intents/working-directory.ts';

/** The header that says where a client works, where its texts do not. */
const DIRECTORY_HEADER = 'x-mock-cwd';

/** A tool call of an answer; without an id the server mints one. */
export type ExpandedCall = Omit<ReplyToolCall, 'id'> & { readonly id: string | undefined };

/** What a step says to one request, or why it cannot be said to this one. */
export type ExpandedStep =
  | {
      readonly type: 'expanded';
      readonly reasoning: string | undefined;
      readonly content: string | undefined;
      readonly toolCalls: readonly ExpandedCall[];
    }
  | StepRefusal;

/** `code` is what the client gets; the message says what to change. */
export interface StepRefusal {
  readonly type: 'refusal';
  readonly code: 'intent_not_offered' | 'template_has_no_value';
  readonly message: string;
  /** The part of the request at fault, where it is not the messages. */
  readonly param?: string;
}

/**
 * Puts the request into a step: values in the place of templates, and for each intent the call of a tool that this
 * client offers. Pure; names of `headers` are lower-case.
 */
export function expandStep(
  match: Match,
  conversation: Conversation,
  headers: Readonly<Record<string, string>> = {},
): ExpandedStep {
  const { step } = match;
  const valuesOnce = readOnce(match);
  try {
    const reasoning = step.reasoning === undefined ? undefined : fill(step.reasoning, valuesOnce);
    const content = fillContent(step.content, conversation, valuesOnce);
    const toolCalls: ExpandedCall[] = [];
    for (const call of step.toolCalls) {
      const expanded = expandCall(call, match, conversation, headers, valuesOnce);
      if ('message' in expanded) return expanded;
      toolCalls.push(expanded);
    }
    return { type: 'expanded', reasoning, content, toolCalls };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const message = `${placeOf(match)}: ${error.message}.`;
    return { type: 'refusal', code: 'template_has_no_value', message };
  }
}

/** The content that a step has for one request; as the file has it where the request lacks a value. Pure. */
export function contentFor(match: Match, conversation: Conversation): string | undefined {
  const { content } = match.step;
  try {
    return fillContent(content, conversation, readOnce(match));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return content;
  }
}

function fillContent(
  content: string | undefined,
  { outputSchema, outputIsText }: Conversation,
  values: () => TemplateValues,
): string | undefined {
  if (!content?.includes('{{')) return content;
  if (outputSchema === undefined || outputIsText) return fill(content, values);
  // Inside of quotes values are escaped, elsewhere they are JSON themselves; only one of both makes JSON.
  const escaped = fill(content, values, escapeForJson);
  return jsonErrorOf(escaped) === undefined ? escaped : fill(content, values);
}

function expandCall(
  call: StepToolCall,
  match: Match,
  conversation: Conversation,
  headers: Readonly<Record<string, string>>,
  values: () => TemplateValues,
): ExpandedCall | StepRefusal {
  const { id } = call;
  switch (call.type) {
    case 'text': {
      const form = offeredForm(call.name, conversation.tools);
      const encode = form.input === 'json' ? escapeForJson : undefined;
      return { id, name: call.name, ...form, arguments: fill(call.arguments, values, encode) };
    }
    case 'object': {
      const form = offeredForm(call.name, conversation.tools);
      return { id, name: call.name, ...form, arguments: fillObject(call, values) };
    }
    case 'intent': {
      const intent = fillIntent(call.intent, values);
      const directory = headers[DIRECTORY_HEADER] ?? findWorkingDirectory(conversation) ?? match.scenario.directory;
      const resolved = resolveIntent({ intent, tools: conversation.tools, directory });
      if (resolved.type === 'call') {
        const { type: _type, ...rest } = resolved;
        return { id, ...rest };
      }
      const message = `${placeOf(match)}: ${resolved.message}`;
      return { type: 'refusal', code: 'intent_not_offered', message, param: 'tools' };
    }
    default:
      return call satisfies never;
  }
}

/** Reading the values of a request takes time that most steps need not spend. */
function readOnce(match: Match): () => TemplateValues {
  let values: TemplateValues | undefined;
  return () => {
    values ??= readValues(match);
    return values;
  };
}

function fill(text: string, values: () => TemplateValues, encode?: (value: string) => string): string {
  return text.includes('{{') ? fillTemplate(text, values(), encode) : text;
}

/** Objects without templates were written as text when they were loaded. */
function fillObject(call: Extract<StepToolCall, { readonly type: 'object' }>, values: () => TemplateValues): string {
  if (!call.arguments.includes('{{')) return call.arguments;
  return JSON.stringify(fillTemplatesIn(call.value, values()));
}

function fillIntent(intent: Intent, values: () => TemplateValues): Intent {
  const put = (text: string) => fill(text, values);
  switch (intent.intent) {
    case 'write_file':
      return { ...intent, path: put(intent.path), content: put(intent.content) };
    case 'read_file':
      return { ...intent, path: put(intent.path) };
    case 'edit_file':
      return {
        ...intent,
        path: put(intent.path),
        old_text: put(intent.old_text),
        new_text: put(intent.new_text),
      };
    case 'shell':
      return { ...intent, command: put(intent.command) };
    case 'list_files':
      return {
        ...intent,
        ...(intent.pattern !== undefined && { pattern: put(intent.pattern) }),
        ...(intent.path !== undefined && { path: put(intent.path) }),
      };
    case 'search_files':
      return { ...intent, pattern: put(intent.pattern), ...(intent.path !== undefined && { path: put(intent.path) }) };
    default:
      return intent satisfies never;
  }
}

/** Results count from the text that started the scenario: those of a run that was stopped before are not among them. */
function readValues({ scenario, groups, run }: Match): TemplateValues {
  const since = run.slice(pinnedStart(run, scenario).position + 1);
  return {
    match: groups,
    lastUser: userTextsOf(run).at(-1),
    toolResults: resultsByCall(since).map((part) => (part.type === 'tool_result' ? part.content : part)),
  };
}

function placeOf({ scenario, stepIndex }: Match): string {
  return `Step ${stepIndex} of scenario "${scenario.name}"`;
}

/**
 * How a call of a tool that a step names is written to this client: as text where the client offers a tool of that name
 * that takes text, and with the namespace it offers it in. JSON without one for a tool that is not offered.
 */
export function offeredForm(name: string, tools: readonly OfferedTool[]): Pick<ReplyToolCall, 'input' | 'namespace'> {
  const sameName = tools.filter((tool) => tool.name === name);
  const offered = sameName.find(({ namespace }) => namespace === undefined) ?? sameName[0];
  if (offered === undefined) return { input: 'json' };
  const { input, namespace } = offered;
  return { input, ...(namespace !== undefined && { namespace }) };
}
