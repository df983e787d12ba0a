import fc from 'fast-check';
import type { Reply } from '../../mock-llm-server/conversation.ts';
import { anyText } from './any-text.ts';

/** An answer with any texts, and with calls whose arguments hold any texts. */
export const anyReply = fc
  .record({ reasoning: anyText, content: anyText, inputs: fc.array(anyText, { maxLength: 3 }) })
  .map(
    ({ reasoning, content, inputs }): Reply => ({
      digest: 'd'.repeat(64),
      created: 1_750_000_000,
      model: 'm',
      reasoning,
      content,
      toolCalls: inputs.map((text, index) => ({
        id: `call_${index}`,
        name: 'x',
        input: 'json',
        arguments: JSON.stringify({ text, [`key ${text}`]: [index] }),
      })),
      finish: inputs.length > 0 ? 'tool_calls' : 'stop',
      usage: { inputTokens: 30, outputTokens: 14 },
      source: undefined,
    }),
  );

/** A response whose body comes in chunks of this many bytes. */
export function chunkedResponse(body: string, size: number, contentType: string): Response {
  const bytes = new TextEncoder().encode(body);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let start = 0; start < bytes.length; start += size) controller.enqueue(bytes.slice(start, start + size));
      controller.close();
    },
  });
  return new Response(stream, { headers: { 'content-type': contentType } });
}
