import type { Answer } from './answer.ts';
import type { Wire, WireError } from './wire/wire.ts';

/** An answer in a line of the log. `status` is that of the fault which takes a reply's place. */
export function describeAnswer(answer: Answer, status = 200): string {
  switch (answer.type) {
    case 'reply': {
      const { source } = answer.reply;
      if (answer.auxiliary !== undefined) return `${status} auxiliary ${answer.auxiliary}`;
      return source === undefined ? `${status} default_response` : `${status} ${source.scenario} step ${source.step}`;
    }
    case 'refusal':
      return `400 ${answer.code}: ${answer.message}`;
    case 'unpaired_results':
      return `400 unpaired tool results, missing: [${answer.missing.join(', ')}], orphans: [${answer.orphans.join(', ')}]`;
    default:
      return answer satisfies never;
  }
}

/** A no, for the protocol to write. */
export function errorOf(answer: Exclude<Answer, { type: 'reply' }>, wire: Wire): WireError {
  if (answer.type === 'unpaired_results') return wire.unpaired(answer);
  return { type: 'error', status: 400, code: answer.code, message: answer.message, param: answer.param ?? 'messages' };
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
