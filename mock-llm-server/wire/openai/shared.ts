import type { Continuation, Conversation, Reply, TextPart, ToolChoice } from '../../conversation/conversation.ts';
import { digestOf, scenarioTagOf } from '../../conversation/ids.ts';
import { type BodyErrors, badRequest, joinTexts } from '../body.ts';
import { findFaults } from '../forms/find-faults.ts';
import type { Form } from '../forms/form.ts';
import { embeddingRoute, modelRoutes } from '../model-routes.ts';
import type { WireError, WireRoute } from '../wire.ts';
import type { ChosenTool, Content, NamedFormat, ToolChoiceField } from './shared-schema.ts';
import { openaiViolation } from './words.ts';

/** The tools that OpenAI defines and the client runs. */
export const BUILT_IN_TYPES = ['shell', 'local_shell', 'apply_patch'] as const;
/** The type of such a tool, which is also its name. */
export type BuiltInType = (typeof BUILT_IN_TYPES)[number];

/** The texts of a content, refusals included. */
export function textParts(content: Content | null | undefined): TextPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (content ?? []).flatMap(({ text, refusal }) => {
    const value = text ?? refusal ?? undefined;
    return value === undefined ? [] : [{ type: 'text', text: value }];
  });
}

export function joinedText(content: Content | null | undefined): string {
  return joinTexts(textParts(content));
}

/** The schema that a format demands of the text of a reply, and its name; nothing for plain text. */
export function outputOf(
  type: string | undefined,
  { name, schema }: NamedFormat = {},
): Pick<Conversation, 'outputSchema' | 'outputName'> {
  if (type === 'json_object') return { outputSchema: {} };
  if (type !== 'json_schema') return {};
  return { outputSchema: schema ?? {}, ...(typeof name === 'string' && { outputName: name }) };
}

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

/** The API's errors for bodies that it cannot read. */
export const OPENAI_BODY_ERRORS: BodyErrors = {
  notJson: (reason) => `We could not parse the JSON body of your request: ${reason}`,
  notObject: 'The body of the request must be a JSON object.',
  invalid: (param, message, fault) => {
    if (fault !== undefined && !(fault.kind === 'missing' && /^messages\[\d+\]\.content$/.test(param))) {
      return { type: 'error', status: 400, ...openaiViolation(fault) };
    }
    return (
      contentError(param, message) ?? badRequest(`Invalid value for '${param}': ${message}.`, param, 'invalid_value')
    );
  },
};

/** The errors of a protocol whose requests have this form. */
export function openaiBodyErrors(shape: Form): BodyErrors {
  return {
    ...OPENAI_BODY_ERRORS,
    explain: (json) => {
      // Only the rules of a service decide whether it has a field.
      const fault = findFaults(json, shape).find(({ kind }) => kind !== 'unknown');
      return fault === undefined ? undefined : { type: 'error', status: 400, ...openaiViolation(fault) };
    },
  };
}

/** The API's error for a content that is neither a text nor a list of parts with a type. */
function contentError(param: string, message: string): WireError | undefined {
  const part = /part (\d+) has no type$/.exec(message)?.[1];
  if (part !== undefined) return missingParameter(`${param}[${part}].type`);
  const found = /^expected a string or an array of parts, received (.+)$/.exec(message)?.[1];
  if (found === undefined) return undefined;
  if (found === 'nothing') {
    const text = "Invalid value for 'content': expected a string, got null.";
    return badRequest(text, param.replace('[', '.['), null);
  }
  const text = `Invalid type for '${param}': expected one of a string or array of objects, but got ${found} instead.`;
  return badRequest(text, param, 'invalid_type');
}

/** The API's error for an absent parameter. */
export function missingParameter(param: string): WireError {
  return badRequest(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');
}

/** The API's error for a parameter of Chat Completions in Responses. */
export function movedParameter(param: string, place: string): WireError {
  const text =
    `Unsupported parameter: '${param}'. In the Responses API, this parameter has moved to '${place}'. Try again with ` +
    'the new parameter. See the API documentation for more information: ' +
    'https://platform.openai.com/docs/api-reference/responses/create.';
  return badRequest(text, undefined, 'unsupported_parameter');
}

/** The paths below which services have OpenAI's protocols. */
export const BASES = [
  '/v1',
  '',
  '/openai',
  '/openai/v1',
  '/v1beta/openai',
  '/api/v1',
  '/backend-api/codex',
  '/beta',
  '/inference/v1',
  '/compatible-mode/v1',
  '/api/paas/v4',
  '/api/coding/paas/v4',
  '/coding/v1',
];

/** The routes of models, and those of embeddings. */
export const MODEL_ROUTES: readonly WireRoute[] = BASES.flatMap((base) => [
  ...modelRoutes(base, encodeModel, (data) => ({ object: 'list', data })),
  embeddingRoute(`${base}/embeddings`, 'openai'),
]).concat(embeddingRoute('/openai/deployments/:deployment/embeddings', 'openai'));

function encodeModel(id: string): object {
  return { id, object: 'model', created: Date.UTC(2025, 0, 1) / 1000, owned_by: 'mock-llm-server' };
}

const RESPONSE_ID = /^(?:resp|v1)_((?:[0-9a-f]{8}_\d{1,4}_(?:\d{1,3}_)?)?[0-9a-f]{24})([0-9a-f]{8})$/;

/**
 * The id of a response: `resp_<scenario tag>_<step>_<digest><check>`, without tag and step for a reply of no scenario,
 * and with the number of calls after the step if others were removed.
 * A server needs nothing else to continue from the response; `check` distinguishes the id from ids of other servers.
 */
export function createResponseId({ source, digest }: Reply, prefix = 'resp_'): string {
  const position = source === undefined ? '' : `${scenarioTagOf(source.scenario)}_${source.step}_`;
  const calls = source?.calls === undefined ? '' : `${source.calls}_`;
  const content = `${position}${calls}${digest.slice(0, 24)}`;
  return `${prefix}${content}${checkOf(content)}`;
}

/** The contents of a response id; undefined for an id that `createResponseId` did not create. */
export function parseResponseId(id: string): Continuation | undefined {
  const [, content = '', check] = RESPONSE_ID.exec(id) ?? [];
  if (check === undefined || check !== checkOf(content)) return undefined;
  const parts = content.split('_');
  const digest = parts.pop() ?? '';
  const [scenarioTag, step, calls] = parts;
  if (scenarioTag === undefined) return { id, digest };
  return { id, digest, position: { scenarioTag, step: Number(step) }, ...(calls && { calls: Number(calls) }) };
}

function checkOf(content: string): string {
  return digestOf('response', content).slice(0, 8);
}
