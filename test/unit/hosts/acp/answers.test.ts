import type { ContentBlock, RequestPermissionOutcome } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { ModelError, UsageError } from '../../../../src/agent/errors.ts';
import { type ApprovalDecision, type ApprovalRequest, PERMISSION_MODES } from '../../../../src/agent/ports/approver.ts';
import type { RunError, RunOutcome } from '../../../../src/agent/ports/events.ts';
import { invalidParams, modesOf, requestError, stopReasonOf } from '../../../../src/hosts/acp/answers.ts';
import { messageLine } from '../../../../src/hosts/acp/message-stream.ts';
import { acpDecision, permissionQuestion } from '../../../../src/hosts/acp/permission.ts';
import { promptOf } from '../../../../src/hosts/acp/prompt.ts';
import { KeyError } from '../../../../src/providers/target/chosen-model.ts';

const COMMAND: ApprovalRequest = {
  callId: 'c',
  toolName: 'run_shell',
  effect: { summary: 'run make', paths: [], command: 'make\nall', workingDirectory: '/w', network: true },
  reason: 'Commands need approval.',
  sandbox: { type: 'on', program: 'bubblewrap' },
  offers: { type: 'exact_command', command: 'make\nall', workingDirectory: '/w' },
  offersDirectory: { type: 'file_operations', directory: '/w' },
};

