import * as z from 'zod';
import type {
  Conversation,
  ConversationMessage,
  JsonObject,
  OfferedTool,
  TextPart,
  ToolChoice,
} from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { badRequest, jsonTool, limitsOf } from '../body.ts';
import { bodyReader, JsonObjectSchema } from '../body-schema.ts';
import type { WireError } from '../wire.ts';

const TextSchema = z.object({ text: z.string().optional(), json: z.unknown().optional() });

const BlockSchema = z.object({
  text: z.string().optional(),
  toolUse: z
    .object({ toolUseId: z.string(), name: z.string(), input: z.unknown().optional(), type: z.string().nullish() })
    .optional(),
  toolResult: z
    .object({ toolUseId: z.string(), content: z.array(TextSchema).nullish(), status: z.string().nullish() })
    .optional(),
  reasoningContent: JsonObjectSchema.optional(),
  citationsContent: z.object({ content: z.array(TextSchema).nullish() }).optional(),
  guardContent: z.object({ text: TextSchema.optional() }).optional(),
});
export type ConverseBlock = z.infer<typeof BlockSchema>;
type Block = ConverseBlock;

const MessageSchema = z.object({ role: z.enum(['user', 'assistant', 'system']), content: z.array(BlockSchema) });

const ToolSchema = z.object({
  toolSpec: z
    .object({
      name: z.string(),
      description: z.string().nullish(),
      inputSchema: z.object({ json: JsonObjectSchema.nullish() }).nullish(),
    })
    .optional(),
});

const NamedSchema = z.object({ name: z.string() });

const RequestSchema = z.object({
  messages: z.array(MessageSchema),
  system: z.array(BlockSchema).nullish(),
  additionalModelRequestFields: JsonObjectSchema.nullish().catch(undefined),
  inferenceConfig: z
    .object({
      maxTokens: z.number().nullish(),
      temperature: z.number().nullish(),
      topP: z.number().nullish(),
      // Amazon's own models, in the same form without an operation of its own.
      max_new_tokens: z.number().nullish(),
      stopSequences: z.array(z.string()).nullish(),
    })
    .nullish(),
  toolConfig: z
    .object({
      tools: z.array(ToolSchema).nullish(),
      toolChoice: z
        .object({ auto: JsonObjectSchema.optional(), any: JsonObjectSchema.optional(), tool: NamedSchema.optional() })
        .nullish(),
    })
    .nullish(),
  outputConfig: z
    .object({
      textFormat: z
        .object({
          structure: z
            .object({ jsonSchema: z.object({ schema: z.string(), name: z.string().nullish() }).optional() })
            .nullish(),
        })
        .nullish(),
    })
    .nullish(),
});
type RequestBody = z.infer<typeof RequestSchema>;

const readBody = bodyReader(RequestSchema, {
  notJson: (reason) => `The request body is not valid JSON: ${reason}`,
  notObject: 'The request body must be a JSON object.',
  invalid: (param, message, fault) => {
    const isMissing = fault?.kind === 'missing';
    if (param.endsWith('.inputSchema.json')) {
      const place = param.replaceAll(/\[(\d+)\]/g, '.$1');
      const rule = 'Provide a json object for the field and try again.';
      return badRequest(`The format of the value at ${place} is invalid. ${rule}`, param);
    }
    const path = param.replaceAll(/\[(\d+)\]/g, (_, index) => `.${Number(index) + 1}.member`);
    const values = /^Invalid option: expected one of (.*)$/.exec(message)?.[1]?.replaceAll('"', '').split('|');
    const rule = values ? `Member must satisfy enum value set: [${values.join(', ')}]` : message;
    const value = typeof fault?.found === 'string' ? `Value '${fault.found}'` : 'Value';
    return badRequest(
      isMissing
        ? `1 validation error detected: Value null at '${path}' failed to satisfy constraint: Member must not be null`
        : `1 validation error detected: ${value} at '${path}' failed to satisfy constraint: ${rule}`,
      param,
    );
  },
});

