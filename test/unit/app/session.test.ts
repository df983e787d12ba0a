import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/agent/errors.ts';
import type { ApprovalDecision } from '../../../src/agent/ports/approver.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { LanguageModel } from '../../../src/agent/ports/language-model.ts';
import type { Extensions } from '../../../src/app/extensions/extensions.ts';
import type { Agent, AppAgentPorts } from '../../../src/app/session.ts';
import { startAgent } from '../../../src/app/session.ts';
import type { SessionSettings } from '../../../src/app/session-ports.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { createRedactor } from '../../../src/policy/redaction/redact.ts';
import { createBudget } from '../../../src/providers/target/budget.ts';
import { readAudit } from '../../../src/session/audit/read-audit.ts';
import type { StoreOptions } from '../../../src/session/session-store.ts';
import { TOOL_NAMES } from '../../../src/tools/tools.ts';
import { readTypedPrompt } from '../../../src/tools/triggers/typed-prompt.ts';
import { configOf } from '../../support/agent/config-of.ts';
import { PROMPT_SETTINGS } from '../../support/agent/prompt-settings.ts';
import { createTestStore } from '../../support/agent/session-store.ts';
import { NO_EXTENSIONS } from '../../support/fakes/fake-agent.ts';
import { createInProcessTextSearch } from '../../support/fakes/in-process-text-search.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';
import { scriptedCall as call, createScriptedModel, type ScriptedAnswer } from '../../support/fakes/scripted-model.ts';
import { createScriptedShell, type ScriptedCommand } from '../../support/fakes/scripted-shell.ts';

const SETTINGS: SessionSettings = {
  modelName: 'scripted/model',
  permissionMode: 'ask',
  dryRun: false,
  maxIterations: 25,
  maxToolOutputChars: 10_000,
  context: { maxTokens: 32_000, threshold: 0.95, maxAnswerTokens: 4_096 },
  allowedPaths: ['.'],
  blockedPaths: ['~/.ssh'],
  allowedCommands: [],
  blockedCommands: ['sudo'],
  offersTools: true,
  toolSeconds: {},
  permissionLevels: {},
  confirmedTools: [],
  disabledTools: [],
  prompt: PROMPT_SETTINGS,
};

const FILES = {
  '/home/user/shop/src/sum.js': 'export const sum = (a, b) => a - b;\n',
  '/home/user/.ssh/id': 'secret',
  '/home/user/other/note.md': 'note',
};

/** A session in `/home/user/shop`, with its fakes. */
async function session(script: {
  readonly answers?: readonly ScriptedAnswer[];
  readonly commands?: readonly ScriptedCommand[];
  readonly approvals?: readonly ApprovalDecision[];
  readonly settings?: Partial<SessionSettings>;
  readonly smallModel?: LanguageModel;
  readonly openModel?: AppAgentPorts['openModel'];
  readonly limitModel?: AppAgentPorts['limitModel'];
  readonly workspace?: string;
  readonly secrets?: readonly string[];
  readonly extensions?: Extensions;
  readonly store?: Partial<StoreOptions>;
}) {
  const clock = createManualClock();
  const { fileSystem, volume } = createMemoryFileSystem(FILES);
  const model = createScriptedModel(...(script.answers ?? []));
  const shell = createScriptedShell(clock, ...(script.commands ?? []));
  const approvals = [...(script.approvals ?? [])];
  const asked: string[] = [];
  const sessions = createTestStore(fileSystem, { clock, directory: '/home/user/state/sessions', ...script.store });
  const agent = await startAgent(
    { ...SETTINGS, ...script.settings },
    {
      model,
      smallModel: script.smallModel,
      limitModel: script.limitModel,
      effort: 'low',
      configuration: { config: configOf(), origins: new Map() },
      openModel: script.openModel ?? (() => Promise.reject(new UsageError('Not again.'))),
      shell,
      fileSystem,
      clock,
      textSearch: createInProcessTextSearch({ volume }),
      digest: computeDigest,
      platform: 'posix',
      redactor: createRedactor(script.secrets ?? []),
      shellName: 'bash',
      environment: { PATH: '/bin' },
      workspace: script.workspace ?? '/home/user/shop',
      home: '/home/user',
      ownDirectories: ['/home/user/state'],
      sessions,
      record: await sessions.create(),
      loadExtensions: async () => script.extensions ?? NO_EXTENSIONS,
      approver: {
        async decide(request) {
          asked.push(request.effect.summary);
          const answer = approvals.shift();
          if (answer === undefined) throw new Error(`an unexpected question: ${request.effect.summary}`);
          return answer;
        },
      },
    },
  );
  const read = (path: string): string => volume.readFileSync(path, 'utf8').toString();
  return { agent, model, shell, asked, read, volume, fileSystem };
}

