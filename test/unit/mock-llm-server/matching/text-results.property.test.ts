import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchConversation } from '../../../../mock-llm-server/matching/match.ts';
import { readTextResults } from '../../../../mock-llm-server/matching/text-results.ts';
import { anyText } from '../../../support/any-text.ts';
import { expectLinearWork } from '../../../support/growth.ts';
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

  it.each<readonly [string, (times: number) => string]>([
    ['tags that are cut', (times) => '<tool_resp'.repeat(times)],
    ['tags that are never closed', (times) => '<tool_resp id="a">'.repeat(times)],
    ['marks that are never closed', (times) => Array.from({ length: times }, (_, n) => `<tool_resp #m${n}>`).join('')],
    ['a tag without an end', (times) => `<tool_resp ${' id="'.repeat(times)}`],
    ['attributes without values', (times) => `<tool_resp${' id '.repeat(times)}>x</tool_resp>`],
    ['spaces', (times) => `<tool_resp${' '.repeat(times)}#${' '.repeat(times)}>${'\n'.repeat(times)}</tool_resp>`],
    ['closes without tags', (times) => '</tool_resp>'.repeat(times)],
    ['closes of another kind', (times) => `${'<tool_result>'.repeat(times)}${'</tool_resp>'.repeat(times)}`],
  ])('many %s are read in linear time', (_name, textOf) => {
    expectLinearWork(5_000, (times) => readTextResults(said(textOf(times))));
  });
});
