import { bracketPath, isJsonObject } from '../../conversation/json.ts';

/**
 * The messages of the API with their fields, as its protocol buffers and its client state them (v1beta, 2026-11-06).
 * A field is `name:type`; `[]` repeats it, `{}` is a map. `s`, `y`, `i`, `n` and `b` are a text, bytes, an integer, a
 * number and a boolean, `o` is an object, `*` anything, a name in capitals an enumeration.
 */
const MESSAGES: Readonly<Record<string, string>> = {
  GenerateContentRequest:
    'model:s contents:Content[] systemInstruction:Content tools:Tool[] toolConfig:ToolConfig safetySettings:SafetySetting[] generationConfig:GenerationConfig cachedContent:s labels:* serviceTier:* store:b continuationToken:s modelArmorConfig:* outputConfig:*',
  Content: 'parts:Part[] role:s',
  Part: 'text:s inlineData:Blob functionCall:FunctionCall functionResponse:FunctionResponse fileData:FileData executableCode:* codeExecutionResult:* videoMetadata:* thought:b thoughtSignature:y partMetadata:o toolCall:* toolResponse:* mediaResolution:* mediaProcessing:* audioTranscription:* speechMetadata:*',
  Blob: 'mimeType:s data:y displayName:s',
  FileData: 'mimeType:s fileUri:s displayName:s',
  FunctionCall: 'id:s name:s args:o partialArgs:* willContinue:b',
  FunctionResponse: 'id:s name:s response:o parts:* willContinue:b scheduling:*',
  Tool: 'functionDeclarations:FunctionDeclaration[] googleSearchRetrieval:* codeExecution:o googleSearch:o computerUse:o urlContext:o fileSearch:o googleMaps:o mcpServers:* retrieval:o enterpriseWebSearch:o exaAiSearch:o parallelAiSearch:o',
  FunctionDeclaration:
    'name:s description:s parameters:Schema parametersJsonSchema:* response:Schema responseJsonSchema:* behavior:*',
  Schema:
    'type:TYPE format:s title:s description:s nullable:b enum:s[] items:Schema maxItems:i minItems:i properties:Schema{} required:s[] minProperties:i maxProperties:i minimum:n maximum:n minLength:i maxLength:i pattern:s example:* anyOf:Schema[] propertyOrdering:s[] default:*',
  ToolConfig: 'functionCallingConfig:FunctionCallingConfig retrievalConfig:* includeServerSideToolInvocations:b',
  FunctionCallingConfig: 'mode:MODE allowedFunctionNames:s[] streamFunctionCallArguments:b',
  SafetySetting: 'category:CATEGORY threshold:THRESHOLD method:s',
  GenerationConfig:
    'candidateCount:i stopSequences:s[] maxOutputTokens:i temperature:n topP:n topK:n seed:i responseMimeType:s responseSchema:Schema responseJsonSchema:* responseJsonSchemaOrdered:* presencePenalty:n frequencyPenalty:n responseLogprobs:b logprobs:i enableEnhancedCivicAnswers:b responseModalities:MODALITY[] responseFormat:* speechConfig:* thinkingConfig:ThinkingConfig imageConfig:* mediaResolution:* audioTimestamp:b audioTranscriptionConfig:* enableAffectiveDialog:b modelConfig:* routingConfig:* translationConfig:*',
  ThinkingConfig: 'includeThoughts:b thinkingBudget:i thinkingLevel:LEVEL',
};

/** The fields that Vertex AI has besides. */
const OF_VERTEX: Readonly<Record<string, string>> = { Schema: 'additionalProperties:* defs:* $defs:* ref:s $ref:s' };

