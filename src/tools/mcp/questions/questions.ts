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
export class ServerQuestions {
  readonly #server: string;
  readonly #asker: FormAsker | undefined;
  #calls = 0;
  #end = new AbortController();
  #open = 0;
  #asked = 0;
  #count = 0;

  constructor(server: string, asker: FormAsker | undefined) {
    this.#server = server;
    this.#asker = asker;
  }

  /** The client capabilities to declare; empty if nobody can answer. */
  get capabilities(): ClientCapabilities {
    const modes = this.#asker?.modes ?? [];
    if (modes.length === 0) return {};
    return {
      elicitation: {
        ...(modes.includes('form') && { form: { applyDefaults: true } }),
        ...(modes.includes('url') && { url: {} }),
      },
    };
  }

  /** True while the user is asked. */
  get areOpen(): boolean {
    return this.#open > 0;
  }

  /** Makes a call, during which the server may ask. */
  async during<Result>(call: () => Promise<Result>): Promise<Result> {
    this.#calls += 1;
    try {
      return await call();
    } finally {
      this.#calls -= 1;
      if (this.#calls === 0) {
        this.#end.abort();
        this.#end = new AbortController();
        this.#asked = 0;
      }
    }
  }

  /** Answers the parameters of a question. Throws if the question must not be asked, with the reason for the server. */
  async answer(params: unknown, signal: AbortSignal): Promise<ElicitResult> {
    const given = isJsonObject(params) ? params : {};
    const request = this.#read(given);
    if (this.#asker === undefined || this.#calls === 0) return { action: 'cancel' };
    const stop = AbortSignal.any([signal, this.#end.signal]);
    this.#open += 1;
    try {
      const answer = await raceAbort(this.#asker.fill(request, stop), stop).catch((error: unknown) => {
        if (stop.aborted) return { action: 'cancel' } as const;
        throw error;
      });
      if (answer.action !== 'accept') return { action: answer.action };
      if (request.schema === undefined) return { action: 'accept' };
      const read = readForm(request.schema, answer.content ?? {});
      // An invalid answer is cancelled, because the server must not take it for a refusal.
      return 'problem' in read ? { action: 'cancel' } : { action: 'accept', content: read.content };
    } finally {
      this.#open -= 1;
    }
  }

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
      ({ action } = await this.during(() => this.answer({ ...each, mode: 'url' }, signal)));
      if (action !== 'accept') break;
    }
    const first = `Nothing was called: the server ${this.#server} requires the user to visit a page first.`;
    if (action === 'accept') return `${first} The user has visited it; call the tool again.`;
    return `${first} ${action === 'decline' ? 'The user does not want to' : 'Nobody was there to do so'}.`;
  }

  #read({ mode, message, requestedSchema, url }: JsonObject): FormRequest {
    this.#asked += 1;
    this.#count += 1;
    if (this.#asked > MAX_QUESTIONS) throw new Error('there were too many questions');
    const shown = cleanText(String(message ?? ''), MAX_MESSAGE);
    const question = { id: `${this.#server}?${this.#count}`, server: this.#server, message: shown };
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
  }
}
