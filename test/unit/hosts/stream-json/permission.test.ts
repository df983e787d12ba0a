import { describe, expect, it } from 'vitest';
import type { ApprovalDecision, ApprovalRequest } from '../../../../src/agent/ports/approver.ts';
import { createApprover } from '../../../../src/app/driver/questions.ts';
import { createHostRequests } from '../../../../src/hosts/host-requests.ts';
import { hostApprovals } from '../../../../src/hosts/stream-json/permission.ts';
import { StreamJsonLineSchema } from '../../../support/hosts/stream-json-schema.ts';

const REQUEST: ApprovalRequest = {
  callId: 'c1',
  toolName: 'write_file',
  effect: { summary: 'create a', paths: [] },
  reason: 'write_file changes files.',
};
const CALL = { name: 'Write', input: { file_path: 'a', content: 'x' } };

/** Asks with `request`, and answers with `response`. */
async function ask(request: ApprovalRequest, response: unknown, seen = true): Promise<[object, ApprovalDecision]> {
  const lines: object[] = [];
  const requests = createHostRequests(async (line) => {
    lines.push(StreamJsonLineSchema.parse(line));
    if (response === 'none') requests.questions.disconnect();
    else requests.questions.answer('q1', response);
    return true;
  });
  const ports = {
    requests,
    writeLine: async () => true,
    newId: () => 'q1',
    callOf: () => (seen ? CALL : undefined),
    keepsApprovals: () => undefined,
  };
  const decision = await createApprover(() => hostApprovals(ports), requests.questions).decide(
    request,
    new AbortController().signal,
  );
  return [lines[0] ?? {}, decision];
}

const suggestion = (ruleContent?: string) => ({
  type: 'addRules',
  rules: [{ toolName: 'Write', ...(ruleContent !== undefined && { ruleContent }) }],
  behavior: 'allow',
  destination: 'session',
});

describe('hostApprovals', () => {
  it('asks with the name and the input that the model used', async () => {
    const [line] = await ask(REQUEST, undefined);
    expect(line).toEqual({
      type: 'control_request',
      request_id: 'q1',
      request: {
        subtype: 'can_use_tool',
        tool_name: 'Write',
        input: CALL.input,
        tool_use_id: 'c1',
        permission_suggestions: [],
        decision_reason: 'write_file changes files.',
        description: 'create a',
      },
    });
    expect((await ask(REQUEST, undefined, false))[0]).toMatchObject({
      request: { tool_name: 'write_file', input: {} },
    });
  });

  it.each<readonly [ApprovalRequest['offers'] & object, string | undefined]>([
    [{ type: 'edit_read_files' }, 'files that were read in this session'],
    [{ type: 'write_directory', directory: '/w' }, '/w/** (new files, and files that were read)'],
    [{ type: 'file_operations', directory: '/w' }, '/w/**'],
    [{ type: 'exact_command', command: 'ls', workingDirectory: '/w' }, 'ls'],
    [{ type: 'reads_of_tool', toolName: 'read_file' }, undefined],
  ])('offers the rule %o', async (offers, content) => {
    const [line] = await ask({ ...REQUEST, offers }, undefined);
    expect(line).toMatchObject({ request: { permission_suggestions: [suggestion(content)] } });
  });

  const OFFERS: ApprovalRequest = {
    ...REQUEST,
    offers: { type: 'edit_read_files' },
    offersDirectory: { type: 'file_operations', directory: '/w' },
  };

  it.each<readonly [name: string, response: unknown, decision: ApprovalDecision]>([
    ['yes', { behavior: 'allow' }, { type: 'once' }],
    [
      'yes with the same input in another order',
      { behavior: 'allow', updatedInput: { content: 'x', file_path: 'a' } },
      { type: 'once' },
    ],
    [
      'yes with a rule',
      { behavior: 'allow', updatedPermissions: [suggestion('files that were read in this session')] },
      { type: 'session' },
    ],
    [
      'yes with the rule of the directory',
      { behavior: 'allow', updatedPermissions: [suggestion('/w/**')] },
      { type: 'session', rule: { type: 'file_operations', directory: '/w' } },
    ],
    [
      'yes with a rule that was not offered',
      { behavior: 'allow', updatedPermissions: [suggestion('/**')] },
      { type: 'once' },
    ],
    [
      'yes with another input',
      { behavior: 'allow', updatedInput: { file_path: 'b' } },
      { type: 'change', arguments: { file_path: 'b' } },
    ],
    ['no', { behavior: 'deny' }, { type: 'deny' }],
    ['no with a message', { behavior: 'deny', message: 'N' }, { type: 'deny', feedback: 'N' }],
    [
      'an answer of another kind',
      { behavior: 'maybe' },
      { type: 'deny', feedback: 'The host gave an answer that cannot be read.' },
    ],
    ['nothing', undefined, { type: 'deny', feedback: 'The host gave an answer that cannot be read.' }],
  ])('reads %s', async (_name, response, decision) => {
    expect((await ask(OFFERS, { response }))[1]).toEqual(decision);
  });

  it('agrees to the input that the host gave, once', async () => {
    let asked = 0;
    const requests = createHostRequests(async () => {
      asked += 1;
      requests.questions.answer('q1', { response: { behavior: 'allow', updatedInput: { file_path: 'b' } } });
      return true;
    });
    const approvals = hostApprovals({
      requests,
      writeLine: async () => true,
      newId: () => 'q1',
      callOf: () => CALL,
      keepsApprovals: () => undefined,
    });
    const approver = createApprover(() => approvals, requests.questions);
    const decide = () => approver.decide(REQUEST, new AbortController().signal);
    expect([(await decide()).type, (await decide()).type, (await decide()).type]).toEqual(['change', 'once', 'change']);
    expect(asked).toBe(2);
  });

  it('reports a missing answer as unavailable', async () => {
    expect((await ask(REQUEST, 'none'))[1]).toEqual({ type: 'unavailable', host: true });
  });

  it('withdraws a question that is no longer needed', async () => {
    const lines: object[] = [];
    const writeLine = async (line: object) => lines.push(line) > 0;
    const ports = {
      requests: createHostRequests(writeLine),
      writeLine,
      newId: () => 'q1',
      callOf: () => CALL,
      keepsApprovals: () => undefined,
    };
    const stop = new AbortController();
    const decided = createApprover(() => hostApprovals(ports), ports.requests.questions).decide(REQUEST, stop.signal);
    stop.abort();
    await expect(decided).rejects.toThrow('stopped');
    expect(lines.at(-1)).toEqual({ type: 'control_cancel_request', request_id: 'q1' });
  });
});
