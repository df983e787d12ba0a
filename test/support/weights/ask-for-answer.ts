import * as z from 'zod';
import { type ChatMessage, TOOL } from './histories.ts';

const CallSchema = z.looseObject({ function: z.looseObject({ arguments: z.string() }) });
const MessageSchema = z.looseObject({ content: z.string().nullish(), tool_calls: z.array(CallSchema).nullish() });
const AnswerSchema = z.object({ choices: z.tuple([z.looseObject({ message: MessageSchema })]) });
const ErrorSchema = z.object({ error: z.looseObject({ code: z.unknown() }) });

/** The texts with which a model replaces the errors of the mock. */
const TEXTS: Readonly<Record<string, string>> = {
  no_scenario_matched: 'No scenario of this model matches the prompt.',
  past_last_step: 'The scenario has no step for this number of tool results.',
};

/** A text and the arguments of calls as one text. */
export function describeAnswer(content: string, calls: readonly string[]): string {
  return [content.trim(), ...calls.map((text) => JSON.stringify(JSON.parse(text)))].join(' ').trim();
}

/** The answer to a history over Chat Completions; for an error of the mock, the text that a model has in its place. */
export async function askForAnswer(base: string, model: string, messages: readonly ChatMessage[]): Promise<string> {
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, tools: [TOOL], temperature: 0 }),
  });
  const body: unknown = await response.json();
  if (response.ok) {
    const { content, tool_calls: calls } = AnswerSchema.parse(body).choices[0].message;
    return describeAnswer(content ?? '', calls?.map((call) => call.function.arguments) ?? []);
  }
  const code = String(ErrorSchema.safeParse(body).data?.error.code);
  return TEXTS[code] ?? `${response.status} ${JSON.stringify(body)}`;
}
