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
  [true, false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  [true, true, { FORCE_COLOR: '0' }, false],
  [true, true, { FORCE_COLOR: 'false' }, false],
  [true, false, { FORCE_COLOR: '' }, false],
  [false, true, { FORCE_COLOR: '1' }, false],
])(
  'with the setting %j, a terminal %j and the environment %j, output is coloured: %j',
  (setting, isTerminal, environment, expected) => {
    expect(wantsColour(setting, isTerminal, environment)).toBe(expected);
  },
);
