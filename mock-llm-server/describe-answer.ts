import type { Answer } from './answer.ts';
import type { Reply } from './conversation.ts';
import type { Wire, WireError } from './wire/wire.ts';

/** An answer in a line of the log. */
export function describeAnswer(answer: Answer): string {
  switch (answer.type) {
    case 'reply':
      return describeReply(answer);
    case 'refusal':
      return `400 ${answer.code}: ${answer.message}`;
    case 'unpaired_results':
      return `400 unpaired tool results, missing: [${answer.missing.join(', ')}], orphans: [${answer.orphans.join(', ')}]`;
    default:
      return answer satisfies never;
  }
}

/** A reply in a line of the log. `status` is that of the fault which takes its place. */
export function describeReply({ reply, auxiliary }: DescribedReply, status = 200): string {
  if (auxiliary !== undefined) return `${status} auxiliary ${auxiliary}`;
  const { source } = reply;
  return source === undefined ? `${status} default_response` : `${status} ${source.scenario} step ${source.step}`;
}

interface DescribedReply {
  readonly reply: Reply;
  readonly auxiliary?: string | undefined;
}

/** A no, for the protocol to write. */
export function errorOf(answer: Exclude<Answer, { type: 'reply' }>, wire: Wire): WireError {
  if (answer.type === 'unpaired_results') return wire.unpaired(answer);
  const { code, message, param = 'messages' } = answer;
  return { type: 'error', status: 400, code, message, ...(param !== null && { param }) };
}

/** How near a request came to a scenario, for those who look at headers only. */
export function missHeaders(answer: Exclude<Answer, { type: 'reply' }>): Readonly<Record<string, string>> {
  if (answer.type !== 'refusal') return {};
  const { nearest, failed } = answer.miss ?? {};
  const parts = [
    answer.code,
    ...(nearest === undefined ? [] : [`nearest=${encodeURIComponent(nearest)}`]),
    ...(failed === undefined ? [] : [`failed=${encodeURIComponent(failed)}`]),
  ];
  return { 'x-mock-miss': parts.join('; ') };
}
