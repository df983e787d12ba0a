import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sdk, SdkMessage, SdkQuery } from './sdk.ts';

/** One run of a query with everything that it yielded. */
export interface SdkRun {
  readonly messages: readonly SdkMessage[];
  /** The message of the error that the query threw. */
  readonly error: string | undefined;
}

/** The host of one check, in a directory of its own. */
export interface CheckHost {
  readonly sdk: Sdk & { readonly schema: () => object };
  readonly workspace: string;
  run(prompt: unknown, options?: object, follow?: (message: SdkMessage, query: SdkQuery) => unknown): Promise<SdkRun>;
}

/** One fact about how the SDK drives ybs. */
export interface HostCheck {
  readonly name: string;
  /** The file in which the first run of the check is kept as a transcript, without its suffix. */
  readonly transcript?: string;
  check(host: CheckHost): Promise<void>;
}

const ALLOW = { canUseTool: async (_name: string, input: object) => ({ behavior: 'allow', updatedInput: input }) };
const SKIP = { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true };

/** The checks, each with the Claude Agent SDK as the host of the built command. */
export const HOST_CHECKS: readonly HostCheck[] = [
  {
    name: 'answers a prompt',
    transcript: 'plain-text',
    async check({ run }) {
      const { messages, error } = await run('say hello');
      assert.equal(error, undefined);
      assert.deepEqual(messages.map(kind), ['system init', 'assistant text', 'result success']);
      const result = resultOf(messages);
      assert.equal(result['result'], 'Hello from the model.');
      assert.equal(result['num_turns'], 1);
      assert.deepEqual(new Set(messages.map(({ session_id: id }) => id)).size, 1);
    },
  },
  {
    name: 'streams the pieces of an answer',
    transcript: 'partial-messages',
    async check({ run }) {
      const { messages } = await run('say hello', { includePartialMessages: true });
      const kinds = messages.map(kind);
      assert.equal(kinds.filter((name) => name === 'stream_event message_start').length, 1);
      assert.ok(kinds.indexOf('assistant text') < kinds.indexOf('stream_event content_block_stop'));
      const text = messages.map((message) => field(field(message['event'], 'delta'), 'text') ?? '').join('');
      assert.equal(text, 'Hello from the model.');
    },
  },
  {
    name: 'asks for a call, and runs what the host allows',
    transcript: 'permission-allow',
    async check({ run, workspace }) {
      const asked: unknown[] = [];
      const canUseTool = async (name: string, input: object, more: object) => {
        asked.push([name, input, typeof field(more, 'toolUseID')]);
        return { behavior: 'allow', updatedInput: input };
      };
      const { messages } = await run('write the file', { canUseTool });
      assert.deepEqual(asked, [['Write', { file_path: 'hello.txt', content: 'hi-42\n' }, 'string']]);
      assert.equal(readFileSync(path.join(workspace, 'hello.txt'), 'utf8'), 'hi-42\n');
      const kinds = ['system init', 'assistant text', 'assistant tool_use', 'user tool_result', 'assistant text'];
      assert.deepEqual(messages.map(kind), [...kinds, 'result success']);
    },
  },
  {
    name: 'runs the input that the host has changed',
    transcript: 'permission-changed-input',
    async check({ run, workspace }) {
      const canUseTool = async () => ({
        behavior: 'allow',
        updatedInput: { file_path: 'other.txt', content: 'changed\n' },
      });
      await run('write the file', { canUseTool });
      assert.equal(existsSync(path.join(workspace, 'hello.txt')), false);
      assert.equal(readFileSync(path.join(workspace, 'other.txt'), 'utf8'), 'changed\n');
    },
  },
  {
    name: 'judges the changed input again',
    async check({ run }) {
      const canUseTool = async () => ({
        behavior: 'allow',
        updatedInput: { file_path: '/etc/ybs-check', content: 'x' },
      });
      const { messages } = await run('write the file', { canUseTool });
      assert.equal(existsSync('/etc/ybs-check'), false);
      assert.ok(JSON.stringify(messages).includes('"is_error":true'));
    },
  },
  {
    name: 'tells the model that the host denies a call',
    transcript: 'permission-deny',
    async check({ run, workspace }) {
      const canUseTool = async () => ({ behavior: 'deny', message: 'Not today.' });
      const { messages, error } = await run('write the file', { canUseTool });
      assert.equal(error, undefined);
      assert.equal(existsSync(path.join(workspace, 'hello.txt')), false);
      assert.ok(JSON.stringify(messages.find(({ type }) => type === 'user')).includes('Not today.'));
      assert.equal(resultOf(messages)['is_error'], false);
      assertDenied(messages);
    },
  },
  {
    name: 'stops when the host denies a call and interrupts',
    transcript: 'permission-deny-interrupt',
    async check({ run }) {
      const canUseTool = async () => ({ behavior: 'deny', message: 'Stop.', interrupt: true });
      const { messages } = await run('write the file', { canUseTool });
      assert.equal(resultOf(messages).subtype, 'error_during_execution');
      assertDenied(messages);
    },
  },
  {
    name: 'denies a call when nobody can be asked',
    async check({ run, workspace }) {
      const { messages, error } = await run('write the file');
      assert.equal(error, undefined);
      assert.equal(existsSync(path.join(workspace, 'hello.txt')), false);
      assertDenied(messages);
    },
  },
  {
    name: 'writes without a question in acceptEdits, and everything in bypassPermissions',
    async check({ run, workspace }) {
      await run('write the file', { permissionMode: 'acceptEdits' });
      assert.equal(readFileSync(path.join(workspace, 'hello.txt'), 'utf8'), 'hi-42\n');
      const { messages } = await run('write the file', SKIP);
      assert.equal(messages[0]?.['permissionMode'], 'bypassPermissions');
      assert.deepEqual(resultOf(messages)['permission_denials'], []);
    },
  },
  {
    name: 'stops at an interrupt, and runs the next message',
    transcript: 'interrupt',
    async check({ run }) {
      const release: (() => void)[] = [];
      const interrupted = new Promise<void>((resolve) => release.push(resolve));
      const prompts = async function* () {
        yield userMessage('run the slow command');
        await interrupted;
        yield userMessage('say hello');
      };
      let receipt: unknown;
      const { messages } = await run(prompts(), SKIP, async (message, query) => {
        if (kind(message) === 'assistant tool_use') setTimeout(async () => (receipt = await query.interrupt()), 200);
        if (kind(message) === 'result error_during_execution') for (const go of release) go();
      });
      assert.deepEqual(receipt, { still_queued: [] });
      assert.deepEqual(
        messages.filter(({ type }) => type === 'result').map(({ subtype }) => subtype),
        ['error_during_execution', 'success'],
      );
    },
  },
  {
    name: 'runs queued messages in order',
    transcript: 'queue',
    async check({ run }) {
      const prompts = async function* () {
        for (const text of ['say hello', 'look twice', 'say hello']) yield userMessage(text);
      };
      const { messages, error } = await run(prompts());
      assert.equal(error, undefined);
      const results = messages.filter(({ type }) => type === 'result').map(({ result }) => result);
      assert.deepEqual(results, ['Hello from the model.', 'Twice.', 'Hello from the model.']);
    },
  },
  {
    name: 'answers initialize, set_permission_mode, set_model and mcp_status',
    transcript: 'control-requests',
    async check({ run, workspace }) {
      const release: (() => void)[] = [];
      const ready = new Promise<void>((resolve) => release.push(resolve));
      const prompts = async function* () {
        yield userMessage('say hello');
        await ready;
        yield userMessage('write the file');
      };
      const { messages, error } = await run(prompts(), {}, async (message, query) => {
        if (message.type !== 'result' || release.length === 0) return;
        assert.deepEqual(field(await query.initializationResult(), 'commands'), []);
        await query.setPermissionMode('acceptEdits');
        await query.setModel('other-model');
        assert.deepEqual(await query.mcpServerStatus(), []);
        for (const go of release.splice(0)) go();
      });
      assert.equal(error, undefined);
      const inits = messages.filter(({ subtype }) => subtype === 'init');
      assert.deepEqual(
        inits.map((init) => [init['permissionMode'], init['model']]),
        [
          // The only one of a server on this machine.
          ['default', 'mock-model'],
          ['acceptEdits', 'other-model'],
        ],
      );
      assert.ok(existsSync(path.join(workspace, 'hello.txt')));
    },
  },
  {
    name: 'resumes, continues and forks a session, and refuses one that does not exist',
    async check({ run }) {
      const id = sessionOf((await run('say hello')).messages);
      assert.equal(sessionOf((await run('say hello', { resume: id })).messages), id);
      assert.equal(sessionOf((await run('say hello', { continue: true })).messages), id);
      assert.notEqual(sessionOf((await run('say hello', { resume: id, forkSession: true })).messages), id);
      const own = crypto.randomUUID();
      assert.equal(sessionOf((await run('say hello', { sessionId: own })).messages), own);
      const unknown = await run('say hello', { resume: crypto.randomUUID() });
      assert.match(unknown.error ?? '', /There is no session/);
      assert.equal(resultOf(unknown.messages)['is_error'], true);
    },
  },
  {
    name: 'ends at the maximum of turns',
    async check({ run }) {
      const { messages } = await run('look twice', { maxTurns: 1 });
      assert.equal(resultOf(messages).subtype, 'error_max_turns');
    },
  },
  {
    name: 'reports a request that the provider refuses',
    async check({ run }) {
      const { messages, error } = await run('fail please');
      assert.equal(resultOf(messages)['is_error'], true);
      assert.match(String(resultOf(messages)['result']), /^API Error: /);
      assert.ok(error);
    },
  },
  {
    name: 'gives a structured answer',
    transcript: 'structured-answer',
    async check({ run }) {
      const schema = { type: 'object', properties: { count: { type: 'number' } }, required: ['count'] };
      const { messages } = await run('count the files', { outputFormat: { type: 'json_schema', schema } });
      assert.deepEqual(resultOf(messages)['structured_output'], { count: 3 });
    },
  },
  {
    name: 'offers only the tools that the host wants',
    async check({ run }) {
      const wanted = await run('say hello', { tools: ['Read', 'Write'] });
      assert.deepEqual([...toolsOf(wanted.messages)].sort(), ['Read', 'Write']);
      const others = await run('say hello', { disallowedTools: ['Bash'] });
      assert.equal(toolsOf(others.messages).includes('Bash'), false);
    },
  },
  {
    name: 'asks the hooks of the host',
    transcript: 'hooks-deny',
    async check({ run, workspace }) {
      const seen: unknown[] = [];
      const hook = (answer: object) => async (input: object) => {
        seen.push(field(input, 'hook_event_name'));
        return answer;
      };
      const decision = {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'Too big.',
      };
      const hooks = {
        UserPromptSubmit: [{ hooks: [hook({})] }],
        PreToolUse: [{ matcher: 'Write|Edit', hooks: [hook({ hookSpecificOutput: decision })] }],
        Stop: [{ hooks: [hook({})] }],
      };
      const { messages } = await run('write the file', { ...ALLOW, hooks });
      assert.deepEqual(seen, ['UserPromptSubmit', 'PreToolUse', 'Stop']);
      assert.ok(JSON.stringify(messages).includes('Too big.'));
      assert.equal(existsSync(path.join(workspace, 'hello.txt')), false);
    },
  },
  {
    name: 'writes what a hook has changed, and tells the hook of the result',
    transcript: 'hooks-change',
    async check({ run, workspace }) {
      const seen: unknown[] = [];
      const updatedInput = { file_path: 'hooked.txt', content: 'hook\n' };
      const before = { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput };
      const after = { hookEventName: 'PostToolUse', additionalContext: 'Mind the gap.' };
      const hooks = {
        PreToolUse: [{ hooks: [async () => ({ hookSpecificOutput: before })] }],
        PostToolUse: [
          {
            hooks: [
              async (input: object) => {
                seen.push(field(input, 'tool_input'));
                return { hookSpecificOutput: after };
              },
            ],
          },
        ],
      };
      const { messages } = await run('write the file', { hooks });
      assert.equal(readFileSync(path.join(workspace, 'hooked.txt'), 'utf8'), 'hook\n');
      assert.deepEqual(seen, [updatedInput]);
      assert.ok(JSON.stringify(messages).includes('Mind the gap.'));
    },
  },
  {
    name: 'shows the plan, and carries it out when the host agrees',
    transcript: 'plan-allow',
    async check({ run, workspace }) {
      const asked: unknown[] = [];
      const canUseTool = async (name: string, input: object) => {
        asked.push([name, input]);
        return { behavior: 'allow', updatedInput: input };
      };
      const { messages } = await run('plan the file', { permissionMode: 'plan', canUseTool });
      assert.equal(messages[0]?.['permissionMode'], 'plan');
      assert.deepEqual(asked, [
        ['ExitPlanMode', { plan: '1. Write hello.txt.' }],
        ['Write', { file_path: 'hello.txt', content: 'hi-42\n' }],
      ]);
      assert.equal(readFileSync(path.join(workspace, 'hello.txt'), 'utf8'), 'hi-42\n');
      assert.equal(resultOf(messages)['result'], 'The plan is over.');
    },
  },
  {
    name: 'stays in plan mode when the host refuses the plan',
    transcript: 'plan-deny',
    async check({ run, workspace }) {
      const canUseTool = async () => ({ behavior: 'deny', message: 'Name the test first.' });
      const { messages } = await run('plan the file', { permissionMode: 'plan', canUseTool });
      assert.equal(existsSync(path.join(workspace, 'hello.txt')), false);
      assert.ok(JSON.stringify(messages.find(({ type }) => type === 'user')).includes('Name the test first.'));
    },
  },
  {
    name: 'uses the tools in the process of the host',
    transcript: 'in-process-mcp',
    async check({ run, sdk }) {
      const calls: object[] = [];
      const forecast = sdk.tool('forecast', 'Tells the weather.', sdk.schema(), async (args) => {
        calls.push(args);
        return { content: [{ type: 'text', text: 'sunny, 21 °C' }] };
      });
      const server = sdk.createSdkMcpServer({ name: 'weather', version: '1.0.0', tools: [forecast] });
      const { messages } = await run('ask for the weather', { ...ALLOW, mcpServers: { weather: server } });
      assert.deepEqual(messages[0]?.['mcp_servers'], [{ name: 'weather', status: 'connected' }]);
      assert.ok(toolsOf(messages).includes('mcp__weather__forecast'));
      assert.deepEqual(calls, [{ city: 'Ulm' }]);
      assert.ok(JSON.stringify(messages.find(({ type }) => type === 'user')).includes('sunny, 21 °C'));
    },
  },
  {
    name: 'passes on pictures',
    async check({ run }) {
      const source = { type: 'base64', media_type: 'image/png', data: PIXEL };
      const prompts = async function* () {
        yield userMessage([
          { type: 'text', text: 'say hello' },
          { type: 'image', source },
        ]);
      };
      assert.equal(resultOf((await run(prompts())).messages)['is_error'], false);
    },
  },
];

