import { expect, it } from 'vitest';
import { wantsColour } from '../../../src/terminal/output.ts';

it.each([
  [true, true, {}, true],
  [true, true, { NO_COLOR: '' }, true],
  [true, true, { NO_COLOR: '1' }, false],
  [true, true, { TERM: 'dumb' }, false],
  [true, true, { TERM: 'xterm' }, true],
  [true, false, {}, false],
  [false, true, {}, false],
])(
  'with the setting %j, a terminal %j and the environment %j, output is coloured: %j',
  (setting, isTerminal, environment, expected) => {
    expect(wantsColour(setting, isTerminal, environment)).toBe(expected);
  },
);
