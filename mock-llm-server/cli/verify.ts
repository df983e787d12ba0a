import { tryJson } from '../conversation/json.ts';
import { errorText } from '../text.ts';
import { renderJunit, renderText } from '../verify/render.ts';
import type { VerifyReport } from '../verify/report.ts';
import type { VerifyCommand } from './arguments.ts';
import type { CommandResult } from './validate.ts';

/** Maximum time that a server may take to answer. */
const TIMEOUT_MS = 30_000;

/**
 * Prints the verdict of a running server on its clients. Exit code 0: passed; 1: failed; 2: the server does not answer.
 */
export async function runVerify(
  { url, testId, failOn, format }: Omit<VerifyCommand, 'type' | 'token'>,
  token: string | undefined,
): Promise<CommandResult> {
  const query = new URLSearchParams();
  if (testId !== undefined) query.set('test', testId);
  if (failOn !== undefined) query.set('fail_on', failOn);
  const address = `${url.replace(/\/+$/, '')}/__mock/verify?${query}`;
  let text: string;
  try {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(address, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    text = await response.text();
    if (!response.ok) return { exitCode: 2, text: `${url} answered ${response.status}: ${messageOf(text)}` };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { exitCode: 2, text: `cannot reach ${url}: ${errorText(cause)}; is the server running?` };
  }
  const report = tryJson(text);
  if (!isReport(report)) return { exitCode: 2, text: `${url} is not a mock-llm-server that can be verified` };
  return { exitCode: report.passed ? 0 : 1, text: FORMATS[format](report) };
}

const FORMATS = {
  text: renderText,
  json: (report: VerifyReport) => JSON.stringify(report, null, 2),
  junit: renderJunit,
} as const;

/** True for the report of the same version of the server. */
function isReport(value: unknown): value is VerifyReport {
  return typeof value === 'object' && value !== null && 'passed' in value && 'problems' in value && 'cache' in value;
}

/** The message of an error in the JSON of one of the protocols, or the start of the text. */
function messageOf(text: string): string {
  const [, message = ''] = /"(?:message|error)":("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  return String(tryJson(message) ?? text.slice(0, 200));
}
