import type { JsonObject } from '../../conversation/conversation.ts';
import { errorText } from '../../text.ts';
import type { Converted } from './converted.ts';
import { convertExchanges } from './exchanges.ts';

/** A tag of the template language. */
const TAG = /\{[{%#]/;

/** Paths that the expression of a provider may match. */
const PATHS = ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1beta/models/m:generateContent'];

/**
 * Converts a provider of vidaimock, which answers each request of a path alike: to a scenario for the protocol of the
 * path. `readTemplate` reads a template by its path. A template with code computes its answer, so that it is only named.
 */
export async function convertVidaimock(
  { name, matcher, response_template: template, response_body: body, status_code: status = 200 }: JsonObject,
  readTemplate: (template: string) => Promise<string>,
): Promise<Converted> {
  const label = `the provider "${String(name ?? matcher)}"`;
  const left = (reason: string): Converted => ({ scenarios: [], notes: [`${label}: ${reason}.`] });
  let matches: RegExp;
  try {
    matches = new RegExp(String(matcher));
  } catch (error) {
    return left(`its matcher is not a regular expression (${errorText(error)})`);
  }
  const url = PATHS.find((path) => matches.test(path));
  if (url === undefined) return left(`its matcher ${String(matcher)} is not a path of a protocol of the server`);
  let text: string;
  try {
    text = typeof body === 'string' ? body : await readTemplate(String(template));
  } catch {
    return left(`its template ${String(template)} is missing beside it`);
  }
  if (TAG.test(text)) return left(`its template ${String(template)} computes the answer; write the text as a step`);
  const entry = { request: { method: 'POST', url }, response: { status: Number(status), body: text } };
  const { scenarios, notes } = convertExchanges([{ entry, label }]);
  return { scenarios: scenarios.map((scenario) => ({ ...scenario, name: String(name ?? scenario.name) })), notes };
}
