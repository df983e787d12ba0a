import { describe, expect, it } from 'vitest';
import { areInView, type Span, stepOn } from '../../../src/web/page/question/in-view.js';

const VIEW = { top: 100, bottom: 500 };
const span = (top: number, bottom: number): Span => ({ top, bottom });

describe('the answers to a question', () => {
  it.each<[string, Span, boolean]>([
    ['within the view', span(400, 500), true],
    ['half a pixel below', span(400, 500.5), true],
    ['partly below', span(450, 550), false],
    ['below', span(600, 700), false],
    ['partly above', span(50, 150), false],
    ['above', span(0, 90), false],
    ['higher than the view, with their end in it', span(-200, 480), true],
    ['higher than the view, with their start in it', span(150, 900), false],
    ['higher than the view, and above it', span(-900, 90), false],
  ])('are in view: %s', (_where, answers, expected) => {
    expect(areInView(answers, VIEW)).toBe(expected);
  });

  it.each<[string, Span, number]>([
    ['by a page, less some lines', span(2000, 2100), 352],
    ['to their end', span(550, 650), 150],
    ['back to them', span(0, 90), -410],
  ])('come into view: %s', (_how, answers, step) => {
    expect(stepOn(answers, VIEW)).toBe(step);
  });

  it('come into view even in a very low window', () => {
    expect(stepOn(span(500, 900), span(0, 40))).toBe(20);
  });

  it('are in view after some steps, wherever they are', () => {
    for (const [top, height] of [
      [3000, 80],
      [700, 900],
      [-2000, 80],
      [-20, 60],
    ] as const) {
      let answers = span(top, top + height);
      for (let count = 0; count < 12 && !areInView(answers, VIEW); count += 1) {
        const step = stepOn(answers, VIEW);
        answers = span(answers.top - step, answers.bottom - step);
      }
      expect(areInView(answers, VIEW)).toBe(true);
    }
  });
});