/** The enumerations, with their names in the errors of the API. */
const ENUMS: Readonly<Record<string, readonly [name: string, values: string]>> = {
  TYPE: ['Type', 'TYPE_UNSPECIFIED STRING NUMBER INTEGER BOOLEAN ARRAY OBJECT NULL'],
  MODE: ['FunctionCallingConfig.Mode', 'MODE_UNSPECIFIED AUTO ANY NONE VALIDATED'],
  LEVEL: ['ThinkingConfig.ThinkingLevel', 'THINKING_LEVEL_UNSPECIFIED MINIMAL LOW MEDIUM HIGH'],
  MODALITY: ['GenerationConfig.Modality', 'MODALITY_UNSPECIFIED TEXT IMAGE AUDIO VIDEO'],
  CATEGORY: [
    'HarmCategory',
    'HARM_CATEGORY_UNSPECIFIED HARM_CATEGORY_DEROGATORY HARM_CATEGORY_TOXICITY HARM_CATEGORY_VIOLENCE HARM_CATEGORY_SEXUAL HARM_CATEGORY_MEDICAL HARM_CATEGORY_DANGEROUS HARM_CATEGORY_HARASSMENT HARM_CATEGORY_HATE_SPEECH HARM_CATEGORY_SEXUALLY_EXPLICIT HARM_CATEGORY_DANGEROUS_CONTENT HARM_CATEGORY_CIVIC_INTEGRITY HARM_CATEGORY_IMAGE_HATE HARM_CATEGORY_IMAGE_DANGEROUS_CONTENT HARM_CATEGORY_IMAGE_HARASSMENT HARM_CATEGORY_IMAGE_SEXUALLY_EXPLICIT HARM_CATEGORY_JAILBREAK',
  ],
  THRESHOLD: [
    'SafetySetting.HarmBlockThreshold',
    'HARM_BLOCK_THRESHOLD_UNSPECIFIED BLOCK_LOW_AND_ABOVE BLOCK_MEDIUM_AND_ABOVE BLOCK_ONLY_HIGH BLOCK_NONE OFF',
  ],
};

const SCALARS: Readonly<Record<string, string>> = {
  s: 'TYPE_STRING',
  y: 'TYPE_BYTES',
  i: 'TYPE_INT32',
  n: 'TYPE_FLOAT',
  b: 'TYPE_BOOL',
};

/** Bytes in one of the two alphabets of Base64, whose padding and blanks are free, and whose last bits are zero. */
const BASE64 = /^(?:[\w\s-]*|[A-Za-z\d+/\s]*)(?:=[=\s]*)?$/;
const LAST_BYTES = /^(?:.[AQgw]|..[AEIMQUYcgkosw048])?$/;

interface Field {
  /** The name in the errors of the API, in snake case. */
  readonly name: string;
  readonly type: string;
  readonly of: 'one' | 'list' | 'map';
}

/** The keys of the fields and the indexes that lead to a value. A path is written only for a fault. */
type Steps = (string | number)[];

/** Finds every value of a request that the messages of a service exclude, in the words of the service. */
export type FindGeminiFaults = (body: unknown) => readonly string[];