export type ConverseRequest = Exclude<ReturnType<typeof readConverseRequest>, WireError>;

/** Reads a request body for a model. Fields and blocks that the server does not know may hold anything. */
export function readConverseRequest(model: string, text: string) {
  const read = readBody(text);
  if (read.type === 'error') return read;
  const body = read.data;
  if (body.messages.length === 0)
    return badRequest('The messages field is empty. Add a message and try again.', 'messages');
  const { inferenceConfig, toolConfig } = body;
  const maxTokens = inferenceConfig?.maxTokens ?? inferenceConfig?.max_new_tokens;
  const tokensName = inferenceConfig?.maxTokens ? 'maxTokens' : 'max_new_tokens';
  const system = body.messages.flatMap(({ role, content }) => (role === 'system' ? content : []));
  return {
    conversation: {
      protocol: 'bedrock-converse',
      model,
      system: [...(body.system ?? []), ...system].flatMap(readText).map(({ text: line }) => line),
      messages: body.messages.flatMap(readMessage),
      tools: (toolConfig?.tools ?? []).flatMap(readTool),
      ...readFormat(body),
    } satisfies Conversation,
    limits: limitsOf(tokensName, maxTokens, 'stopSequences', inferenceConfig?.stopSequences),
    toolChoice: readToolChoice(toolConfig?.toolChoice),
    body,
    json: read.json,
  };
}

function readFormat({ outputConfig }: RequestBody): Pick<Conversation, 'outputSchema' | 'outputName'> {
  const format = outputConfig?.textFormat?.structure?.jsonSchema;
  if (format === undefined) return {};
  const schema = tryJson(format.schema);
  return { outputSchema: isJsonObject(schema) ? schema : {}, ...(format.name && { outputName: format.name }) };
}

function readToolChoice(choice: NonNullable<RequestBody['toolConfig']>['toolChoice']): ToolChoice | undefined {
  if (!choice) return undefined;
  const text = `toolChoice ${JSON.stringify(choice)}`;
  if (choice.any !== undefined) return { mode: 'required', text };
  return choice.tool === undefined ? undefined : { mode: 'required', names: [choice.tool.name], text };
}

function readMessage({ role, content }: RequestBody['messages'][number], index: number): ConversationMessage[] {
  switch (role) {
    case 'system':
      return [];
    case 'user':
      return [{ role, index, parts: content.flatMap((block) => [...readText(block), ...readResult(block)]) }];
    case 'assistant':
      return [{ role, index, parts: content.flatMap((block) => [...readText(block), ...readCall(block)]) }];
    default:
      return role satisfies never;
  }
}

function readText({ text, guardContent, citationsContent }: Block): TextPart[] {
  const cited = (citationsContent?.content ?? []).map((part) => part.text ?? '').join('');
  const found = text ?? guardContent?.text?.text ?? (cited === '' ? undefined : cited);
  return found === undefined ? [] : [{ type: 'text', text: found }];
}

/** The call of a tool. The service itself runs those of the type `server_tool_use`. */
function readCall({ toolUse }: Block) {
  if (toolUse === undefined || toolUse.type === 'server_tool_use') return [];
  const { toolUseId: id, name, input } = toolUse;
  return [{ type: 'tool_call' as const, id, name, arguments: JSON.stringify(input ?? {}) }];
}

function readResult({ toolResult }: Block) {
  if (toolResult === undefined) return [];
  const { toolUseId: callId, content, status } = toolResult;
  const texts = (content ?? []).map(({ text, json }) => text ?? (json === undefined ? '' : JSON.stringify(json)));
  const isError = status === 'error';
  return [{ type: 'tool_result' as const, callId, content: texts.join(''), ...(isError && { isError }) }];
}

function readTool({ toolSpec }: z.infer<typeof ToolSchema>): OfferedTool[] {
  if (toolSpec === undefined) return [];
  const { name, description, inputSchema } = toolSpec;
  const parameters: JsonObject = inputSchema?.json ?? {};
  return [jsonTool({ name, description, parameters })];
}
