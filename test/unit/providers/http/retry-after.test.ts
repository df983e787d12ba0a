import { expect, it } from 'vitest';
import { readRetryAfter } from '../../../../src/providers/http/retry-after.ts';

const HOUR = 3_600_000;

it.each([
  ['Please try again in 1.5s.', 1_500],
  ['Please try again in 1m30s. Visit us.', 90_000],
  ['try again in 250ms', 250],
  ['Please retry in 34.07s.', 34_070],
  ['Wait for 2 minutes', 120_000],
  ['try again in 1h', 3_600_000],
  ['{"retryDelay": "34s"}', 34_000],
  ['{"retry_after": 2.5}', 2_500],
  ['{"retry_after_ms": 12}', 12],
  ['Try again in ~179 min.', 10_740_000],
  ['try again in 1.2.3s', undefined],
  ['Try again later.', undefined],
  // The texts of openclaw/openclaw, rate-limit-reset-parser.test.ts, and forms beside them.
  ['Rate limited. Retry after 3600 seconds.', 3_600_000],
  ['Retry-After: 120', 120_000],
  ['{"error":{"reset_after_seconds":3600}}', 3_600_000],
  ['{"error":{"reset_at":"1970-01-01T00:02:00Z"}}', 120_000],
  ['{"error":{"retryAfter":"20"}}', 20_000],
  ['{"error":{"retryAfterMs":250}}', 250],
  ['Retry after 500 milliseconds.', 500],
  ['Try again in 1 hour, 2 minutes and 3 seconds.', 3_723_000],
  ['Usage limit reached, available in 42 minutes', 2_520_000],
  ['Retry in 3 messages.', undefined],
  // router-for-me/CLIProxyAPI#2018, badrisnarayanan/antigravity-claude-proxy#145, diegosouzapw/OmniRoute#1649.
  ['{"error":{"code":"model_cooldown","reset_seconds":25803,"reset_time":"7h10m2s"}}', 25_803_000],
  ['{"metadata":{"quotaResetDelay":"579.276118ms"}}', 580],
  ['[claude/claude-opus-4-6] [429]: Error (reset after 5s)', 5_000],
  ['{"error":"{\\"retry_after_ms\\":12}"}', 12],
  ['{"cooldown":"soon","wait_seconds":3}', 3_000],
  // Dates without a zone: of Z.ai, which is in China (can1357/oh-my-pi#11014, lidge-jun/opencodex#4107), and of Codex.
  ['Your limit will reset at 1970-01-01 00:02:00', 120_000],
  ['[1308][Usage limit reached for 5 hour. Your limit will reset at 1970-01-01 08:02:00][x]', 120_000],
  ['已达到 5 小时的使用上限。您的限额将在 1970-01-01 08:02:00 重置。', 120_000],
  ['Limit reached, resets at 1970-01-01T00:02:00+00:00.', 120_000],
  ['Try again at Jan 1st, 1970 12:02 AM.', 120_000],
  ['Try again at Smarch 1st, 1970 12:02 AM.', undefined],
  // Times of day of Claude Code: agent-of-empires#3152, claude-code#23772, melodic-software/claude-code-plugins#2462.
  ["You've hit your limit · resets 3pm (America/New_York)", 20 * HOUR],
  ['resets 2:30am (Europe/Berlin)', 1.5 * HOUR],
  ['Resets 12am (UTC)', 0],
  ['Try again at 12:15 UTC', 12.25 * HOUR],
  ['resets Jan 3, 4am (Asia/Tokyo)', 2 * 24 * HOUR - 5 * HOUR],
  ['resets Dec 31 at 5pm (America/New_York)', 0],
  ['resets Smarch 3, 4am (Asia/Tokyo)', undefined],
  ['resets 3pm (Mars/Olympus)', undefined],
  ['resets at 3pm', undefined],
])('reads the wait from the words %j', (body, expected) => {
  expect(readRetryAfter({ body }, 0)).toBe(expected);
});

it.each([['-5'], ['+3600']])('ignores %s, which is no wait and no year', (value) => {
  expect(readRetryAfter({ headers: new Headers({ 'retry-after': value }), body: '' }, 0)).toBeUndefined();
});

it('reads the wait that LiteLLM passes on', () => {
  const headers = new Headers({ 'llm_provider-retry-after': '7' });
  expect(readRetryAfter({ headers, body: '' }, 0)).toBe(7_000);
});