/** Creates the search for Gemini, or for Vertex AI. The package is that of its messages. */
export function createGeminiFaults(service: 'gemini' | 'vertex'): FindGeminiFaults {
  const isVertex = service === 'vertex';
  const names = isVertex ? 'google.cloud.aiplatform.v1beta1' : 'google.ai.generativelanguage.v1beta';
  const kept = new Map<string, ReadonlyMap<string, Field>>();
  const fieldsOf = (message: string) => {
    const known = kept.get(message);
    if (known !== undefined) return known;
    const fields = parseFields(`${MESSAGES[message]} ${isVertex ? (OF_VERTEX[message] ?? '') : ''}`);
    kept.set(message, fields);
    return fields;
  };

  function visit(value: unknown, type: string, steps: Steps, faults: string[]): void {
    if (type === '*' || value === null) return;
    const scalar = SCALARS[type];
    if (scalar !== undefined) {
      if (!isScalar(value, type)) faults.push(wrong(value, scalar, steps));
      return;
    }
    const enumeration = ENUMS[type];
    if (enumeration !== undefined) {
      const [name, values] = enumeration;
      if (typeof value !== 'number' && !values.split(' ').includes(String(value).toUpperCase()))
        faults.push(wrong(value, `type.googleapis.com/${names}.${name}`, steps));
      return;
    }
    if (!isJsonObject(value)) {
      const name = type === 'o' ? 'google.protobuf.Struct' : `${names}.${type}`;
      faults.push(wrong(value, `type.googleapis.com/${name}`, steps));
      return;
    }
    if (type === 'o') return;
    const fields = fieldsOf(type);
    for (const key in value) {
      const field = fields.get(key);
      if (field === undefined) {
        const place = steps.length === 0 ? '' : ` at '${bracketPath(steps)}'`;
        faults.push(`Invalid JSON payload received. Unknown name "${key}"${place}: Cannot find field.`);
        continue;
      }
      steps.push(field.name);
      visitField(value[key], field, key, steps, faults);
      steps.pop();
    }
  }

  function visitField(value: unknown, { type, of }: Field, key: string, steps: Steps, faults: string[]): void {
    switch (of) {
      case 'list': {
        // The API takes one value, and a list in a list, for a list.
        const items: readonly unknown[] = Array.isArray(value) ? value : [value];
        visitItems(items.some(Array.isArray) ? items.flat() : items, type, steps, faults);
        return;
      }
      case 'map': {
        if (!isJsonObject(value)) return;
        let index = 0;
        for (const name in value) {
          steps.push(index++, 'value');
          visit(value[name], type, steps, faults);
          steps.length -= 2;
        }
        return;
      }
      case 'one':
        if (Array.isArray(value) && type !== '*') {
          const place = bracketPath(steps.slice(0, -1));
          faults.push(
            `Invalid JSON payload received. Unknown name "${key}" at '${place}': Proto field is not repeating, cannot start list.`,
          );
          return;
        }
        visit(value, type, steps, faults);
        return;
      default:
        of satisfies never;
    }
  }

  function visitItems(items: readonly unknown[], type: string, steps: Steps, faults: string[]): void {
    for (let index = 0; index < items.length; index++) {
      steps.push(index);
      visit(items[index], type, steps, faults);
      steps.pop();
    }
  }

  return (body) => {
    const faults: string[] = [];
    visit(body, 'GenerateContentRequest', [], faults);
    return faults;
  };
}

/** True for a value that the API takes for a scalar. It reads numbers from texts, and no text from a number. */
function isScalar(value: unknown, type: string): boolean {
  switch (type) {
    case 's':
      return typeof value === 'string';
    case 'y':
      return (
        typeof value === 'string' &&
        BASE64.test(value) &&
        (/[=\s]/.test(value) || LAST_BYTES.test(value.slice(value.length - (value.length % 4))))
      );
    case 'b':
      return typeof value === 'boolean';
    case 'i':
      return Number.isInteger(typeof value === 'string' && value !== '' ? Number(value) : value);
    default:
      return typeof value === 'number' || (typeof value === 'string' && value !== '' && !Number.isNaN(Number(value)));
  }
}

/** The fields by both names that the API reads, in camel case and in snake case. */
function parseFields(text: string): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  for (const [, key = '', type = '', end = ''] of text.matchAll(/(\S+):([A-Za-z*]+)(\[\]|\{\})?/g)) {
    const name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const field: Field = { name, type, of: end === '[]' ? 'list' : end === '{}' ? 'map' : 'one' };
    fields.set(key, field);
    fields.set(name, field);
  }
  return fields;
}

function wrong(value: unknown, name: string, steps: Readonly<Steps>): string {
  const reason = name === 'TYPE_BYTES' && typeof value === 'string' ? 'Base64 decoding failed for ' : '';
  return `Invalid value at '${bracketPath(steps)}' (${name}), ${reason}${JSON.stringify(value)}`;
}
