import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchConversation } from '../../../../mock-llm-server/matching/match.ts';
import { readTextResults } from '../../../../mock-llm-server/matching/text-results.ts';
import { anyText } from '../../../support/any-text.ts';
import { propertySettings } from '../../../support/property.ts';
import { assistant, conversation, scenarioSet, steps, user } from '../builders.ts';

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
        let position = 0;
        for (const part of readTextResults(said(text)).at(-1)?.parts ?? []) {
          const piece = part.type === 'text' ? part.text : part.type === 'tool_result' ? part.content : '';
          if (part.type === 'tool_result') found++;
          const start = text.indexOf(piece, position);
          expect(start).toBeGreaterThanOrEqual(position);
          position = start + piece.length;
        }
        expect(matchConversation(said(text), set).type).toBe('unmatched');
      }),
      propertySettings(),
    );
    expect(found).toBeGreaterThan(20);
  });

  it.each<readonly [string, string]>([
    ['tags that are cut', '<tool_resp'.repeat(100_000)],
    ['tags that are never closed', '<tool_resp id="a">'.repeat(50_000)],
    ['marks that are never closed', Array.from({ length: 50_000 }, (_, n) => `<tool_resp #m${n}>`).join('')],
    ['a tag without an end', `<tool_resp ${' id="'.repeat(200_000)}`],
    ['attributes without values', `<tool_resp${' id '.repeat(200_000)}>x</tool_resp>`],
    ['spaces', `<tool_resp${' '.repeat(500_000)}#${' '.repeat(500_000)}>${'\n'.repeat(500_000)}</tool_resp>`],
    ['closes without tags', '</tool_resp>'.repeat(100_000)],
    ['closes of another kind', `${'<tool_result>'.repeat(50_000)}${'</tool_resp>'.repeat(50_000)}`],
  ])('a megabyte of %s is read in linear time', (_name, text) => {
    const started = performance.now();
    readTextResults(said(text));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
