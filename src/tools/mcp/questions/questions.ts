import type { ClientCapabilities, ElicitResult } from '@modelcontextprotocol/client';
import { raceAbort } from '../../../agent/async/abort.ts';
import type { JsonObject } from '../../../agent/ports/json.ts';
import { isJsonObject } from '../../../text/json/json.ts';
import { mapTexts } from '../../../text/json/map-texts.ts';
import { cleanLine, cleanText } from '../texts.ts';
import { asksForSecret, type FormAnswer, type FormAsker, type FormRequest, readForm } from './forms.ts';

const MAX_MESSAGE = 2_000;
const MAX_TEXT = 500;
const MAX_URL = 8 * 1024;
/** The code of an error that says so. */
const ADDRESS_FIRST = -32_042;
/** The number of questions during the calls of a server that run at a time. */
const MAX_QUESTIONS = 20;

/** The questions of one server to the user. They are asked while it carries out a call, and end with the call. */
export type ServerQuestions = ReturnType<typeof serverQuestions>;

/** Creates the questions of a server; without `asker` nobody can answer. */
export function serverQuestions(server: string, asker: FormAsker | undefined) {
  const running = { calls: 0, open: 0, asked: 0, end: new AbortController() };
  let count = 0;
  const modes = asker?.modes ?? [];
  const elicitation = {
    ...(modes.includes('form') && { form: { applyDefaults: true } }),
    ...(modes.includes('url') && { url: {} }),
  };
  /** Throws if the question must not be asked, with the reason for the server. */
  const read = ({ mode, message, requestedSchema, url }: JsonObject): FormRequest => {
    running.asked += 1;
    count += 1;
    if (running.asked > MAX_QUESTIONS) throw new Error('there were too many questions');
    const shown = cleanText(String(message ?? ''), MAX_MESSAGE);
    const question = { id: `${server}?${count}`, server, message: shown };
    if (mode === 'url') {
      const address = URL.parse(String(url));
      if (address === null || !/^https?:$/.test(address.protocol) || address.href.length > MAX_URL)
        throw new Error('its address is not an address of a web page');
      return { ...question, url: address.href };
    }
    const given = isJsonObject(requestedSchema) ? requestedSchema : {};
    const schema = mapTexts(given, (text) => cleanLine(text, MAX_TEXT));
    if (asksForSecret(shown, schema))
      throw new Error('it asks for a secret in a form. Only an address (mode "url") may ask for one');
    return { ...question, schema };
  };
  const capabilities: ClientCapabilities = modes.length === 0 ? {} : { elicitation };
  const questions = {
    /** The client capabilities to declare. */
    capabilities,
    /** True while the user is asked. */
    areOpen: (): boolean => running.open > 0,
    /** Makes a call, during which the server may ask. */
    async during<Result>(call: () => Promise<Result>): Promise<Result> {
      running.calls += 1;
      try {
        return await call();
      } finally {
        running.calls -= 1;
        if (running.calls === 0) {
          running.end.abort();
          Object.assign(running, { end: new AbortController(), asked: 0 });
        }
      }
    },
    /** Answers the parameters of a question. Throws if it must not be asked. */
    async answer(params: unknown, signal: AbortSignal): Promise<ElicitResult> {
      const request = read(isJsonObject(params) ? params : {});
      if (asker === undefined || running.calls === 0) return { action: 'cancel' };
      const stop = AbortSignal.any([signal, running.end.signal]);
      running.open += 1;
      try {
        const answer = await raceAbort(asker.fill(request, stop), stop).catch((error: unknown) => {
          if (stop.aborted) return { action: 'cancel' } as const;
          throw error;
        });
        if (answer.action !== 'accept' || request.schema === undefined) return { action: answer.action };
        const form = readForm(request.schema, answer.content ?? {});
        // An invalid answer is cancelled, because the server must not take it for a refusal.
        return 'problem' in form ? { action: 'cancel' } : { action: 'accept', content: form.content };
      } finally {
        running.open -= 1;
      }
    },
    /**
     * Shows the addresses that an error of a call names, which the user has to visit first. Resolves to a sentence for the
     * model; `undefined` for another error.
     */
    async visit(error: unknown, signal: AbortSignal): Promise<string | undefined> {
      const { code, data }: { code?: unknown; data?: unknown } = Object(error);
      if (code !== ADDRESS_FIRST) return undefined;
      const listed = isJsonObject(data) && Array.isArray(data['elicitations']) ? data['elicitations'] : [];
      let action: FormAnswer['action'] = 'cancel';
      for (const each of listed) {
        ({ action } = await questions.during(() => questions.answer({ ...each, mode: 'url' }, signal)));
        if (action !== 'accept') break;
      }
      const first = `Nothing was called: the server ${server} requires the user to visit a page first.`;
      if (action === 'accept') return `${first} The user has visited it; call the tool again.`;
      return `${first} ${action === 'decline' ? 'The user does not want to' : 'Nobody was there to do so'}.`;
    },
  };
  return questions;
}
