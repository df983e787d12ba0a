import { expect, it } from 'vitest';
import { permissionModeOf } from '../../../../src/headless/stream-json/modes.ts';
import { yumeModeOf } from '../../../../src/headless/yume/modes.ts';
import { PERMISSION_MODES } from '../../../../src/ports/approver.ts';

it.each([
  ['ask', 'default'],
  ['full-access', 'auto'],
  ['read-only', 'deny'],
  ['accept-edits', 'accept-edits'],
  ['plan', 'plan'],
])('the mode %s is %s for Yume', (own, yume) => {
  expect(yumeModeOf(own)).toBe(yume);
});

it.each(PERMISSION_MODES)('Yume can ask for the mode %s by the name that it is shown, and by that of ybs', (mode) => {
  expect([permissionModeOf(yumeModeOf(mode)), permissionModeOf(mode)]).toEqual([mode, mode]);
});
