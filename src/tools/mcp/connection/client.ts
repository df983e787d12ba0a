import type { Client, PriorDiscovery, Transport } from '@modelcontextprotocol/client';
import { ToolError } from '../../../agent/errors.ts';
import type { JsonObject } from '../../../agent/ports/json.ts';
import { isModern } from '../answers.ts';
import type { ServerQuestions } from '../questions/questions.ts';

/** Silence after which a server is asked in the older way, in milliseconds. */
const SILENCE_MS = 3_000;
/** The time that a connection may take in all: a server may be loaded first. */
const MAX_CONNECT_MS = 10 * 60_000;
const LISTS = ['tools', 'prompts'] as const;

/**
 * Connects a client of the library, which negotiates the revision with the server and passes on its questions and
 * changes; one of the newer revision is asked to tell them. `take` gets the client before it connects. `prior`: the
 * revision, if it is known; `revisions`: the older ones to ask for, by default all.
 */
export async function connectClient(
  transport: Transport,
  { version, questions, changed }: { version: string; questions: ServerQuestions; changed: () => void },
  take: (client: Client) => void,
  prior: PriorDiscovery | undefined,
  revisions: readonly string[] | undefined,
): Promise<Client> {
  const { Client: McpClient } = await import('@modelcontextprotocol/client');
  const { capabilities } = questions;
  const versionNegotiation = { mode: 'auto', probe: { timeoutMs: SILENCE_MS } } as const;
  const own = { versionNegotiation, capabilities, ...(revisions && { supportedProtocolVersions: [...revisions] }) };
  const client = new McpClient({ name: 'ybs', version }, own);
  if (capabilities.elicitation !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => questions.answer(params, mcpReq.signal));
  for (const list of LISTS) client.setNotificationHandler(`notifications/${list}/list_changed`, changed);
  take(client);
  await client.connect(transport, { timeout: MAX_CONNECT_MS, ...(prior !== undefined && { prior }) });
  const offered = client.getServerCapabilities();
  const heard = LISTS.filter((list) => offered?.[list]?.listChanged === true);
  // Nothing waits for it.
  if (isModern(client) && heard.length > 0)
    client.listen(Object.fromEntries(heard.map((list) => [`${list}ListChanged`, true]))).catch(() => {});
  return client;
}

/** The largest delay of a timer: it disables the timeout of the library, because ybs has its own. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** The time of a request is counted this many times in a second. */
const STEPS = 4;

/** Any result: ybs reads lists and results with its own schemas, which lose less. */
const ANY = {
  '~standard': { version: 1, vendor: 'ybs', validate: (value: unknown) => ({ value }) },
} as const;

/** A server that reports progress may take this many times as long. */
const MAX_EXTENSION = 10;

/**
 * Sends a request, which ends after `seconds` without progress, and after ten times as long in all. While `isAsking`, the
 * time of the user does not count. Rejects with a `ToolError` that names the limit, or as the request does.
 */
export async function sendRequest(
  client: Client,
  method: string,
  params: JsonObject,
  options: { headers: Readonly<Record<string, string>>; signal: AbortSignal; seconds: number; isAsking: () => boolean },
): Promise<unknown> {
  const { headers, signal, seconds, isAsking } = options;
  const over = new AbortController();
  const total = seconds * MAX_EXTENSION;
  const left = { quiet: seconds * STEPS, total: total * STEPS };
  const end = (reason: string): void => over.abort(new ToolError('timed_out', `it timed out after ${reason}`));
  const timer = setInterval(() => {
    if (isAsking()) return;
    left.quiet -= 1;
    left.total -= 1;
    if (left.quiet <= 0) end(`${seconds} s without progress (timeout_seconds of its entry)`);
    if (left.total <= 0) end(`${total} s in all, ten times timeout_seconds, in spite of progress`);
  }, 1_000 / STEPS);
  const onprogress = (): void => {
    left.quiet = seconds * STEPS;
  };
  // Without a listener, no token is sent, and no progress is reported.
  const limits = { signal: AbortSignal.any([signal, over.signal]), onprogress, timeout: NO_LIMIT_MS };
  try {
    return await client.request({ method, params: { ...params } }, ANY, { headers, ...limits });
  } catch (error) {
    throw over.signal.aborted && !signal.aborted ? over.signal.reason : error;
  } finally {
    clearInterval(timer);
  }
}
