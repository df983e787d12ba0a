import { type Context, Hono } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import * as z from 'zod';
import { messageOf, UsageError } from '../agent/errors.ts';
import type { Completion } from '../app/commands/completion.ts';
import type { Buffer } from '../terminal/editor/buffer.ts';
import { diffRowWords } from '../text/diff/word-diff.ts';
import { jsonOr } from '../text/json/json.ts';
import { createChatEncoder, eventsOf } from './chat-stream.ts';
import { highlightCode } from './highlight-code.ts';
import { PAGE_PATHS } from './page-files.ts';
import { answerSchema } from './session/answer.ts';
import type { SessionListView } from './session/page-data.ts';
import type { SessionHub } from './session/session-hub.ts';
import { changeSetting, RefusedSettingError, SETTING_COMMANDS, settingsView } from './session/settings-view.ts';

/** Number of sessions in the list. */
const MAX_SESSIONS = 100;

/** Number of rows of a diff whose words are compared at once. The page sends no more. */
const MAX_ROWS = 400;

/** The id that a tab has chosen for itself. */
const tabSchema = z.string().min(1).max(100).optional();
const messageSchema = z.object({
  message: z.string().refine((text) => text.trim() !== '', 'is empty'),
  tab: tabSchema,
  delivery: z.enum(['next_request', 'after_run']).optional(),
});
const stopSchema = z.object({ tab: tabSchema });
const codeOfLaunch = z.object({ code: z.string() });
const idSchema = z.object({ id: z.string() });
const nameSchema = z.object({ name: z.string().min(1) });
const settingSchema = z.object({ command: z.enum(SETTING_COMMANDS), argument: z.string().min(1) });
const codeSchema = z.object({ code: z.string(), language: z.string() });
const lineSchema = z
  .object({ text: z.string(), cursor: z.int().min(0) })
  .refine(({ text, cursor }) => cursor <= text.length, 'the cursor is behind the text');
const rowsSchema = z.object({ rows: z.array(z.string()).max(MAX_ROWS) });
const numberSchema = z.coerce.number().int().min(0);

/** The routes of the page, by path. The access is decided before; see `refusalOfRequest`. */
export const ROUTES: ReadonlyMap<string, 'GET' | 'POST'> = new Map([
  ...[...PAGE_PATHS].map((path) => [path, 'GET'] as const),
  ['/login', 'POST'],
  ['/chat', 'POST'],
  ['/clear', 'POST'],
  ['/events', 'GET'],
  ['/approval', 'POST'],
  ['/stop', 'POST'],
  ['/unqueue', 'POST'],
  ['/sessions', 'GET'],
  ['/load', 'POST'],
  ['/settings', 'GET'],
  ['/setting', 'POST'],
  ['/complete', 'POST'],
  ['/highlight', 'POST'],
  ['/diff-words', 'POST'],
]);

/** Ports of the server of the page. */
export interface WebAppPorts {
  readonly hub: SessionHub;
  /** The token for a code of `LaunchCodes`. */
  readonly login: (code: string) => string | undefined;
  /** Completions at the cursor of a message. Ends soon, also without an answer. */
  readonly complete: (line: Buffer, signal: AbortSignal) => Promise<Completion>;
}

