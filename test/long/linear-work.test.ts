import { describe, expect, it } from 'vitest';
import { redact } from '../../mock-llm-server/journal/redact.ts';
import { matchConversation } from '../../mock-llm-server/matching/match.ts';
import { readTextResults } from '../../mock-llm-server/matching/text-results.ts';
import { findWarnings } from '../../mock-llm-server/scenario/loading/find-warnings.ts';
import { parseScenarioFile } from '../../mock-llm-server/scenario/loading/parse.ts';
import { parseCommandLine } from '../../src/policy/shell/parse/command-line.ts';
import { BlockReader } from '../../src/providers/xnl/read-blocks.ts';
import { readCall } from '../../src/providers/xnl/read-call.ts';
import { createSplicer, findExact } from '../../src/text/diff/exact-match.ts';
import { findNearestWindow } from '../../src/text/diff/nearest-window.ts';
import { runAtOnce } from '../../src/text/steps.ts';
import { createOutputCleaner } from '../../src/tools/shell/shell-output.ts';
import { expectLinearWork } from '../support/random/growth.ts';
import { assistant, call, conversation, results, scenarioSet, steps, user } from '../support/stories/builders.ts';

describe('expectLinearWork', () => {
  it('accepts a pass over the text', () => {
    expect(() => expectLinearWork(10_000, (size) => 'a'.repeat(size).replaceAll('a', 'b'))).not.toThrow();
  });

  it('accepts work below the noise, whatever its growth', () => {
    expect(() => expectLinearWork(1, (size) => size ** 2)).not.toThrow();
  });

  it.each<readonly [string, (size: number) => unknown]>([
    ['an expression that backtracks from each position', (size) => /a+b/.test('a'.repeat(size))],
    [
      'a loop within a loop',
      (size) => {
        let sum = 0;
        for (let left = 0; left < size; left++) for (let right = 0; right < size; right++) sum += left ^ right;
        return sum;
      },
    ],
  ])('rejects %s', (_name, task) => {
    expect(() => expectLinearWork(3_500, task)).toThrow(/^the work does not grow linearly; size 3500 and 14000 took /);
  });
});

describe('the time of ybs grows linearly', () => {
  it('with the blocks in one chunk of an answer', () => {
    expectLinearWork(2_000, (size) => new BlockReader().read('!unquote_start\n!unquote_end\n'.repeat(size)));
  });

  it('with the white space after a call', () => {
    expectLinearWork(5_000, (size) => readCall(`SysBuiltIn.bash({})${' '.repeat(size)}x`));
  });

  it.each(['[', '[]', ']', '$', '[$(]'])('with the repeated %j in a quoted word', (piece) => {
    expectLinearWork(5_000, (size) => {
      parseCommandLine(`x='${piece.repeat(size)}'`);
    });
  });

  it('with the occurrences of a text that is replaced', () => {
    expectLinearWork(5_000, (size) => {
      const matches = runAtOnce(findExact('a\n'.repeat(size), 'a'));
      expect(Array.from({ length: matches.count }, (_, index) => matches.at(index))).toHaveLength(size);
    });
  });

  it('with the ranges that are replaced', () => {
    expectLinearWork(5_000, (size) => {
      const ranges = Array.from({ length: size }, (_, index) => ({ start: 2 * index, end: 2 * index + 1 }));
      expect(ranges.map(createSplicer('a '.repeat(size), 'a'.repeat(size), ';\n'))).toHaveLength(size);
    });
  });

  it('with the lines of a file that is searched for the nearest text', () => {
    expectLinearWork(1_000, (size) => {
      const lines = Array.from({ length: size }, (_, index) => `const value${index} = compute(${index});\n`);
      const nearest = runAtOnce(findNearestWindow(lines.join(''), 'const value750 = conpute(750);\n'));
      expect(nearest?.firstLine).toBe(751);
    });
  });

  it.each([
    ['carriage returns', '\r'],
    ['sequence beginnings', '\u001b['],
    ['string beginnings', '\u001b]a'],
    ['backspaces', 'a\b'],
  ])('with the %s in the output of a command', (_name, piece) => {
    expectLinearWork(5_000, (times) => {
      const cleaner = createOutputCleaner();
      return cleaner.push(piece.repeat(times)) + cleaner.flush();
    });
  });
});

describe('the time of mock-llm-server grows linearly', () => {
  it.each<readonly [string, (times: number) => string]>([
    ['truncated tags', (times) => '<tool_resp'.repeat(times)],
    ['tags that are never closed', (times) => '<tool_resp id="a">'.repeat(times)],
    ['marks that are never closed', (times) => Array.from({ length: times }, (_, n) => `<tool_resp #m${n}>`).join('')],
    ['a tag without an end', (times) => `<tool_resp ${' id="'.repeat(times)}`],
    ['attributes without values', (times) => `<tool_resp${' id '.repeat(times)}>x</tool_resp>`],
    ['spaces', (times) => `<tool_resp${' '.repeat(times)}#${' '.repeat(times)}>${'\n'.repeat(times)}</tool_resp>`],
    ['closes without tags', (times) => '</tool_resp>'.repeat(times)],
    ['closes of another kind', (times) => `${'<tool_result>'.repeat(times)}${'</tool_resp>'.repeat(times)}`],
  ])('with results in texts: %s', (_name, textOf) => {
    expectLinearWork(5_000, (times) => readTextResults(conversation(user('go'), assistant('ls'), user(textOf(times)))));
  });

  it.each<readonly [string, (index: number) => string]>([
    ['different ids', (index) => `c${index}`],
    ['the same id', () => 'a'],
  ])('with results that have %s', (_name, idOf) => {
    const set = scenarioSet({ scenarios: [{ name: 'pair', trigger: 'go', steps: steps(2, 1, 1) }] });
    expectLinearWork(2_000, (many) => {
      const ids = Array.from({ length: many }, (_, index) => idOf(index));
      const calls = assistant(...ids.map((id) => call(id)));
      const backwards = results([...ids].reverse());
      matchConversation(conversation(user('go'), calls, backwards), set, { pairing: 'right_after' });
      matchConversation(conversation(user('go'), calls, user('x'), backwards), set, { pairing: 'by_call_id' });
    });
  });

  it.each(['eyJ-', 'sk-', 'authorization ', 'bearer ', 'AIza', '?key=', 'API_KEY='])(
    'with a text of %j that is redacted',
    (piece) => {
      expectLinearWork(20_000, (times) => redact(piece.repeat(times)));
    },
  );

  it('with numbered triggers', () => {
    expectLinearWork(1_000, (size) => {
      const scenarios = Array.from({ length: size }, (_, number) => ({
        name: `scenario ${number}`,
        trigger: `please do number ${number} of them`,
        steps: [{ response: { content: 'x' } }],
      }));
      const content = parseScenarioFile(JSON.stringify({ scenarios }), 'f.json');
      expect(findWarnings([{ file: 'f.json', content }])).toEqual([]);
    });
  });
});
