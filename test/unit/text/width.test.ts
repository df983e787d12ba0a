import stringWidth from 'string-width';
import { beforeAll, describe, expect, it } from 'vitest';
import { clusters, createWidths, loadWidths, maxWidth, textWidth } from '../../../src/text/width.ts';

describe('the width of a text before exact widths are loaded', () => {
  it.each([
    ['plain text', 10, 10, false],
    ['\u001b[2m▌ mock · ask\u001b[22m', 12, 12, false],
    ['a日本', 5, 5, true],
    ['e\u0301', 4, 1, true],
    ['👩🏽‍💻', 14, 2, true],
  ])('of %j is estimated at %i columns, and then measured as %i', async (text, estimate, exact, isEstimated) => {
    const widths = createWidths(async () => stringWidth);
    expect(widths.textWidth(text)).toBe(estimate);
    expect(await widths.loadWidths()).toBe(isEstimated);
    expect(await widths.loadWidths()).toBe(false);
    expect(widths.textWidth(text)).toBe(exact);
  });
});

describe('the width of a text', () => {
  beforeAll(loadWidths);

  it('of a narrow character is that of the library', () => {
    const units = Array.from({ length: 0x3000 }, (_, unit) => String.fromCharCode(unit));
    // The width of other texts, estimated here at two columns or more, comes from the library.
    const { textWidth: estimatedWidth } = createWidths(async () => stringWidth);
    const narrow = units.filter((unit) => estimatedWidth(unit) === 1);
    expect(narrow.length).toBeGreaterThan(1_000);
    expect(narrow.filter((unit) => textWidth(unit) !== stringWidth(unit))).toEqual([]);
    expect(narrow.filter((unit) => textWidth(`a${unit}a`) !== stringWidth(`a${unit}a`))).toEqual([]);
  });

  it.each([
    ['', 0],
    ['plain text', 10],
    ['žluťoučký', 9],
    ['▌ ⠙ a … · –', 11],
    ['a\u00ad\u200b', 1],
    ['日本語', 6],
    ['👩🏽‍💻', 2],
    ['e\u0301', 1],
    ['🇨🇿', 2],
    ['\u001b[31mred\u001b[39m', 3],
  ])('of %j is %i columns', (text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });
});

describe('the largest width that a terminal may give to a text', () => {
  beforeAll(loadWidths);

  it.each([
    ['plain text', 10],
    ['日本 e\u0301', 6],
    ['👍', 2],
    ['❤\ufe0f', 2],
    ['👍🏽', 4],
    ['👩🏽‍💻 a', 8],
    ['\u001b[31m👍🏽\u001b[39m', 4],
  ])('of %j is %i columns', (text, columns) => {
    expect(maxWidth(text)).toBe(columns);
  });

  it('is an estimate before the exact widths are loaded', async () => {
    const widths = createWidths(async () => stringWidth);
    expect(widths.maxWidth('👍🏽')).toBe(8);
    expect(await widths.loadWidths()).toBe(true);
    expect(widths.maxWidth('👍🏽')).toBe(4);
  });
});

describe('the clusters of a text', () => {
  it.each([
    ['', []],
    ['a b', ['a', ' ', 'b']],
    ['a\n\nb', ['a', '\n', '\n', 'b']],
    ['e\u0301x', ['e\u0301', 'x']],
    ['a👩🏽‍💻🇨🇿日', ['a', '👩🏽‍💻', '🇨🇿', '日']],
  ])('%j', (text, expected) => {
    expect(clusters(text)).toEqual(expected);
  });
});
