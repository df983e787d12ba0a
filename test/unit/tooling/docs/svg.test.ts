import { describe, expect, it } from 'vitest';
import { animationSvg, type Cell } from '../../../../tooling/docs/animation/svg.ts';

const PLAIN = { colour: undefined, bold: false, dim: false, italic: false, underline: false, inverse: false };
const row = (text: string, style: Partial<Cell> = {}): readonly Cell[] =>
  [...text].map((character) => ({ ...PLAIN, ...style, text: character }));

describe('the picture of a run', () => {
  it('has each row in its styles, with escaped text', () => {
    const svg = animationSvg([row('$ ybs'), [...row('a<b '), ...row('c&', { colour: 1, inverse: true })]], 80);
    expect(svg).toContain('<g class="r0"><text y="30"><tspan x="16.0" textLength="42.0">$ ybs</tspan></text></g>');
    expect(svg).toContain('<rect x="49.6" y="35" width="16.8" height="19" fill="#f2777a"/>');
    expect(svg).toContain('<tspan x="49.6" textLength="16.8" style="fill:#16181d">c&amp;</tspan>');
    expect(svg).toContain('a&lt;b</tspan>');
  });

  it('scrolls only if its rows do not fit', () => {
    const rows = (count: number) => Array.from({ length: count }, (_, index) => row(`${index}`));
    expect(animationSvg(rows(28), 80)).toContain('transform:translateY(0px)');
    expect(animationSvg(rows(30), 80)).toContain('transform:translateY(-38px)');
  });
});