describe('a question', () => {
  const OFF = { type: 'off', reason: '--no-sandbox' } as const;
  const PATH = { requested: 'a', realPath: '/w/a', access: 'write' } as const;

  it.each<readonly [string, Partial<ApprovalRequest>, string]>([
    ['a command', {}, '$ make\nall\nin /w\nsandboxed (bubblewrap), WITH NETWORK\nCommands need approval.'],
    [
      'a command without a sandbox',
      { sandbox: { type: 'off', reason: 'no bubblewrap' } },
      '$ make\nall\nin /w\nUNSANDBOXED (no bubblewrap), with network\nCommands need approval.',
    ],
    [
      'a command with sockets',
      { effect: { summary: 's', paths: [], command: 'tsx a.ts', localSockets: true } },
      '$ tsx a.ts\nsandboxed (bubblewrap), no network, WITH LOCAL SOCKETS\nCommands need approval.',
    ],
    [
      'a program',
      { effect: { summary: 's', paths: [], program: { path: '/bin/x', input: '{}' } } },
      '$ /bin/x\n{}\nsandboxed (bubblewrap), no network\nCommands need approval.',
    ],
    [
      'a file',
      { effect: { summary: 's', paths: [PATH] } },
      'file /w/a\nsandboxed (bubblewrap), no network\nCommands need approval.',
    ],
  ])('about %s shows all details', (_name, changes, expected) => {
    const { toolCall } = permissionQuestion({ ...COMMAND, ...changes });
    expect(toolCall.content).toEqual([{ type: 'content', content: { type: 'text', text: expected } }]);
  });

  it.each<readonly [string, Partial<ApprovalRequest>, string]>([
    ['without a sandbox', { sandbox: OFF }, 'UNSANDBOXED (--no-sandbox), with network, in a terminal of the editor'],
    ['in the sandbox', {}, 'sandboxed (bubblewrap), WITH NETWORK'],
    [
      'that is a program',
      { sandbox: OFF, effect: { summary: 's', paths: [], program: { path: '/bin/x', input: '{}' } } },
      'UNSANDBOXED (--no-sandbox), with network',
    ],
  ])('about a command %s names the terminal in which it runs', (_name, changes, line) => {
    const { toolCall } = permissionQuestion({ ...COMMAND, ...changes }, { inTerminal: true });
    expect(JSON.stringify(toolCall.content)).toContain(`\\n${line}\\nCommands need approval.`);
  });

  it('offers the rules, in words', () => {
    expect(permissionQuestion(COMMAND).options).toEqual([
      { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
      {
        optionId: 'session',
        name: expect.stringMatching(/^Allow for the rest of this session: run_shell: exactly this command/),
        kind: 'allow_always',
      },
      {
        optionId: 'directory',
        name: expect.stringMatching(/^Allow for the rest of this session: .*\/w/),
        kind: 'allow_always',
      },
      { optionId: 'deny', name: 'Reject', kind: 'reject_once' },
    ]);
    const { offers: _offers, offersDirectory: _directory, ...plain } = COMMAND;
    expect(permissionQuestion(plain).options.map(({ optionId }) => optionId)).toEqual(['once', 'deny']);
    expect(permissionQuestion(COMMAND, { keepsApprovals: true }).options[1]?.name).toContain(
      'this session and later ones: ',
    );
  });

  const { offers: _offers, offersDirectory: _directory, ...PLAIN } = COMMAND;
  const PLAN: ApprovalRequest = {
    ...{ callId: 'c', toolName: 'present_plan', reason: 'A plan needs approval.' },
    effect: { summary: 'carry out this plan', paths: [], plan: '1. Edit' },
  };

  it('about a plan shows it, and offers two modes for carrying it out', () => {
    const { toolCall, options } = permissionQuestion(PLAN);
    expect(toolCall).toMatchObject({ kind: 'switch_mode', content: [{ content: { text: '1. Edit' } }, {}] });
    expect(options.map(({ name }) => name)).toEqual([
      'Yes, and ask before each change',
      'Yes, and edit files without asking',
      'No, keep planning',
    ]);
  });

  const selected = (optionId: string): RequestPermissionOutcome => ({ outcome: 'selected', optionId });

  it.each<readonly [RequestPermissionOutcome, ApprovalRequest, ApprovalDecision]>([
    [selected('once'), COMMAND, { type: 'once' }],
    [selected('session'), COMMAND, { type: 'session' }],
    [selected('directory'), COMMAND, { type: 'session', rule: { type: 'file_operations', directory: '/w' } }],
    [
      selected('prefix'),
      { ...COMMAND, offersMore: [{ type: 'command_prefix', words: ['npm', 'test'] }] },
      { type: 'session', rule: { type: 'command_prefix', words: ['npm', 'test'] } },
    ],
    [
      selected('sandbox'),
      { ...COMMAND, offersMore: [{ type: 'sandboxed_commands' }] },
      { type: 'session', rule: { type: 'sandboxed_commands' } },
    ],
    [selected('sandbox'), COMMAND, { type: 'deny' }],
    [selected('deny'), COMMAND, { type: 'deny' }],
    [selected('session'), PLAIN, { type: 'deny' }],
    [selected('directory'), PLAIN, { type: 'deny' }],
    [selected('anything'), COMMAND, { type: 'deny' }],
    [{ outcome: 'cancelled' }, COMMAND, { type: 'deny' }],
    [selected('plan_ask'), PLAN, { type: 'once', mode: 'ask' }],
    [selected('plan_accept_edits'), PLAN, { type: 'once', mode: 'accept-edits' }],
    [selected('deny'), PLAN, { type: 'deny' }],
    [selected('once'), PLAN, { type: 'deny' }],
    [selected('plan_ask'), COMMAND, { type: 'deny' }],
  ])('is answered by %j', (outcome, request, decision) => {
    expect(acpDecision(outcome, request)).toEqual(decision);
  });
});

describe('a prompt', () => {
  const link = (uri: string): ContentBlock => ({ type: 'resource_link', uri, name: 'n' });

  it.each<readonly [string, readonly ContentBlock[], string]>([
    [
      'text',
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      'ab',
    ],
    ['a linked file', [link('file:///w/a%20b.js')], '/w/a b.js'],
    ['a linked file with lines', [link('file:///w/a.js#L2-4')], '/w/a.js'],
    ['a linked file with an invalid escape', [link('file:///w/%zz')], '/w/%zz'],
    ['a linked file of Windows', [link('file:///C:/w/a.js')], 'C:/w/a.js'],
    ['another link', [link('https://example.com/a%20b')], 'https://example.com/a%20b'],
    [
      'an embedded file',
      [{ type: 'resource', resource: { uri: 'file:///w/a.js', text: 'let a;' } }],
      '\n<file path="/w/a.js">\nlet a;\n</file>\n',
    ],
  ])('has %s', (_name, blocks, expected) => {
    expect(promptOf(blocks)).toEqual({ text: expected });
  });

  it('may have pictures, even without text', () => {
    const picture: ContentBlock = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
    expect(promptOf([picture])).toEqual({ text: '', images: [{ mediaType: 'image/png', data: 'AAAA' }] });
  });

  it.each<readonly [string, readonly ContentBlock[], string]>([
    ['nothing', [], 'The prompt is empty.'],
    ['space', [{ type: 'text', text: ' \n' }], 'The prompt is empty.'],
    ['sound', [{ type: 'audio', mimeType: 'audio/wav', data: '' }], 'ybs does not accept audio'],
    [
      'a picture of another type',
      [{ type: 'image', mimeType: 'image/tiff', data: '' }],
      'type image/tiff cannot be read',
    ],
    ['a binary file', [{ type: 'resource', resource: { uri: 'file:///a', blob: '' } }], 'The file /a is binary.'],
  ])('of %s is rejected', (_name, blocks, message) => {
    expect(() => promptOf(blocks)).toThrow(message);
  });
});

describe('an answer', () => {
  it.each<readonly [RunOutcome, RunError['code'] | undefined, string]>([
    ['done', undefined, 'end_turn'],
    ['denied', undefined, 'end_turn'],
    ['aborted', undefined, 'cancelled'],
    ['limit', undefined, 'max_turn_requests'],
    ['stuck', undefined, 'max_turn_requests'],
    ['failed', 'content_filter', 'refusal'],
    ['failed', 'answer_cut', 'max_tokens'],
  ])('to a run that ends as %s (%s) is %s', (outcome, code, reason) => {
    const error = code === undefined ? {} : { error: { code, message: 'why' } };
    expect(stopReasonOf({ type: 'run_end', outcome, message: 'Over.', ...error })).toBe(reason);
  });

  it.each<readonly [string, unknown, object]>([
    ['an error of the protocol', invalidParams('x'), { code: -32602, message: 'x' }],
    ['a wrong setting', new UsageError('Fix it. (llm.model)'), { code: -32602, message: 'Fix it. (llm.model)' }],
    ['a missing key', new KeyError('Set it. (llm.api_key_variable, /w (1)/.ybs.json)'), { code: -32000 }],
    [
      'a rejected key',
      new ModelError('auth', 'Refused.'),
      { code: -32000, message: expect.stringContaining('Refused.') },
    ],
    [
      'a busy model',
      new ModelError('overloaded', 'Busy.'),
      { code: -32603, message: 'Busy.', data: { code: 'overloaded' } },
    ],
    ['anything else', 'boom', { code: -32603, message: 'boom', data: { code: 'internal' } }],
  ])('to %s is an error of the protocol', (_name, thrown, expected) => {
    expect(requestError(thrown)).toMatchObject(expected);
  });

  it.each<readonly [RunError | undefined, object]>([
    [{ code: 'auth', message: 'Refused.' }, { code: -32000 }],
    [
      { code: 'network', message: 'Gone.' },
      { code: -32603, message: 'Gone.', data: { code: 'network' } },
    ],
    [undefined, { code: -32603, message: 'Over.' }],
  ])('to a run that failed with %j is an error', (error, expected) => {
    const end = {
      type: 'run_end',
      outcome: 'failed',
      message: 'Over.',
      ...(error !== undefined && { error }),
    } as const;
    expect(() => stopReasonOf(end)).toThrow(expect.objectContaining(expected));
  });

  it('names every permission mode', () => {
    const { currentModeId, availableModes } = modesOf('ask');
    expect(currentModeId).toBe('ask');
    expect(availableModes.map(({ id }) => id)).toEqual([...PERMISSION_MODES]);
  });

  it('is one line of valid Unicode', () => {
    const line = messageLine({ jsonrpc: '2.0', method: 'x', params: ['a\nb\ud800', { c: '\udc00\ud83d\ude00' }] });
    expect(line).toBe('{"jsonrpc":"2.0","method":"x","params":["a\\nb\ufffd",{"c":"\ufffd\ud83d\ude00"}]}\n');
  });
});
