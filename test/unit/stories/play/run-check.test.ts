import { describe, expect, it } from 'vitest';
import type { EndedCheck } from '../../../../src/stories/judge-play.ts';
import { createRunCheck } from '../../../../src/stories/play/run-check.ts';
import { configuredRun, type RunScript } from '../../../support/agent/configured-run.ts';

/** Runs a check on a machine with this state of the sandbox. */
async function check(sandboxed: boolean, sandbox: RunScript['sandbox']) {
  let ended: EndedCheck | undefined;
  const { sandboxRules } = await configuredRun({
    ...(sandbox !== undefined && { sandbox }),
    config: { safety: { sandbox_blocked_paths: ['/work/private'] } },
    commands: [{ command: 'npm test' }],
    async run(wiring, _user, options, machine) {
      const runCheck = createRunCheck(machine, async () => (await wiring.readConfig(options)).config);
      const { signal } = new AbortController();
      ended = await runCheck({ command: 'npm test', timeoutMs: 1000, sandboxed, trusted: true }, '/work', signal);
    },
  });
  return { ended, rules: sandboxRules.map((rules) => JSON.stringify(rules)) };
}

const ON = { type: 'on', program: 'bwrap' } as const;

describe('a check of a story', () => {
  it.each([
    ['runs in the shell of the machine', false, ON, 0],
    ['runs in the sandbox, with the rules of the settings', true, ON, 1],
  ] as const)('%s', async (_what, sandboxed, sandbox, count) => {
    const { ended, rules } = await check(sandboxed, sandbox);
    expect(ended?.exit).toMatchObject({ cause: 'exited', exitCode: 0 });
    expect(rules).toHaveLength(count);
    // The same as in the session of a story, which is trusted unless it says otherwise.
    for (const text of rules) expect(text).toMatch(/\/work\/private.*"showsBorrowed":true/);
  });

  it.each([
    [{ type: 'off', reason: 'bwrap is not installed' } as const, 'the sandbox is off: bwrap is not installed'],
    [undefined, 'the sandbox is off: this system has none'],
  ])('does not start without the sandbox that it requires: %j', async (sandbox, reason) => {
    const { ended } = await check(true, sandbox);
    expect(ended?.exit).toMatchObject({ cause: 'failed_to_start', reason });
  });
});
