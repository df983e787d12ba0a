import type { Conversation, JsonObject, OfferedTool, ReplyBlock, ReplyToolCall } from '../conversation/conversation.ts';
import { isJsonObject, jsonErrorOf } from '../conversation/json.ts';
import { findServedTool } from '../conversation/served-name.ts';
import { pinnedStart } from '../matching/find-start.ts';
import type { Match } from '../matching/match.ts';
import { resultsByCall } from '../matching/pair-results.ts';
import { userTextsOf } from '../matching/turns.ts';
import type { Intent } from '../scenario/format/intent-format.ts';
import type { StepToolCall } from '../scenario/prepare.ts';
import {
  fillJsonTemplate,
  fillTemplate,
  fillTemplatesIn,
  hasTemplate,
  TemplateError,
  type TemplateValues,
} from '../scenario/templates.ts';
import { explainNotOffered, resolveIntent } from './intents/resolve-intent.ts';
import { findWorkingDirectory } from './intents/working-directory.ts';

/** Header with the client's working directory; it takes precedence over what the request's texts say. */
const DIRECTORY_HEADER = 'x-mock-cwd';

/** A step that cannot answer a request. `code` goes to the client; the message says what to change. */
export interface StepRefusal {
  readonly type: 'refusal';
  readonly code: 'intent_not_offered' | 'template_has_no_value';
  readonly message: string;
  /** The field of the request at fault, if it is not `messages`. */
  readonly param?: string;
}

/** The answer of a step for one request. */
export interface ExpandedStep {
  readonly type: 'expanded';
  readonly reasoning: string | undefined;
  readonly content: string | undefined;
  readonly toolCalls: readonly ReplyToolCall[];
  readonly blocks?: readonly ReplyBlock[] | undefined;
}

/** Fills the templates of a step for one request and resolves its intents. Pure; names of `headers` are lower-case. */
export function expandStep(
  match: Match,
  conversation: Conversation,
  headers: Readonly<Record<string, string>> = {},
): ExpandedStep | StepRefusal {
  const { step } = match;
  const values = new RequestValues(match);
  try {
    const reasoning = step.reasoning === undefined ? undefined : fillTemplate(step.reasoning, values);
    const content = fillContent(step.content, conversation, values);
    const toolCalls: ReplyToolCall[] = [];
    for (const call of step.toolCalls) {
      const expanded = expandCall(call, match, conversation, headers, values);
      if ('message' in expanded) return expanded;
      toolCalls.push(expanded);
    }
    const blocks = step.blocks?.map((block) => fillBlock(block, conversation, values));
    return { type: 'expanded', reasoning, content, toolCalls, blocks } as const;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const message = `${labelOf(match)}: ${error.message}.`;
    return { type: 'refusal', code: 'template_has_no_value', message } satisfies StepRefusal;
  }
}

function fillBlock(block: ReplyBlock, conversation: Conversation, values: TemplateValues): ReplyBlock {
  switch (block.type) {
    case 'text': {
      const text = fillContent(block.text, conversation, values) ?? '';
      return { ...block, text, citations: block.citations.map((each) => fillObjectIn(each, values)) };
    }
    case 'reasoning':
      return { ...block, text: fillTemplate(block.text, values) };
    case 'server_tool':
      return { ...block, input: fillObjectIn(block.input, values) };
    case 'grounding':
      return { ...block, metadata: fillObjectIn(block.metadata, values) };
    case 'raw':
      return { ...block, item: fillObjectIn(block.item, values) };
    case 'call':
      return block;
    default:
      return block satisfies never;
  }
}

function fillObjectIn(value: JsonObject, values: TemplateValues): JsonObject {
  const filled = fillTemplatesIn(value, values);
  return isJsonObject(filled) ? filled : value;
}

/** Fills the templates of a default response, which no trigger and no tool result belongs to. Pure. */
export function expandDefault(content: string, lastUser: string | undefined): string | StepRefusal {
  try {
    return fillTemplate(content, { match: {}, lastUser, toolResults: [] });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { type: 'refusal', code: 'template_has_no_value', message: `default_response: ${error.message}.` };
  }
}

