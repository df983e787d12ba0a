import type { Client } from '@modelcontextprotocol/client';
import { ToolError } from '../../../agent/errors.ts';
import type { JsonObject } from '../../../agent/ports/json.ts';
import { isModern } from '../answers.ts';
import type { ServerQuestions } from '../questions/questions.ts';

/** Silence after which a server is asked in the older way, in milliseconds. */
const SILENCE_MS = 3_000;

/**
 * Creates a client of the library. It negotiates the revision with the server, from `revisions` if given, passes on the
 * questions of the server, and calls `changed` when its lists change.
 */
export async function createClient(
  version: string,
  questions: ServerQuestions,
  changed: () => void,
  revisions?: readonly string[],
): Promise<Client> {
  const { Client: McpClient } = await import('@modelcontextprotocol/client');
  const { capabilities } = questions;
  const client = new McpClient(
    { name: 'ybs', version },
    {
      ...{ versionNegotiation: { mode: 'auto', probe: { timeoutMs: SILENCE_MS } }, capabilities },
      ...(revisions && { supportedProtocolVersions: [...revisions] }),
    },
  );
  if (capabilities.elicitation !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => questions.answer(params, mcpReq.signal));
  for (const list of ['tools', 'prompts'] as const)
    client.setNotificationHandler(`notifications/${list}/list_changed`, changed);
  return client;
}

/** The largest delay of a timer: it disables the timeout of the library, because ybs has its own. */
const NO_LIMIT_MS = 2 ** 31 - 1;

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
  const timer = (limit: number, reason: string) => {
    let timeout: ReturnType<typeof setTimeout> | undefined;
    const restart = (): void => {
      clearTimeout(timeout);
      const end = (): void => (isAsking() ? restart() : over.abort(new ToolError('timed_out', reason)));
      timeout = setTimeout(end, limit * 1_000);
    };
    restart();
    return { restart, stop: () => clearTimeout(timeout) };
  };
  const quiet = timer(seconds, `it timed out after ${seconds} s without progress (timeout_seconds of its entry)`);
  const total = seconds * MAX_EXTENSION;
  const whole = timer(total, `it timed out after ${total} s in all, ten times timeout_seconds, in spite of progress`);
  // Without a listener, no token is sent, and no progress is reported.
  const limits = { signal: AbortSignal.any([signal, over.signal]), onprogress: quiet.restart, timeout: NO_LIMIT_MS };
  try {
    return await client.request({ method, params: { ...params } }, ANY, { headers, ...limits });
  } catch (error) {
    throw over.signal.aborted && !signal.aborted ? over.signal.reason : error;
  } finally {
    quiet.stop();
    whole.stop();
  }
}

/** Asks a server of the newer revision to tell changes of its lists, which an older one does by itself. Nothing waits for it. */
export function hearChanges(client: Client): void {
  const { tools, prompts } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(tools?.listChanged === true && { toolsListChanged: true }),
    ...(prompts?.listChanged === true && { promptsListChanged: true }),
  };
  if (isModern(client) && Object.keys(filter).length > 0) client.listen(filter).catch(() => {});
}