/** A command whose output is so long that it is saved in a log. */
const NOISE: ScriptedCommand = {
  command: 'noise',
  workingDirectory: '/home/user/shop',
  steps: [{ stdout: Array.from({ length: 400 }, (_, line) => `line ${line}\n`).join('') }],
};

/** Opens a new session, closes it, and continues the previous one. */
async function reload(agent: Agent): Promise<void> {
  const { name } = agent.record;
  await agent.clear();
  await agent.load(name);
}

async function run(agent: Agent, prompt: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.run(prompt, new AbortController().signal)) events.push(event);
  return events;
}

function results(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'tool_result' ? [`${event.outcome}: ${event.content}`] : []));
}

const readSum = call('a', 'read_file', { path: 'src/sum.js' });
const editSum = (id: string, old_text: string, new_text: string) =>
  call(id, 'edit_file', { path: 'src/sum.js', old_text, new_text });

describe('a session', () => {
  it('describes its model, workspace, mode and tools', async () => {
    const { agent } = await session({});
    expect([agent.model, agent.workspace, agent.permissionMode]).toEqual(['scripted/model', '/home/user/shop', 'ask']);
    expect(agent.tools.map((tool) => tool.name)).toEqual(TOOL_NAMES);
  });

  const REVIEWER = {
    ...{ name: 'reviewer', tools: ['Read', 'no_such_tool', 'Bash'], prompt: 'Be strict, key hunter2.', path: 'r.md' },
  };

  it('uses the instructions of an agent, and only its tools, until the user leaves it', async () => {
    const { agent, model } = await session({
      answers: [{ text: 'One.' }, { calls: [editSum('a', 'a', 'b')] }, { text: 'Two.' }, { text: 'Three.' }],
      secrets: ['hunter2'],
      extensions: { ...NO_EXTENSIONS, agents: [REVIEWER] },
      settings: { disabledTools: ['run_shell'] },
    });
    await run(agent, 'one');
    await agent.choose(REVIEWER);
    expect([agent.chosen?.name, agent.tools.map(({ name }) => name)]).toEqual(['reviewer', ['read_file']]);
    expect(agent.promptParts.at(-1)?.name).toBe('agent');
    const [refused] = results(await run(agent, 'two'));
    expect(refused).toContain('There is no tool "edit_file"');
    await agent.choose(undefined);
    await run(agent, 'three');
    const [first, second, third, last] = model.requests;
    const text =
      'The user has chosen the agent "reviewer". Work by its instructions until the user chooses another one:';
    expect(second?.system).toBe(`${first?.system}\n${text}\n\nBe strict, key [redacted:secret].\n`);
    expect(third?.tools.map(({ name }) => name)).toEqual(['read_file']);
    expect([last?.system, last?.tools]).toEqual([first?.system, first?.tools]);
  });

  it('keeps the agent when it loads a session or is cleared', async () => {
    const { agent, model } = await session({
      answers: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }],
      extensions: { ...NO_EXTENSIONS, agents: [REVIEWER] },
    });
    await agent.choose(REVIEWER);
    await run(agent, 'one');
    const { name } = agent.record;
    await agent.clear();
    expect(agent.chosen).toEqual(REVIEWER);
    await run(agent, 'two');
    const { name: second } = agent.record;
    await agent.choose(undefined);
    await agent.clear();
    expect(agent.chosen).toBeUndefined();
    await agent.load(name);
    expect(agent.chosen).toEqual(REVIEWER);
    await run(agent, 'three');
    await agent.load(second);
    expect(agent.chosen).toBeUndefined();
    expect(model.requests.map(({ system }) => system.includes('Be strict'))).toEqual([true, true, true]);
    expect((await readAudit(agent.record.lines())).map(({ tool, summary }) => `${tool} ${summary}`)).toEqual([
      '/agent reviewer',
      '/agent ',
    ]);
  });

  it('reads @PATH as the name of an existing file, and as text otherwise', async () => {
    const { agent } = await session({ answers: [] });
    const text = 'compare @src/sum.js with @src/none.js, @scope/package.x, @none/a.js and @file:src/sum.js';
    const { prompt, notes } = await readTypedPrompt(text, agent, new AbortController().signal);
    expect(prompt.files?.map(({ file }) => file)).toEqual(['src/sum.js']);
    const mention = await readTypedPrompt('see @src/sum.js.', agent, new AbortController().signal);
    expect([notes.length, mention.prompt.files?.map(({ file }) => file)]).toEqual([1, ['src/sum.js']]);
  });

  it('sends the files that a prompt names before it, and keeps them when it is continued', async () => {
    const { agent, model, asked } = await session({
      answers: [{ text: 'Seen.' }, { text: 'Again.' }],
      approvals: [{ type: 'once' }],
      secrets: ['export const'],
    });
    const { signal } = new AbortController();
    const { prompt } = await readTypedPrompt(
      'compare @file:src/sum.js and @file:/home/user/other/note.md',
      agent,
      signal,
    );
    for await (const _event of agent.run(prompt, signal));
    await reload(agent);
    await run(agent, 'and now?');
    expect(asked).toEqual(['read /home/user/other/note.md']);
    const named = [
      {
        role: 'user',
        content: '@file:src/sum.js\n[redacted:secret] sum = (a, b) => a - b;\n',
        reminder: true,
        file: 'src/sum.js',
      },
      {
        role: 'user',
        content: '@file:/home/user/other/note.md\nnote',
        reminder: true,
        file: '/home/user/other/note.md',
      },
      { role: 'user', content: 'compare @file:src/sum.js and @file:/home/user/other/note.md' },
    ];
    expect(model.requests.map(({ messages }) => messages.slice(0, 3))).toEqual([named, named]);
    expect(model.requests[1]?.messages.slice(3)).toEqual([
      { role: 'assistant', content: 'Seen.', toolCalls: [] },
      { role: 'user', content: 'and now?' },
    ]);
    await expect(agent.attach('/home/user/.ssh/id', signal)).rejects.toThrow('the rules for paths block it');
    // This file is read for a message that is not sent.
    await agent.attach('src/sum.js', signal);
    expect((await readAudit(agent.record.lines())).map(({ tool, summary }) => [tool, summary])).toEqual([
      ['@file', 'src/sum.js'],
      ['@file', '/home/user/other/note.md'],
    ]);
  });

  it.each([
    ['every time', [{ type: 'once' }, { type: 'once' }], 2],
    ['once, if the answer holds for the session', [{ type: 'session' }], 1],
  ] as const)('asks about edits of files it has read %s', async (_name, approvals, questions) => {
    const { agent, asked, read } = await session({
      answers: [
        { calls: [readSum] },
        { calls: [editSum('b', 'a - b', 'a + b')] },
        { calls: [editSum('c', 'a + b', 'b + a')] },
        { text: 'Done.' },
      ],
      approvals,
    });
    const events = await run(agent, 'fix it');
    expect(asked).toEqual(Array(questions).fill('edit src/sum.js (+1 −1)'));
    expect(read('/home/user/shop/src/sum.js')).toBe('export const sum = (a, b) => b + a;\n');
    expect(events.at(-1)).toMatchObject({ outcome: 'done' });
  });

  it('asks again about a command that it may run once it has changed the file that the command runs', async () => {
    const write = (id: string, content: string) => call(id, 'write_file', { path: 'tool/go.js', content });
    const command = (id: string) => call(id, 'run_shell', { command: 'node tool/go.js' });
    const { agent, asked } = await session({
      answers: [
        { calls: [write('a', '1')] },
        { calls: [command('b')] },
        { calls: [command('c')] },
        { calls: [write('d', '2')] },
        { calls: [command('e')] },
        { calls: [command('f')] },
        { text: 'Done.' },
      ],
      commands: ['b', 'c', 'e', 'f'].map(() => ({ command: 'node tool/go.js' })),
      approvals: [{ type: 'session' }, { type: 'session' }, { type: 'session' }],
    });
    await run(agent, 'go');
    expect(asked).toEqual(['create tool/go.js (+1)', 'run node tool/go.js', 'run node tool/go.js']);
  });

  it.each<[string, Partial<SessionSettings>, (agent: Agent) => Promise<unknown>]>([
    ['/clear', { allowedCommands: ['node tool/go.js'] }, (agent) => agent.clear()],
    ['two of them', { allowedCommands: ['node tool/go.js'] }, (agent) => agent.clear().then(() => agent.clear())],
    ['/load of the session', { allowedCommands: ['node tool/go.js'] }, reload],
    ['/clear with kept approvals', { persistApprovals: true }, (agent) => agent.clear()],
    ['/load with kept approvals', { persistApprovals: true }, reload],
  ])('still asks about such a command after %s', async (_name, settings, change) => {
    const command = (id: string) => call(id, 'run_shell', { command: 'node tool/go.js' });
    const write = call('a', 'write_file', { path: 'tool/go.js', content: '1' });
    const { agent, asked } = await session({
      answers: [
        { calls: [write] },
        { calls: [command('b')] },
        { text: 'Done.' },
        { calls: [command('c')] },
        { calls: [command('d')] },
        { text: 'Done.' },
      ],
      commands: ['b', 'c', 'd'].map(() => ({ command: 'node tool/go.js' })),
      approvals: [{ type: 'session' }, { type: 'session' }],
      settings: { permissionMode: 'accept-edits', ...settings },
    });
    await run(agent, 'go');
    await change(agent);
    await run(agent, 'again');
    expect(asked).toEqual(['run node tool/go.js', 'run node tool/go.js']);
  });

  it.each([
    [{ type: 'on', program: 'bubblewrap' } as const],
    [{ type: 'off', reason: 'no bwrap', advice: 'Install it.' } as const],
    [undefined],
  ])('reports the sandbox %j in the first event and to the agent', async (sandbox) => {
    const { agent } = await session({ answers: [{ text: 'Hello.' }], settings: { sandbox } });
    const [start] = await run(agent, 'go');
    expect(start).toMatchObject({ type: 'session_start' });
    expect(start).toEqual(
      sandbox === undefined
        ? expect.not.objectContaining({ sandbox: expect.anything() })
        : expect.objectContaining({ sandbox }),
    );
    expect(agent.sandbox).toEqual(sandbox);
  });

  it('lets read_file open the full log of a command, but no other file there', async () => {
    const output = Array.from({ length: 400 }, (_, line) => `line ${line} of hunter2\n`).join('');
    const log = '/home/user/state/sessions/session-20261120-090000-0001/outputs/a.log';
    const { agent } = await session({
      answers: [
        { calls: [call('a', 'run_shell', { command: 'noise' })] },
        { calls: [call('b', 'read_file', { path: log, offset: 200, limit: 1 })] },
        { calls: [call('c', 'write_file', { path: log, content: 'x' })] },
        { calls: [call('d', 'read_file', { path: '/home/user/state/other' })] },
        { text: 'Done.' },
      ],
      commands: [{ command: 'noise', workingDirectory: '/home/user/shop', steps: [{ stdout: output }] }],
      settings: { permissionMode: 'full-access', maxToolOutputChars: 500 },
      secrets: ['hunter2'],
    });
    const [shown, inLog, write, otherFile] = results(await run(agent, 'go'));
    expect(shown).toContain(log);
    expect(inLog).toContain('200\tline 199 of [redacted:secret]');
    expect(write).toContain('may be read but not changed');
    expect(otherFile).toContain('is blocked (directory of ybs: /home/user/state)');
  });

  it('runs the command that the user typed instead, with the other arguments of the call', async () => {
    const { agent } = await session({
      answers: [
        { calls: [call('a', 'run_shell', { cmd: 'npm publish', working_directory: 'src' })] },
        { text: 'Done.' },
      ],
      approvals: [{ type: 'edit', command: 'npm test' }, { type: 'once' }],
      commands: [{ command: 'npm test', workingDirectory: '/home/user/shop/src', steps: [{ stdout: 'ok\n' }] }],
    });
    const [result] = results(await run(agent, 'go'));
    expect(result).toContain('npm test');
    expect(result).toContain('ok');
  });

  it('sends the model no secret of a prompt, a file or a command, and writes no redaction mark to files', async () => {
    const { agent, model, read, volume } = await session({
      answers: [
        { calls: [call('a', 'read_file', { path: 'src/sum.js' })] },
        { calls: [call('b', 'run_shell', { command: 'print' })] },
        { calls: [call('c', 'write_file', { path: 'note.txt', content: 'password [redacted:secret]' })] },
        { text: 'Done with hunter2.' },
      ],
      commands: [
        { command: 'print', workingDirectory: '/home/user/shop', steps: [{ stdout: 'is hun' }, { stdout: 'ter2\n' }] },
      ],
      settings: { permissionMode: 'full-access' },
      secrets: ['hunter2', 'export const sum'],
    });
    const events = await run(agent, 'use hunter2');
    expect(JSON.stringify(events)).not.toContain('hunter2');
    expect(JSON.stringify(model.requests)).not.toMatch(/hunter2|export const sum/);
    expect(events.filter(({ type }) => type === 'warning')).toMatchObject([{ code: 'redacted' }]);
    const [, , written] = results(events);
    expect(written).toContain('[redacted:key], which stands for a secret');
    expect(volume.existsSync('/home/user/shop/note.txt')).toBe(false);
    expect(read('/home/user/shop/src/sum.js')).toBe(FILES['/home/user/shop/src/sum.js']);
  });

  const SESSIONS = '/home/user/state/sessions';
  const OWN = `${SESSIONS}/session-20261120-090000-0001`;
  it.each([
    ['search_files', { pattern: 'line 7', path: `${OWN}/outputs` }, '8: line 7'],
    ['search_files', { pattern: 'line 7', path: `${OWN}/outputs/a.log` }, '8: line 7'],
    ['read_file', { path: `${OWN}/outputs/a.log`, limit: 1 }, '1\tline 0'],
    ['list_files', { path: `${OWN}/outputs`, pattern: '*' }, 'a.log'],
  ])('lets %s read the outputs of its own session without a question: %j', async (tool, args, expected) => {
    const { agent, asked } = await session({
      answers: [{ calls: [call('a', 'run_shell', { command: 'noise' })] }, { calls: [call('b', tool, args)] }, {}],
      commands: [NOISE],
      approvals: [{ type: 'once' }],
      settings: { maxToolOutputChars: 500 },
    });
    const [, result] = results(await run(agent, 'go'));
    expect(result).toContain(expected);
    expect(asked).toEqual(['run noise']);
  });

  it.each(
    ['search_files', 'list_files', 'read_file'].flatMap((tool) =>
      [
        '/home/user/state',
        SESSIONS,
        OWN,
        `${OWN}.jsonl`,
        `${OWN}.lock`,
        `${OWN}/history.xnl`,
        `${OWN}/outputs/../history.xnl`,
        `${OWN}/outputs/../../other/outputs/a.log`,
        `${SESSIONS}/other/outputs`,
        `${SESSIONS}/announced.json`,
        `${OWN}-2/outputs/a.log`,
      ].map((path) => [tool, path] as const),
    ),
  )('does not let %s read %s', async (tool, path) => {
    const { agent, asked, volume } = await session({
      answers: [
        { calls: [call('a', 'run_shell', { command: 'noise' })] },
        { calls: [call('b', tool, { path, pattern: 'line' })] },
        {},
      ],
      commands: [NOISE],
      settings: { maxToolOutputChars: 500, permissionMode: 'full-access' },
    });
    volume.fromJSON({
      [`${OWN}/history.xnl`]: 'line',
      [`${SESSIONS}/other/outputs/a.log`]: 'line',
      [`${OWN}-2/outputs/a.log`]: 'line',
      [`${SESSIONS}/announced.json`]: 'line',
    });
    const [, result] = results(await run(agent, 'go'));
    expect(result).toMatch(/^failed: .* is blocked \(directory of ybs: \/home\/user\/state\)/);
    expect(asked).toEqual([]);
  });

  it('finds no files of ybs in a search of a directory above its own', async () => {
    const { agent, volume } = await session({
      answers: [{ calls: [call('a', 'search_files', { path: '/home/user', pattern: 'secret' })] }, {}],
      settings: { allowedPaths: ['/home/user'] },
    });
    volume.fromJSON({ [`${OWN}/history.xnl`]: 'secret', [`${OWN}/outputs/x.log`]: 'secret' });
    const [result] = results(await run(agent, 'go'));
    expect(result).not.toContain('history.xnl');
    expect(result).not.toContain('.ssh');
  });

  it('remembers the conversation, the files read and the rules until it is cleared', async () => {
    const { agent, model, asked } = await session({
      answers: [
        { calls: [readSum] },
        { calls: [editSum('b', 'a - b', 'a + b')] },
        { text: 'One.' },
        { text: 'Two.' },
        { calls: [editSum('c', 'a + b', 'a - b')] },
        { text: 'Three.' },
      ],
      approvals: [{ type: 'once' }, { type: 'deny' }],
    });
    await run(agent, 'first');
    await run(agent, 'second');
    expect(model.requests.at(-1)?.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    await agent.clear();
    const events = await run(agent, 'third');
    expect(model.requests.at(-2)?.messages).toEqual([{ role: 'user', content: 'third' }]);
    expect(events[0]?.type).toBe('session_start');
    expect(asked).toHaveLength(2);
  });

  it('continues a stored session: with its messages and the files read, without its permissions', async () => {
    const { agent, model, asked } = await session({
      answers: [
        { calls: [readSum] },
        { calls: [editSum('b', 'a - b', 'a + b')] },
        { text: 'One.' },
        { text: 'Two.' },
        { calls: [editSum('c', 'a + b', 'b + a')] },
        { text: 'Three.' },
      ],
      approvals: [{ type: 'session' }, { type: 'once' }],
    });
    await run(agent, 'first');
    const { name, id } = agent.record;
    await agent.clear();
    await run(agent, 'second');
    expect([agent.record.name === name, agent.record.id === id]).toEqual([false, false]);
    await agent.load(name);
    expect([agent.record.name, agent.record.id]).toEqual([name, id]);
    const events = await run(agent, 'third');
    expect(model.requests.at(-2)?.messages.slice(0, -1)).toEqual([
      ...(model.requests[2]?.messages ?? []),
      { role: 'assistant', content: 'One.', toolCalls: [] },
    ]);
    expect(results(events)[0]).toMatch(/^ok: edited src\/sum\.js/);
    expect(asked).toEqual(['edit src/sum.js (+1 −1)', 'edit src/sum.js (+1 −1)']);
    await expect(agent.load('nope')).rejects.toMatchObject({ code: 'not_found' });
    expect(agent.record.name).toBe(name);
  });

  it('sends the pictures of a prompt to the model', async () => {
    const { agent, model } = await session({ answers: [{ text: 'A cat.' }] });
    const images = [{ mediaType: 'image/png', data: 'AAAA' }] as const;
    const events: AgentEvent[] = [];
    const prompt = { text: 'What is this?', images };
    for await (const event of agent.run(prompt, new AbortController().signal)) events.push(event);
    expect(events[1]).toEqual({ type: 'user_message', text: 'What is this?', images });
    expect(model.requests[0]?.messages).toEqual([{ role: 'user', content: 'What is this?', images }]);
  });

  it('decides the next call in another permission mode during a run, and reports it', async () => {
    const { agent } = await session({
      answers: [{ calls: [readSum] }, { calls: [editSum('b', 'a - b', 'a + b')] }, { text: 'Done.' }],
    });
    const seen: string[] = [];
    for await (const event of agent.run('fix it', new AbortController().signal)) {
      if (event.type === 'tool_result' && event.callId === 'a') agent.setPermissionMode('accept-edits');
      if (event.type === 'permission_mode') seen.push(event.mode);
      if (event.type === 'tool_result') seen.push(`${event.toolName} ${event.outcome}`);
    }
    expect(seen).toEqual(['read_file ok', 'accept-edits', 'edit_file ok']);
    expect(agent.permissionMode).toBe('accept-edits');
  });

  it.each<[string, (agent: Agent, copy: string) => Promise<void>]>([
    ['new session', (agent) => agent.clear()],
    ['loaded session', (agent, copy) => agent.load(copy)],
  ])('begins a %s in the configured permission mode', async (_what, begin) => {
    const { agent } = await session({ answers: [{ text: 'One.' }], settings: { permissionMode: 'accept-edits' } });
    await run(agent, 'hi');
    const modes = ['full-access', 'plan'] as const;
    for (const name of modes) await agent.sessions.save(agent.record, name);
    for (const chosen of modes) {
      agent.setPermissionMode(chosen);
      await begin(agent, chosen);
      expect(agent.permissionMode).toBe('accept-edits');
    }
  });

  it('reports once a mode that was changed between two runs or at the end of one', async () => {
    const { agent } = await session({ answers: [{ text: 'One.' }, { text: 'Two.' }] });
    agent.setPermissionMode('read-only');
    const first = await run(agent, 'hi');
    expect(first.flatMap((event) => (event.type === 'permission_mode' ? [event.mode] : []))).toEqual(['read-only']);
    const second: string[] = [];
    for await (const event of agent.run('again', new AbortController().signal)) {
      if (event.type === 'turn_end') agent.setPermissionMode('ask');
      if (event.type === 'permission_mode' || event.type === 'run_end') second.push(event.type);
    }
    expect(second).toEqual(['permission_mode', 'run_end']);
  });

  it('uses another model from the next request on, even during a run', async () => {
    const { agent, model } = await session({ answers: [{ calls: [readSum] }] });
    const other = createScriptedModel({ text: 'Done.' });
    const named = { ...other, identity: { ...other.identity, model: 'other' } };
    const models: string[] = [];
    for await (const event of agent.run('look', new AbortController().signal)) {
      if (event.type === 'tool_result') agent.useModel(named, 'scripted/other');
      if (event.type === 'turn_start') models.push(event.model.model);
    }
    expect(models).toEqual(['scripted-model', 'other']);
    model.assertExhausted();
    other.assertExhausted();
  });

  it('opens the model again for another effort, from the next run on', async () => {
    const thinking = createScriptedModel({ text: 'Two.' });
    const efforts: string[] = [];
    const { agent, model } = await session({
      answers: [{ text: 'One.' }],
      openModel: async (effort) => {
        efforts.push(effort);
        return thinking;
      },
    });
    await run(agent, 'first');
    expect(agent.effort).toBe('low');
    await agent.setEffort('high');
    expect(agent.effort).toBe('high');
    expect(efforts).toEqual(['high']);
    await run(agent, 'second');
    expect(model.requests).toHaveLength(1);
    expect(thinking.requests[0]?.messages.map(({ content }) => content)).toEqual(['first', 'One.', 'second']);
  });

  it('keeps the model and its effort when it cannot be opened again', async () => {
    const { agent, model } = await session({ answers: [{ text: 'One.' }] });
    await expect(agent.setEffort('high')).rejects.toThrow('Not again.');
    expect(agent.effort).toBe('low');
    await run(agent, 'first');
    expect(model.requests).toHaveLength(1);
  });

  it('changes nothing in plan mode before the plan is approved, and returns to plan mode after the run', async () => {
    const edit = editSum('b', 'a - b', 'a + b');
    const plan = (id: string) => call(id, 'present_plan', { plan: '1. Add.' });
    const { agent, model, read } = await session({
      answers: [
        { calls: [readSum, edit, call('c', 'run_shell', { command: 'ls' })] },
        { calls: [plan('d')] },
        { calls: [{ ...edit, id: 'e' }] },
        { calls: [plan('f')] },
        { text: 'Done.' },
        { text: 'Yes.' },
      ],
      approvals: [{ type: 'once', mode: 'accept-edits' }],
      settings: { permissionMode: 'plan' },
    });
    const events = await run(agent, 'fix the sum');
    expect(
      results(events)
        .slice(1)
        .map((text) => text.replace(/\n.*/s, '')),
    ).toEqual([
      'denied: Denied by the rule "permission mode plan": edit_file is not allowed in permission mode plan. Only read, and call present_plan with what you would change and run. Not executed. Do not try the same call again.',
      'denied: Denied by the rule "permission mode plan": run_shell is not allowed in permission mode plan. Commands that read run here once the user trusts the project with ybs trust. Only read, and call present_plan with what you would change and run. Not executed. Do not try the same call again.',
      'ok: The user agrees to the plan. Plan mode is off for the rest of this run, so carry it out now. Edits of files run without a question.',
      expect.stringMatching(/^ok: /),
      'failed: Plan mode is off, so no plan needs approval. Do what the user wants.',
    ]);
    expect(events.filter(({ type }) => type === 'plan' || type === 'permission_mode')).toEqual([
      { type: 'plan', callId: 'd', text: '1. Add.' },
      { type: 'permission_mode', mode: 'accept-edits' },
      { type: 'permission_mode', mode: 'plan', automatic: true },
    ]);
    expect(read('/home/user/shop/src/sum.js')).toContain('a + b');
    expect(agent.permissionMode).toBe('plan');
    await run(agent, 'is it right?');
    const prompts = model.requests.at(-1)?.messages.filter(({ role }) => role === 'user') ?? [];
    expect(prompts.map(({ content }) => content.slice(0, 10))).toEqual([
      'fix the su',
      '<reminder>',
      'is it righ',
      '<reminder>',
    ]);
    expect(model.requests.map(({ tools }) => tools.length)).toEqual(Array(6).fill(TOOL_NAMES.length + 1));
  });

  it('asks before each change of a plan, even if an earlier answer has allowed it', async () => {
    const { agent, asked } = await session({
      answers: [
        { calls: [readSum] },
        { calls: [editSum('b', 'a - b', 'a + b')] },
        { text: 'Done.' },
        { calls: [call('c', 'present_plan', { plan: '1. Swap.' })] },
        { calls: [editSum('d', 'a + b', 'b + a')] },
        { text: 'Done.' },
      ],
      approvals: [{ type: 'session' }, { type: 'once' }, { type: 'once' }],
    });
    await run(agent, 'fix it');
    agent.setPermissionMode('plan');
    const events = await run(agent, 'swap them');
    expect(asked).toEqual(['edit src/sum.js (+1 −1)', 'carry out this plan', 'edit src/sum.js (+1 −1)']);
    expect(events).toContainEqual(
      expect.objectContaining({ summary: 'approved, permission mode ask; 1 earlier approval of changes removed' }),
    );
  });

  it('describes the tool for plans once the session has been in plan mode', async () => {
    const { agent } = await session({});
    const names = () => agent.tools.map(({ name }) => name);
    expect(names()).toEqual(TOOL_NAMES);
    agent.setPermissionMode('plan');
    expect(names()).toEqual([...TOOL_NAMES, 'present_plan']);
    agent.setPermissionMode('ask');
    expect(names()).toEqual([...TOOL_NAMES, 'present_plan']);
    await agent.clear();
    expect(names()).toEqual(TOOL_NAMES);
  });

  it('ends a run with an answer in the schema of the host', async () => {
    const answerSchema = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] };
    const { agent, model } = await session({
      answers: [
        { calls: [call('a', 'StructuredOutput', { sum: 'three' })] },
        { calls: [call('b', 'StructuredOutput', { sum: 3 })] },
      ],
      settings: { answerSchema, permissionMode: 'read-only' },
    });
    const events = await run(agent, 'add 1 and 2');
    expect(results(events)[0]).toMatch(/^failed: The answer does not fit the schema:\n.*sum/s);
    expect(events.filter(({ type }) => type === 'answer')).toEqual([{ type: 'answer', value: { sum: 3 } }]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
    model.assertExhausted();
    expect(agent.tools.at(-1)).toMatchObject({ name: 'StructuredOutput', parameters: answerSchema });
  });

  it.each([
    [{ type: 'array' }, /^The schema of the answer needs "type": "object"/],
    [{ type: 'object', properties: { a: { $ref: '#/nowhere' } } }, /^The schema of the answer cannot be used: /],
  ])('rejects the schema %j for an answer', async (answerSchema, message) => {
    const opening = session({ settings: { answerSchema } });
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toBeInstanceOf(UsageError);
  });

  it('ends a run at its limit when the budget is spent', async () => {
    const prices = { 'test/scripted-model': { input: 1, output: 1 } };
    const usage = { inputTokens: 600_000, outputTokens: 0 };
    const { agent } = await session({
      answers: [
        { calls: [readSum], usage },
        { calls: [{ ...readSum, id: 'b' }], usage },
      ],
      limitModel: createBudget(1, prices).limit,
    });
    const events = await run(agent, 'look');
    expect(events.at(-1)).toEqual({
      type: 'run_end',
      outcome: 'limit',
      message: 'Stopped: the requests have cost $1.2000 of a budget of $1 (--max-budget-usd).',
      error: { code: 'budget_spent', message: expect.stringContaining('Stopped: the requests have cost') },
    });
    const other = createScriptedModel();
    const unpriced = { ...other, identity: { ...other.identity, model: 'other' } };
    expect(() => agent.useModel(unpriced, 'test/other')).toThrow(
      'A budget needs the price of test/other: set it in models.prices (--max-budget-usd).',
    );
    expect(agent.model).toBe('scripted/model');
  });

  it('asks the hooks of the host before each call, and adds their text to the result', async () => {
    const { agent, asked } = await session({
      answers: [{ calls: [readSum, editSum('b', 'a - b', 'a + b')] }, { text: 'Done.' }],
      settings: {
        hooks: {
          beforeCall: async ({ toolName }) =>
            toolName === 'edit_file' ? { verdict: 'deny', reason: 'The host forbids it.' } : undefined,
          afterCall: async () => 'Read with care.',
        },
      },
    });
    const [read, edit] = results(await run(agent, 'fix it'));
    expect(read).toMatch(/^ok: .*\n\nRead with care\.$/s);
    expect(edit).toMatch(/^denied: Denied by the rule "hook": The host forbids it\./);
    expect(asked).toEqual([]);
  });

  it('cannot start in a directory that does not exist', async () => {
    await expect(session({ workspace: '/home/user/gone' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a command of the user', () => {
  async function type(command: string, commands: readonly ScriptedCommand[]) {
    const { agent, shell } = await session({ commands });
    const output = agent.runUserCommand(command, '/home/user/elsewhere', new AbortController().signal);
    const shown: string[] = [];
    for (;;) {
      const step = await output.next();
      if (step.done === true) return { shown, ...step.value, ran: shell.commands.map((ran) => ran.command) };
      shown.push(step.value.text);
    }
  }

  it('runs in the given directory and returns a message for the model', async () => {
    const { shown, report, summary } = await type('ls', [
      { command: 'ls', workingDirectory: '/home/user/elsewhere', steps: [{ stdout: 'a.txt\n' }] },
    ]);
    expect(shown).toEqual(['a.txt\n']);
    expect(summary).toBe('exit code 0 after 0.0 s');
    expect(report).toMatch(/^\[Shell command output\]\nCommand: ls\nexit_code: 0\n/);
    expect(report).toContain('a.txt');
  });

  it('is logged before its effect, as are other actions of the user', async () => {
    const { agent } = await session({ commands: [{ command: 'ls' }], answers: [{ text: 'Hi.' }] });
    const { signal } = new AbortController();
    await agent.permissions.setLevel('run_shell', 'denied');
    for await (const _event of agent.run('hi', signal));
    for (const command of ['ls', 'sudo ls']) {
      for await (const _output of agent.runUserCommand(command, '/home/user/elsewhere', signal));
    }
    await agent.permissions.forget([], 'nothing');
    const log: string[] = [];
    for await (const line of agent.record.lines()) log.push(line);
    const types = log.map((line) => /"type":"(\w+)"/.exec(line)?.[1]);
    expect(types.indexOf('user_action')).toBe(types.indexOf('user') + 1);
    expect(
      (await readAudit(agent.record.lines())).map(({ tool, verdict, summary }) => [tool, verdict, summary]),
    ).toEqual([
      ['/permissions', 'allow', 'run_shell denied'],
      ['!command', 'allow', 'ls'],
      ['!command', 'deny', 'sudo ls'],
      ['/approvals', 'allow', 'clear nothing'],
    ]);
  });

  it('is denied when it removes everything behind a link', async () => {
    const { ran, summary } = await type('ln -s ~ x; rm -rf x/*', []);
    expect(ran).toEqual([]);
    expect(summary).toBe('Not run: the rule "built-in: recursive removal" blocks this command.');
  });
});
