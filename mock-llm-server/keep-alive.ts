import type { Protocol } from './conversation.ts';

const EVENT_STREAM = 'text/event-stream';

/** What keeps a stream of this kind open and says nothing; nothing where the protocol has no such thing. */
export function keepAliveOf(protocol: Protocol, contentType: string): string | undefined {
  if (!contentType.startsWith(EVENT_STREAM)) return undefined;
  return protocol === 'anthropic-messages' ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': keep-alive\n\n';
}
