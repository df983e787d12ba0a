import { expect, it } from 'vitest';
import {
  createSearch,
  type PatternSearch,
  SlowSearchError,
  withoutLongSearches,
  withSearches,
} from '../../../../mock-llm-server/scenario/trigger/pattern.ts';

const LONG = `${'a'.repeat(60)}!`;

/** A search that finds nothing, and records what it was asked for. */
function recordingSearch() {
  const asked: PatternSearch[] = [];
  return {
    asked,
    search: async (searches: readonly PatternSearch[]) => {
      asked.push(...searches);
      return searches.map(() => ({ groups: undefined }));
    },
  };
}

it.each([
  // Nested and adjacent repetitions, in the forms of public lists of catastrophic expressions.
  ['(a+)+$', 'i'],
  ['^(a+)+$', 'i'],
  ['([a-zA-Z]+)*$', ''],
  ['(a|aa)+$', ''],
  ['(a|a?)+$', ''],
  ['(.*a){25}', ''],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', ''],
  ['(?<name>a*)*b', ''],
  ['(?=(a+)+b)a', ''],
  ['(?:a?){60}a{60}', ''],
  ['a?'.repeat(30) + 'a'.repeat(30), ''],
  ['(a|b|ab)(a|b|ab)(a|b|ab)(a|b|ab)(a|b|ab)(a|b|ab)(a|b|ab)(a|b|ab)(a|b|ab)(a|b|ab)(a|b|ab)(a|b|ab)(a|b|ab)', ''],
  ['(x)\\1a*', ''],
  ['(?<x>x)\\k<x>a*', ''],
  ['.*.*.*.*=.*', ''],
  ['\\s+\\s+\\s+\\s+$', ''],
  ['[[a-z]+]+$', 'v'],
])('a search for /%s/%s in a long text can be ended', async (source, flags) => {
  const { asked, search } = recordingSearch();
  const find = createSearch(source, flags, 's');
  expect(await withSearches(() => find(LONG), search)).toBeUndefined();
  expect(asked).toEqual([{ source, flags, scenario: 's', text: LONG }]);
  expect(withoutLongSearches(() => find(LONG) ?? 'nothing')).toBeUndefined();
});

it.each([
  ['\\brename (?<from>\\w+) to (?<to>\\w+)\\b', 'i', 'rename a to b', { from: 'a', to: 'b' }],
  ['^(?!llama3|gpt-5|claude-|gemini-)', 'i', 'mistral-large', {}],
  ['opus|gpt-5', '', 'claude-opus', {}],
  ['[(*+?]\\(\\*x', '', 'say +(*x', {}],
  ['(?<a>x)|(?<b>y)', '', 'y', { b: 'y' }],
  ['^(?:yes|no)$', '', 'yes', {}],
  ['[a-z]+ing', '', `${'x'.repeat(200)}ing`, {}],
  ['[^\\]]', '', 'x', {}],
])('a search for /%s/%s runs at once', async (source, flags, text, groups) => {
  const { asked, search } = recordingSearch();
  expect(await withSearches(() => createSearch(source, flags, 's')(text), search)).toEqual(groups);
  expect(asked).toEqual([]);
});

it('uses the outcomes of searches, and forgets the error of an attempt without them', async () => {
  const find = createSearch('(?<word>a+)+!', 'i', 's');
  const act = () => {
    const groups = find(LONG);
    if (groups === undefined) throw new Error('not found');
    return groups;
  };
  expect(await withSearches(act, async () => [{ groups: { word: 'a' } }])).toEqual({ word: 'a' });
  await expect(withSearches(act, async () => [{ groups: undefined }])).rejects.toThrow('not found');
});

it('a search that was ended fails only if it is needed', async () => {
  const [first, second] = ['(a+)+!', '(a+)+b'].map((source) => createSearch(source, '', 'slow one'));
  const either = () => first?.(LONG) ?? second?.(LONG);
  const error = await withSearches(either, async () => [{ groups: undefined }, 'too slow']).catch(
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(SlowSearchError);
  expect(String(error)).toMatchInlineSnapshot(
    `"SlowSearchError: The expression /(a+)+b/ of scenario "slow one" takes too long on a text of this request, so that its search was ended. Write one without nested repetitions, such as a+ in place of (a+)+."`,
  );
  expect(await withSearches(either, async () => [{ groups: { found: 'x' } }, 'too slow'])).toEqual({ found: 'x' });
});

it('searches run at once where nothing can end them', () => {
  expect(createSearch('(a+)+!', '', 's')('aaa!')).toEqual({});
});
