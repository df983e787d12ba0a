import { describe, expect, it } from 'vitest';
import { clusters, textWidth } from '../../../src/text/width.ts';

describe('the width of a text', () => {
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
  ])('%j takes %i columns', (text, columns) => {
    expect(textWidth(text)).toBe(columns);
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