/** Content of a step for one request; its templates stay unfilled if the request lacks a value. Pure. */
export function contentFor(match: Match, conversation: Conversation): string | undefined {
  const { content } = match.step;
  try {
    return fillContent(content, conversation, new RequestValues(match));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return content;
  }
}

function fillContent(
  content: string | undefined,
  { outputSchema, outputIsText }: Conversation,
  values: TemplateValues,
): string | undefined {
  if (!content?.includes('{{')) return content;
  if (outputSchema === undefined || outputIsText) return fillTemplate(content, values);
  const json = fillJsonTemplate(content, values);
  return jsonErrorOf(json) === undefined ? json : fillTemplate(content, values);
}

function expandCall(
  call: StepToolCall,
  match: Match,
  conversation: Conversation,
  headers: Readonly<Record<string, string>>,
  values: TemplateValues,
): ReplyToolCall | StepRefusal {
  const { id } = call;
  if (call.type === 'intent') {
    const intent = { ...call.intent, ...fillTexts(call.intent, values) };
    const directory = headers[DIRECTORY_HEADER] ?? findWorkingDirectory(conversation) ?? match.scenario.directory;
    const { intents } = match.scenario;
    const resolved = resolveIntent({
      intent,
      tools: conversation.tools,
      directory,
      mapped: intents.get(intent.intent),
    });
    if (resolved !== undefined) return { id, ...resolved };
    const message = `${labelOf(match)}: ${explainNotOffered(intent, conversation.tools)}`;
    return { type: 'refusal', code: 'intent_not_offered', message, param: 'tools' };
  }
  const name = fillTemplate(call.name, values);
  if (name.trim() === '') {
    const message = `${labelOf(match)}: the tool name ${call.name} is blank after its templates are filled.`;
    return { type: 'refusal', code: 'template_has_no_value', message };
  }
  const form = offeredForm(name, conversation.tools);
  const fillText = form.input === 'json' ? fillJsonTemplate : fillTemplate;
  const text = call.type === 'text' ? fillText(call.arguments, values) : fillObject(call, values);
  return { id, ...form, arguments: text };
}

/** Arguments without templates were encoded when the scenario was loaded. */
function fillObject(call: Extract<StepToolCall, { readonly type: 'object' }>, values: TemplateValues): string {
  if (!hasTemplate(call.arguments)) return call.arguments;
  return JSON.stringify(fillTemplatesIn(call.value, values));
}

function fillTexts(intent: Intent, values: TemplateValues): Record<string, string> {
  const filled = Object.entries(intent).flatMap(([key, text]) => {
    return text === undefined ? [] : [[key, fillTemplate(text, values)] as const];
  });
  return Object.fromEntries(filled);
}

/**
 * The values of a request, computed when a template reads them: most steps have none. The accessors of object literals
 * would keep each request in memory until the next full garbage collection, those of a class do not.
 */
class RequestValues implements TemplateValues {
  readonly #request: Match;

  constructor(request: Match) {
    this.#request = request;
  }

  get match() {
    return this.#request.groups;
  }

  get lastUser() {
    return userTextsOf(this.#request.run).at(-1);
  }

  /** Results of an earlier, stopped run precede the text that started the scenario. */
  get toolResults() {
    const { run, scenario } = this.#request;
    const since = run.slice(pinnedStart(run, scenario).position + 1);
    return resultsByCall(since).map((part) => (part.type === 'tool_result' ? part.content : part));
  }
}

function labelOf({ scenario, stepIndex }: Match): string {
  return `Step ${stepIndex} of scenario "${scenario.name}"`;
}

/** Name, input and namespace of a call to a tool as the client offers it, at best outside any namespace; by default JSON. */
export function offeredForm(name: string, tools: readonly OfferedTool[]): Omit<ReplyToolCall, 'id' | 'arguments'> {
  const sameName = tools.filter((tool) => tool.name === name);
  const offered = sameName.find(({ namespace }) => namespace === undefined) ?? sameName[0];
  const known: Pick<OfferedTool, 'name' | 'namespace'> & { readonly input?: OfferedTool['input'] } = offered ??
    findServedTool(name, tools) ?? { name };
  const { input = 'json', namespace } = known;
  return { name: known.name, input, ...(namespace !== undefined && { namespace }) };
}
