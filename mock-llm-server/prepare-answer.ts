import type { Reply } from './conversation.ts';
import { escapeControls } from './escape-controls.ts';
import { type JournalRecord, type PreparedEntry, prepareEntry } from './journal.ts';
import type { LintFinding } from './lint.ts';
import { redactStart, secretsOf } from './redact.ts';
import { replyWithoutKeys } from './reply-without-keys.ts';
import { type Identity, identify, type ResponseHeaders } from './respond.ts';
import { encodeWhole } from './send-reply.ts';
import type { ReadRequest, Wire, WireError, WireRequest } from './wire/wire.ts';

/** What became of a request, as far as it is known before the body of its answer is. */
export interface Outcome {
  readonly wire: Wire;
  readonly request: WireRequest;
  readonly identity?: Identity;
  readonly read?: ReadRequest;
  readonly reply?: Reply;
  readonly auxiliary?: string | undefined;
  readonly findings?: readonly LintFinding[] | undefined;
  /** How the answer goes wrong on purpose. */
  readonly fault?: string | undefined;
  /** Whether the body of the answer holds nothing of the request. */
  readonly isOwn?: boolean;
}

/** All that is sent and noted of an answer that is there at once. */
export interface PreparedAnswer {
  /** That of the request's identity. */
  readonly digest: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** A text, or its bytes in UTF-8. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** For the log. */
  readonly line: string;
  readonly entry: PreparedEntry;
}

/** An error in the protocol's own shape. `said` is what the log says after the path. Pure. */
export function prepareError(
  error: WireError,
  outcome: Outcome,
  said: string,
  headers: ResponseHeaders = {},
): PreparedAnswer {
  const { wire, request, identity = identify(wire, request) } = outcome;
  const body = JSON.stringify(wire.encodeError(error, identity.id, request));
  return {
    digest: identity.digest,
    status: error.status,
    headers: { 'content-type': 'application/json', ...identity.headers, ...headers },
    body,
    line: logLine(request, said),
    entry: prepareEntry(recordOf(outcome, body, error)),
  };
}

/** Errors may repeat megabytes of a request. */
const MAX_LINE = 4096;

/** One line of the log, with no key in it. */
export function logLine({ path, headers, query }: WireRequest, said: string): string {
  return escapeControls(redactStart(`${path} ${said}`, MAX_LINE, secretsOf(headers, query)));
}

/** What a line of the log says beside the answer. */
export function remarksOn({ fault, findings = [] }: Outcome): string {
  const linted = findings.map(({ message }) => ` (lint: ${message})`).join('');
  return fault === undefined ? linted : ` (${fault})${linted}`;
}

/** What the journal gets of an answer. `served` is its body. */
export function recordOf(outcome: Outcome, served: string, error?: WireError): JournalRecord {
  const { wire, request, read, reply, auxiliary, findings, fault, isOwn = false } = outcome;
  const secrets = secretsOf(request.headers, request.query);
  return {
    testId: request.headers['x-test-id'],
    protocol: wire.protocol,
    method: request.method,
    path: request.path,
    model: read?.conversation.model,
    stream: read?.stream ?? false,
    tools: read?.conversation.tools.map(({ name }) => name) ?? [],
    status: error?.status ?? 200,
    scenario: reply?.source?.scenario,
    step: reply?.source?.step,
    auxiliary,
    error: error?.message,
    lint: findings?.map(({ message }) => message) ?? [],
    ...(fault !== undefined && { fault }),
    served: { bytes: Buffer.byteLength(served), text: textToKeep(outcome, served, secrets) },
    isOwn,
    secrets,
  };
}

function textToKeep({ read, reply, isOwn }: Outcome, served: string, secrets: readonly string[]): string {
  if (isOwn || read === undefined || reply === undefined) return served;
  const clean = replyWithoutKeys(reply, secrets);
  return clean === reply ? served : encodeWhole(read, clean);
}
