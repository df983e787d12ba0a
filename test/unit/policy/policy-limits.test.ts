import { expect, it } from 'vitest';
import { keptApprovals, limitBy, stricterLevel, stricterMode } from '../../../src/policy/policy-limits.ts';

const LIMITS = { file: '/etc/ybs/policy.json', keeps: {} };

it.each([
  ['full-access', 'ask', 'ask'],
  ['plan', 'ask', 'plan'],
  ['ask', 'ask', 'ask'],
  ['full-access', undefined, 'full-access'],
  [undefined, 'plan', 'plan'],
  [undefined, undefined, undefined],
] as const)('the stricter of the modes %s and %s is %s', (one, other, expected) => {
  expect(stricterMode(one, other)).toBe(expected);
});

it.each([
  ['automatic', 'ask_always', 'ask_always'],
  ['denied', 'ask_once', 'denied'],
  ['automatic', undefined, 'automatic'],
  [undefined, 'denied', 'denied'],
  [undefined, undefined, undefined],
] as const)('the stricter of the levels %s and %s is %s', (one, other, expected) => {
  expect(stricterLevel(one, other)).toBe(expected);
});

it('changes by the user in a session stay as strict as the policy', () => {
  const limit = limitBy({ ...LIMITS, mode: 'ask', levels: { run_shell: 'ask_always', web: 'denied' } });
  expect(limit({ mode: 'full-access', levels: { run_shell: 'automatic', read_file: 'automatic' }, more: 1 })).toEqual({
    ...{ mode: 'ask', levels: { run_shell: 'ask_always', web: 'denied', read_file: 'automatic' }, more: 1 },
  });
  const settings = { mode: 'full-access', levels: {} } as const;
  expect(limitBy({ ...LIMITS, levels: {} })(settings)).toEqual(settings);
  expect(limitBy(undefined)(settings)).toBe(settings);
});

it.each([
  [true, undefined, true],
  [false, undefined, false],
  [true, LIMITS, true],
  [true, { ...LIMITS, keepsNoApproval: true as const }, undefined],
  [false, { ...LIMITS, keeps: { 'safety.allowed_commands': [] } }, undefined],
])('approvals that are stored with %s and %j: %s', (persists, limits, kept) => {
  expect(keptApprovals(persists, limits && { levels: {}, ...limits })).toBe(kept);
});