/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

function userMessage(content: unknown): object {
  return { type: 'user', session_id: '', message: { role: 'user', content }, parent_tool_use_id: null };
}

/** The kind of a message: its type, with its subtype, its event or the type of its content. */
function kind(message: SdkMessage): string {
  const content = field(message['message'], 'content');
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return [message.type, message.subtype ?? field(message['event'], 'type') ?? field(first, 'type')]
    .filter((part) => part !== undefined)
    .join(' ');
}

function resultOf(messages: readonly SdkMessage[]): SdkMessage {
  const result = messages.findLast(({ type }) => type === 'result');
  assert.ok(result, `no result: ${messages.map(kind).join(', ')}`);
  return result;
}

function sessionOf(messages: readonly SdkMessage[]): string | undefined {
  return resultOf(messages).session_id;
}

function toolsOf(messages: readonly SdkMessage[]): readonly unknown[] {
  const tools = messages.find(({ subtype }) => subtype === 'init')?.['tools'];
  return Array.isArray(tools) ? tools : [];
}

function assertDenied(messages: readonly SdkMessage[]): void {
  const denials = resultOf(messages)['permission_denials'];
  assert.ok(Array.isArray(denials));
  assert.deepEqual(
    denials.map((denial) => [field(denial, 'tool_name'), field(denial, 'tool_input')]),
    [['Write', { file_path: 'hello.txt', content: 'hi-42\n' }]],
  );
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}
