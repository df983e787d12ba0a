import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchConversation } from '../../mock-llm-server/matching/match.ts';
import { readTextResults } from '../../mock-llm-server/matching/text-results.ts';
import { anyText } from '../support/random/any-text.ts';
import { propertySettings } from '../support/random/property.ts';
import { assistant, conversation, scenarioSet, steps, user } from '../support/stories/builders.ts';

const set = scenarioSet({ scenarios: [{ name: 'n', trigger: 'never said', steps: steps() }] });
const said = (text: string) => conversation(user('go'), assistant('ls'), user(text));

describe('any text', () => {
  const anyPiece = fc.oneof(
    anyText,
    fc.constantFrom(
      ...['<tool_resp id="a">', '</tool_resp>', '<tool_result id=b #>', '</#>'],
      ...[
        '<tool_resp',
        '<tool_resp id="a">',
        '</tool_resp>',
        '<tool_result id=b #>',
        '</#>',
        '<tool_response>',
        '>',
        '`',
      ],
      ...['</tool_response>', ' id="', "'", '#x>', '</#x>'],
    ),
  );

  it('is read without loss: its parts keep their order and contain every result', () => {
    let found = 0;
    fc.assert(
      fc.property(fc.array(anyPiece, { minLength: 8, maxLength: 24 }), (pieces) => {
        const text = pieces.join('');
        const lost: string[] = [];
        let position = 0;
        for (const part of readTextResults(said(text)).at(-1)?.parts ?? []) {
          const piece = part.type === 'text' ? part.text : part.type === 'tool_result' ? part.content : '';
          if (part.type === 'tool_result') found++;
          const start = text.indexOf(piece, position);
          if (start === -1) lost.push(piece);
          position = start + piece.length;
        }
        expect(lost).toEqual([]);
        expect(matchConversation(said(text), set).type).toBe('unmatched');
      }),
      propertySettings(40),
    );
    expect(found).toBeGreaterThan(10);
  });
});
