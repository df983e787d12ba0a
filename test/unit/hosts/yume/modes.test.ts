import { expect, it } from 'vitest';
import { PERMISSION_MODES } from '../../../../src/agent/ports/approver.ts';
import { permissionModeOf, yumeModeOf } from '../../../../src/hosts/stream-json/modes.ts';

it.each([
  ['ask', 'default'],
  ['full-access', 'auto'],
  ['read-only', 'deny'],
  ['accept-edits', 'accept-edits'],
  ['plan', 'plan'],
])('the mode %s is %s for Yume', (own, yume) => {
  expect(yumeModeOf(own)).toBe(yume);
});

it.each(PERMISSION_MODES)('Yume can request the mode %s by the name that it is shown, and by that of ybs', (mode) => {
  expect([permissionModeOf(yumeModeOf(mode)), permissionModeOf(mode)]).toEqual([mode, mode]);
});
