import { ModelError } from '../agent/errors.ts';
import type { LanguageModel, ModelRequest } from '../agent/ports/language-model.ts';
import { jsonObjectIn } from '../text/json/json.ts';
import { readLenientObject } from '../text/json/lenient-json.ts';
import { TOOL_REFUSAL } from './http/failure.ts';

/**
 * The result of a trial. `text`: the model answered in words; `broken`: its call cannot be read; `refused`: the server
 * takes no tools for it; `failed`: nothing is known, because there was no answer. Messages are for the user.
 */
export type ToolTrial =
  | { readonly type: 'calls' }
  | { readonly type: 'text' | 'broken' }
  | { readonly type: 'refused' | 'failed'; readonly message: string };

/** A request that a model which can call tools answers with a call. */
const REQUEST: ModelRequest = {
  system: 'You use tools. Answer with a call of the tool, not with text.',
  messages: [{ role: 'user', content: 'Read the file README.md.' }],
  tools: [
    {
      name: 'read_file',
      description: 'Reads a file of the project.',
      parameters: {
        type: 'object',
        properties: { path: { type: 'string', description: 'The path of the file' } },
        required: ['path'],
      },
      effect: 'read',
    },
  ],
};

/** Sends one request with a tool. Throws nothing but the reason of the signal. */
export async function tryToolCall(model: LanguageModel, signal: AbortSignal): Promise<ToolTrial> {
  const calls = new Map<number, string>();
  try {
    for await (const event of model.stream(REQUEST, signal)) {
      if (event.type === 'retry') calls.clear();
      if (event.type === 'tool_call_delta') calls.set(event.index, (calls.get(event.index) ?? '') + event.arguments);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    return { type: TOOL_REFUSAL.test(error.message) ? 'refused' : 'failed', message: error.message };
  }
  const [first] = calls.values();
  if (first === undefined) return { type: 'text' };
  const { path } = jsonObjectIn(readLenientObject(first) ?? first);
  return { type: typeof path === 'string' ? 'calls' : 'broken' };
}