/** Creates the answers to all requests of the page but those for its files. */
export function createWebApp({ hub, login, complete }: WebAppPorts): Hono {
  const app = new Hono();
  /** Answers the requests with a body of this form. */
  const post = <Body>(
    path: string,
    schema: z.ZodType<Body>,
    answer: (body: Body, context: Context) => Response | Promise<Response>,
  ): void => {
    app.post(path, async (context) => {
      const body = await readBody(context, schema);
      return body instanceof Response ? body : answer(body, context);
    });
  };
  post('/login', codeOfLaunch, ({ code }, context) => {
    const token = login(code);
    if (token !== undefined) return context.json({ token });
    return context.json(
      failure('code_used', 'This address opens the page once, within a minute. Start ybs app again.'),
      403,
    );
  });

  post('/chat', messageSchema, (body, context) => {
    const after = hub.last;
    const id = hub.send(body.message, body.tab, body.delivery === 'next_request');
    return streamSSE(context, (stream) => sendAnswer(hub, id, after, stream), showError);
  });

  app.get('/events', (context) => {
    const after = numberSchema.safeParse(context.req.query('after') ?? '0');
    const tab = tabSchema.safeParse(context.req.query('tab'));
    if (!after.success)
      return context.json(failure('invalid', 'Give the number of the last event: /events?after=0'), 400);
    return streamSSE(
      context,
      async (stream) => {
        for await (const event of hub.follow(after.data, signalOf(stream), tab.data)) {
          switch (event.type) {
            case 'event':
              await stream.writeSSE({
                data: JSON.stringify(event.event),
                ...(event.number !== undefined && { id: String(event.number) }),
              });
              break;
            case 'ready':
              await stream.writeSSE({ event: 'ready', data: '{}', id: String(event.number) });
              break;
            case 'reset':
              await stream.writeSSE({ event: 'reset', data: JSON.stringify({ server: event.server }) });
              break;
            default:
              event satisfies never;
          }
        }
      },
      showError,
    );
  });

  app.get('/sessions', async (context) => {
    const { record, sessions, workspace } = await hub.agent();
    const list = await sessions.list();
    const isHere = (session: (typeof list)[number]): boolean => (session.workspace ?? workspace) === workspace;
    const sorted = [...list.filter(isHere), ...list.filter((session) => !isHere(session))];
    const view: SessionListView = { current: record.name, workspace, sessions: sorted.slice(0, MAX_SESSIONS) };
    return context.json(view);
  });
  post('/load', nameSchema, ({ name }, context) => done(context, hub.load(name)));
  app.get('/settings', async (context) => context.json(settingsView(await hub.agent())));
  post('/setting', settingSchema, async (body, context) => {
    try {
      const text = await changeSetting(await hub.agent(), body.command, body.argument);
      hub.tell();
      return context.json({ text });
    } catch (error) {
      if (error instanceof RefusedSettingError) return context.json(failure('invalid', error.message), 400);
      throw error;
    }
  });

  post('/complete', lineSchema, async (line, context) => context.json(await complete(line, context.req.raw.signal)));
  post('/highlight', codeSchema, async ({ code, language }, context) =>
    context.json({ parts: (await highlightCode(code, language)) ?? [] }),
  );

  post('/diff-words', rowsSchema, ({ rows }, context) => context.json({ rows: diffRowWords(rows) }));

  app.post('/clear', (context) => done(context, hub.clear()));
  app.post('/stop', async (context) => {
    // A program may send no body.
    const { data } = stopSchema.safeParse(jsonOr(undefined, (await readText(context.req.raw)) ?? ''));
    return done(context, hub.stop(data?.tab));
  });
  post('/unqueue', idSchema, ({ id }, context) => {
    if (hub.unqueue(id)) return context.json(OK);
    return context.json(
      failure('not_queued', 'This message no longer waits. If its run has begun, POST /stop ends it.'),
      409,
    );
  });
  post('/approval', answerSchema, (body, context) => {
    const problem = hub.answer(body);
    return problem === undefined ? context.json(OK) : context.json(failure('no_effect', problem), 409);
  });
  app.onError((error, context) =>
    context.json(failure('failed', messageOf(error)), error instanceof UsageError ? 409 : 500),
  );
  return app;
}

const OK = { status: 'ok' };

/** Streams the events of one message, from its start to its end. */
async function sendAnswer(hub: SessionHub, id: string, after: number, stream: SSEStreamingApi): Promise<void> {
  const encode = createChatEncoder();
  for await (const event of eventsOf(id, hub.follow(after, signalOf(stream)))) {
    for (const frame of encode(event)) await stream.writeSSE({ event: frame.event, data: JSON.stringify(frame.data) });
  }
}

/** Sends nothing: the library ends a stream that fails with a frame that has the message. The tab connects again. */
async function showError(): Promise<void> {}

/** Aborts when the client of a stream has disconnected. */
function signalOf(stream: SSEStreamingApi): AbortSignal {
  const gone = new AbortController();
  stream.onAbort(() => gone.abort());
  return gone.signal;
}

async function done(context: Context, work: Promise<void> | void): Promise<Response> {
  await work;
  return context.json(OK);
}

/** The body of a request, or the response with the reason why it cannot be used. */
async function readBody<Body>(context: Context, schema: z.ZodType<Body>): Promise<Body | Response> {
  const text = await readText(context.req.raw);
  if (text === undefined) {
    // The rest of the body is not read, so the connection cannot serve another request.
    return context.json(failure('too_large', 'The message is longer than 1 MB. Send less at once.'), 413, {
      connection: 'close',
    });
  }
  const body = jsonOr(undefined, text);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const problem = body === undefined ? 'it is not JSON' : z.prettifyError(parsed.error);
  return context.json(failure('invalid', `The body of the request cannot be used: ${problem}`), 400);
}

function failure(code: string, message: string): object {
  return { error: { code, message } };
}

/** Largest body of a request, in bytes. */
const MAX_BODY = 1_000_000;

/**
 * Reads the body of a request, with or without its length in the headers; `undefined` if it is longer than 1 MB.
 * `hono/body-limit` copies a request without a length, which fails for those of `@hono/node-server`.
 */
async function readText(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY) return undefined;
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  // A loop over the body would destroy the connection at its early end, and with it the answer.
  const reader = request.body?.getReader();
  for (let step = await reader?.read(); step?.done === false; step = await reader?.read()) {
    size += step.value.byteLength;
    if (size > MAX_BODY) return undefined;
    text += decoder.decode(step.value, { stream: true });
  }
  return text + decoder.decode();
}
