import { describe, expect, it } from 'vitest';
import { createHostRequests } from '../../../../src/hosts/host-requests.ts';
import { createHostHooks } from '../../../../src/hosts/stream-json/hooks.ts';
import { StreamJsonLineSchema } from '../../../support/hosts/stream-json-schema.ts';

const { signal } = new AbortController();

/** Hooks whose callbacks answer with the entry of their id; one without an entry never answers. */
function hooksThat(registered: Parameters<typeof createHostHooks>[0], answers: Readonly<Record<string, unknown>>) {
  const lines: unknown[] = [];
  let ids = 0;
  const requests = createHostRequests(async (line) => {
    const parsed = StreamJsonLineSchema.parse(line);
    lines.push(parsed);
    if (parsed.type !== 'control_request' || parsed.request.subtype !== 'hook_callback') throw new Error('no hook');
    const { callback_id: callback } = parsed.request;
    if (callback in answers) requests.questions.answer(parsed.request_id, answers[callback]);
    return true;
  });
  const newId = () => {
    ids += 1;
    return `q${ids}`;
  };
  // The time is over as soon as everything else has happened.
  const wait = () => new Promise<void>((resolve) => setImmediate(resolve));
  const ports = { requests, newId, facts: () => ({ session_id: 's', cwd: '/work' }), wait };
  return { lines, hooks: createHostHooks(registered, ports) };
}

const call = { callId: 'c1', toolName: 'Write', arguments: { file_path: 'a' } };
const specific = (fields: object) => ({ response: { hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } } });
const all = (...ids: string[]) => ({ PreToolUse: [{ hookCallbackIds: ids }] });

describe('createHostHooks', () => {
  it('asks with the call, and with the facts of the session', async () => {
    const { lines, hooks } = hooksThat(all('h'), { h: { response: {} } });
    expect(await hooks.calls.beforeCall?.(call, signal)).toBeUndefined();
    expect(lines).toMatchObject([
      {
        request: {
          callback_id: 'h',
          tool_use_id: 'c1',
          input: {
            ...{ hook_event_name: 'PreToolUse', session_id: 's', cwd: '/work' },
            ...{ tool_name: 'Write', tool_input: { file_path: 'a' }, tool_use_id: 'c1' },
          },
        },
      },
    ]);
  });

  it.each<readonly [name: string, answers: readonly unknown[], answer: unknown]>([
    [
      'deny',
      [specific({ permissionDecision: 'deny', permissionDecisionReason: 'R' })],
      { verdict: 'deny', reason: 'R' },
    ],
    ['block', [{ response: { decision: 'block', reason: 'R' } }], { verdict: 'deny', reason: 'R' }],
    ['stop', [{ response: { continue: false, stopReason: 'R' } }], { verdict: 'deny', reason: 'R' }],
    ['approve', [{ response: { decision: 'approve', reason: 'R' } }], { verdict: 'allow', reason: 'R' }],
    [
      'the strictest of several',
      [
        specific({ permissionDecision: 'allow' }),
        specific({ permissionDecision: 'ask', permissionDecisionReason: 'R' }),
      ],
      { verdict: 'ask', reason: 'R' },
    ],
    ['a changed input', [specific({ updatedInput: { file_path: 'b' } })], { arguments: { file_path: 'b' } }],
    [
      'a changed input that is allowed',
      [specific({ permissionDecision: 'allow', permissionDecisionReason: 'R', updatedInput: { file_path: 'b' } })],
      { verdict: 'allow', reason: 'R', arguments: { file_path: 'b' } },
    ],
    ['an error of the host', [{ response: undefined, error: 'broken' }], undefined],
    ['an answer of another kind', [{ response: { decision: 7 } }], undefined],
  ])('reads %s', async (_name, given, answer) => {
    const ids = given.map((_, index) => `h${index}`);
    const { hooks } = hooksThat(all(...ids), Object.fromEntries(given.map((one, index) => [`h${index}`, one])));
    expect(await hooks.calls.beforeCall?.(call, signal)).toEqual(answer);
  });

  it.each<readonly [matcher: string | undefined, asked: boolean]>([
    [undefined, true],
    ['', true],
    ['*', true],
    ['Write', true],
    ['Edit|Write', true],
    ['W.*', true],
    ['Wri', false],
    ['(', false],
  ])('asks the hook with the matcher %j: %s', async (matcher, asked) => {
    const registered = { PreToolUse: [{ hookCallbackIds: ['h'], ...(matcher !== undefined && { matcher }) }] };
    const { lines, hooks } = hooksThat(registered, { h: { response: {} } });
    await hooks.calls.beforeCall?.(call, signal);
    expect(lines.length > 0).toBe(asked);
  });

  it('continues without a hook that does not answer in time, unless its timeout blocks', async () => {
    expect(await hooksThat(all('h'), {}).hooks.calls.beforeCall?.(call, signal)).toBeUndefined();
    const blocking = { PreToolUse: [{ hookCallbackIds: ['h'], onFailure: 'block' as const }] };
    expect(await hooksThat(blocking, {}).hooks.calls.beforeCall?.(call, signal)).toMatchObject({ verdict: 'deny' });
  });

  it('adds the text of a hook to a result', async () => {
    const registered = { PostToolUse: [{ hookCallbackIds: ['h'] }] };
    const { hooks, lines } = hooksThat(registered, { h: specific({ additionalContext: 'Mind the gap.' }) });
    const result = { content: 'text', isError: false, summary: '' };
    expect(await hooks.calls.afterCall?.(call, result, signal)).toBe('Mind the gap.');
    expect(lines).toMatchObject([{ request: { input: { tool_response: { content: 'text', is_error: false } } } }]);
  });

  it('lets a hook add to a prompt, or block it', async () => {
    const registered = { UserPromptSubmit: [{ hookCallbackIds: ['h'] }] };
    const added = hooksThat(registered, { h: specific({ additionalContext: 'Today is Monday.' }) });
    expect(await added.hooks.beforePrompt('go', signal)).toEqual({ type: 'run', added: 'Today is Monday.' });
    const refused = hooksThat(registered, { h: { response: { decision: 'block', reason: 'R' } } });
    expect(await refused.hooks.beforePrompt('go', signal)).toEqual({ type: 'blocked', reason: 'R' });
  });

  it('lets a hook continue a run', async () => {
    const registered = { Stop: [{ hookCallbackIds: ['h'] }] };
    const going = hooksThat(registered, { h: { response: { decision: 'block', reason: 'Run the tests.' } } });
    expect(await going.hooks.afterRun(false, signal)).toBe('Run the tests.');
    const ended = hooksThat(registered, { h: { response: { continue: false, decision: 'block' } } });
    expect(await ended.hooks.afterRun(true, signal)).toBeUndefined();
    expect(ended.lines).toMatchObject([{ request: { input: { stop_hook_active: true } } }]);
  });
});
