import fc from 'fast-check';
import type { Message } from '../../../src/agent/ports/messages.ts';
import { repairHistory } from '../../../src/agent/repair-history.ts';

/** Texts from a few characters to several thousand, of one or more tokens each. */
const anyText = fc
  .tuple(fc.constantFrom('a', 'line\n', '漢字', '🙂'), fc.constantFrom(1, 3, 30, 300, 3_000))
  .map(([piece, count]) => piece.repeat(count));

const anyCall = fc.record({
  name: fc.constantFrom('read', 'write'),
  arguments: anyText.map((text) => JSON.stringify({ text })),
});

const anyTurn: fc.Arbitrary<readonly Message[]> = fc
  .record({
    prompt: fc.option(anyText, { nil: undefined, freq: 3 }),
    file: fc.option(anyText, { nil: undefined }),
    summary: fc.boolean(),
    text: fc.oneof(fc.constant(''), anyText),
    calls: fc.array(fc.record({ call: anyCall, result: anyText, isError: fc.boolean(), image: fc.boolean() }), {
      maxLength: 4,
    }),
    state: fc.option(anyText, { nil: undefined }),
  })
  .map(({ prompt, file, summary, text, calls, state }) => {
    const toolCalls = calls.map(({ call }, index) => ({ id: `c${index}`, ...call }));
    const user: readonly Message[] =
      prompt === undefined ? [] : [{ role: 'user', content: prompt, ...(summary ? { summary: true } : {}) }];
    const named: readonly Message[] =
      file === undefined ? [] : [{ role: 'user', content: file, reminder: true, file: 'a.md' }];
    const providerState = state === undefined ? {} : { providerState: { model: 'm', items: [state] } };
    return [
      ...named,
      ...user,
      { role: 'assistant', content: text, toolCalls, ...providerState },
      ...calls.map(({ result, isError, image }, index): Message => {
        const images = image ? [{ mediaType: 'image/png', data: 'AAAA' } as const] : undefined;
        return { role: 'tool', toolCallId: `c${index}`, content: result, isError, ...(images && { images }) };
      }),
    ];
  });

/** A valid history that begins with a prompt of the user, of a few to some hundred thousand tokens. */
export const anyHistory: fc.Arbitrary<readonly Message[]> = fc
  .tuple(anyText, fc.array(anyTurn, { maxLength: 12 }), fc.option(anyText, { nil: undefined }))
  .map(([first, turns, last]) => {
    const end: readonly Message[] = last === undefined ? [] : [{ role: 'user', content: last }];
    return repairHistory([{ role: 'user', content: first }, ...turns.flat(), ...end]);
  });
