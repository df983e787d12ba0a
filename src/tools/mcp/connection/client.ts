import type { Client } from '@modelcontextprotocol/client';
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

/** Sends a request, and resolves to its result. Without a listener, no token is sent, and no progress is reported. */
export function sendRequest(
  client: Client,
  method: string,
  params: JsonObject,
  options: { headers: Readonly<Record<string, string>>; signal: AbortSignal; onprogress: () => void },
): Promise<unknown> {
  return client.request({ method, params: { ...params } }, ANY, { ...options, timeout: NO_LIMIT_MS });
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
