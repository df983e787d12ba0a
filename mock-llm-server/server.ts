import { type Context, Hono } from 'hono';
import { type Answer, answerConversation } from './answer.ts';
import { digestOf } from './ids.ts';
import { escapeControls } from './log-line.ts';
import type { ScenarioSet } from './scenario-set.ts';
import {
  CALL_ID_PREFIX,
  type ChatError,
  chatError,
  encodeChatFrames,
  encodeChatRefusal,
  encodeChatReply,
  encodeModels,
  readChatRequest,
} from './wire/openai-chat.ts';

export interface MockServerOptions {
  readonly scenarios: ScenarioSet;
  /** Takes one line for each request, without a line end. Silent when left out. */
  readonly log?: (line: string) => void;
}

/**
 * The server as a Hono app without a port: `app.request('/v1/chat/completions', …)` answers in process. It keeps no
 * state; equal requests get equal bodies and headers.
 */
export function createMockServer({ scenarios, log: write = () => {} }: MockServerOptions): Hono {
  const app = new Hono();
  const log = (line: string) => write(escapeControls(line));
  const chat = async (context: Context) => {
    const body = await context.req.text();
    context.header('x-request-id', `req_${digestOf(context.req.path, body).slice(0, 32)}`);
    const request = readChatRequest(body);
    if ('error' in request) {
      log(`${context.req.path} 400 ${request.error.message}`);
      return refuse(context, 400, request);
    }
    const answer = answerConversation(request.conversation, scenarios, CALL_ID_PREFIX);
    log(`${context.req.path} ${describeAnswer(answer)}`);
    if (answer.type !== 'reply') return refuse(context, 400, encodeChatRefusal(answer));
    if (!request.stream) return context.json(encodeChatReply(answer.reply));
    context.header('content-type', 'text/event-stream; charset=utf-8');
    context.header('cache-control', 'no-cache');
    return context.body(encodeChatFrames(answer.reply, request.includeUsage).join(''));
  };
  for (const path of ['/v1/chat/completions', '/chat/completions']) {
    app.post(path, chat);
    app.all(path, (context) => {
      log(`${path} 405`);
      context.header('allow', 'POST');
      return refuse(context, 405, chatError('Only POST requests are accepted.', { code: 'method_not_supported' }));
    });
  }
  app.get('/v1/models', (context) => context.json(encodeModels()));
  app.get('/health', (context) => context.json({ status: 'ok', scenarios: scenarios.scenarios.length }));
  app.notFound((context) => {
    const { method, path } = context.req;
    log(`${path} 404`);
    return refuse(context, 404, chatError(`Unknown request URL: ${method} ${path}.`, { code: 'unknown_url' }));
  });
  // Mostly a client that has gone before its request was there.
  app.onError(({ message }, context) => {
    log(`${context.req.path} 500 ${message}`);
    return context.json(chatError(`The server failed: ${message}`, { type: 'server_error' }), 500);
  });
  return app;
}

/** A repeated request would get the same answer, so the official clients are told not to try. */
function refuse(context: Context, status: 400 | 404 | 405, error: ChatError): Response {
  context.header('x-should-retry', 'false');
  return context.json(error, status);
}

function describeAnswer(answer: Answer): string {
  switch (answer.type) {
    case 'reply': {
      const { source } = answer.reply;
      return source === undefined ? '200 default_response' : `200 ${source.scenario} step ${source.step}`;
    }
    case 'refusal':
      return `400 ${answer.code}: ${answer.message}`;
    case 'unpaired_results':
      return `400 unpaired tool results, missing: [${answer.missing.join(', ')}], orphans: [${answer.orphans.join(', ')}]`;
    default:
      return answer satisfies never;
  }
}
