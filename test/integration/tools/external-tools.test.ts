import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ToolResult } from '../../../src/agent/ports/tool.ts';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { createNodeShell } from '../../../src/node/shell/node-shell.ts';
import type { ExternalTools } from '../../../src/tools/external-tool/discovery.ts';
import type { ExternalToolPorts } from '../../../src/tools/external-tool/external-tool.ts';
import { externalToolWarnings, findExternalTools, NO_EXTERNAL_TOOLS } from '../../../src/tools/external-tools.ts';
import { shellEnvironment } from '../../../src/tools/shell/shell-environment.ts';
import { asOrdinaryUser } from '../../support/processes/ordinary-user.ts';
import { isProcessRunning, waitUntil } from '../../support/processes/process-state.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { CONTEXT, finish } from '../../support/tools/file-tools.ts';

const SCHEMA = `echo '{"name": "NAME", "description": "Try.", "parameters": {}}'`;
const GOOD = `echo '{"success": true, "result": "fine"}'`;

/** Bodies of shell scripts that misbehave, and the end of the reason that the user or the model reads. */
const HOSTILE: Readonly<Record<string, { readonly body: string; readonly reason: RegExp }>> = {
  hangs: { body: 'echo $$ > "$0.pid"; exec sleep 600', reason: /it did not end within [\d.]+ s/ },
  ignores_term: {
    body: `trap '' TERM; echo $$ > "$0.pid"; while :; do sleep 600; done`,
    reason: /it did not end within [\d.]+ s/,
  },
  floods: { body: 'echo $$ > "$0.pid"; exec yes', reason: /its standard output is too long/ },
  floods_stderr: {
    body: 'echo $$ > "$0.pid"; yes | head -c 3000000 >&2; exec sleep 600',
    reason: /it did not end within [\d.]+ s/,
  },
  garbage: { body: `printf '\\001\\377 usage'`, reason: /is not valid JSON/ },
  half: { body: `printf '{"name": "x", "descr'`, reason: /is not valid JSON/ },
  dies: { body: `printf '{'; kill -SEGV $$`, reason: /it was ended by SIGSEGV/ },
  fails: { body: 'echo why >&2; exit 7', reason: /exit code 7/ },
  silent: { body: ':', reason: /is not valid JSON|It printed nothing/ },
};

let directory = '';
/** The tools found in `schema` and in the workspace, and the result of `call`. */
let found: Pick<ExternalTools, 'states'>;
let results: ReadonlyMap<string, ToolResult>;

const write = (name: string, text: string, mode = 0o755): void => {
  writeFileSync(path.join(directory, name), text);
  chmodSync(path.join(directory, name), mode);
};

/** Ports of the real machine. Tools that do not end get a short time limit, and all others one for a busy machine. */
function machinePorts(outputDirectory: string): ExternalToolPorts {
  const shell = createNodeShell({ program: { program: '/bin/sh', args: ['-c'], name: 'sh' } });
  return {
    fileSystem: createNodeFileSystem(),
    shell: {
      run(command, signal) {
        const { program = '', args = [] } = 'program' in command ? command : {};
        // Those in `call` describe themselves, and do not end when they are called.
        const ends = program.includes('/call/') && args.includes('--schema');
        const isEndless = !ends && /hangs|ignores_term|floods_stderr/.test(program);
        return shell.run({ ...command, timeoutMs: isEndless ? 500 : 60_000 }, signal);
      },
    },
    outputDirectory,
    environment: shellEnvironment(process.env, []),
    maxOutputChars: 10_000,
    pathRules: {
      workspace: path.join(directory, 'workspace'),
      home: directory,
      allowedRoots: [path.join(directory, 'workspace')],
      readOnlyRoots: [],
      blockedPaths: [],
      platform: 'posix',
    },
  };
}

const find = (searchPaths: readonly string[]): Promise<ExternalTools> =>
  findExternalTools(
    {
      settings: { ...NO_EXTERNAL_TOOLS, searchPaths },
      otherNames: [],
      startsNothing: undefined,
      signal: new AbortController().signal,
    },
    machinePorts(path.join(directory, 'out')),
  );

function call(name: string): ToolResult {
  const result = results.get(name);
  if (result === undefined) throw new Error(`${name} was not called: ${JSON.stringify(found.states)}`);
  return result;
}

async function run(name: string, { tools, states }: ExternalTools): Promise<ToolResult> {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}: ${JSON.stringify(states)}`);
  return finish(await tool.plan({}, { ...CONTEXT, callId: name }));
}

function reasonOf(name: string): string {
  const state = found.states.find((each) => each.path.endsWith(`/${name}`));
  return state?.type === 'unavailable' ? state.reason : `available as ${state?.name}`;
}

async function expectGone(file: string): Promise<void> {
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  expect(pid).toBeGreaterThan(1);
  await waitUntil(() => !isProcessRunning(pid), `process ${pid} of ${file} to be gone`);
}

beforeAll(async () => {
  directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'external-tools-')));
  for (const name of ['schema', 'call', 'workspace', 'schema/folder']) mkdirSync(path.join(directory, name));
  for (const [name, { body }] of Object.entries(HOSTILE)) {
    write(`schema/${name}`, `#!/bin/sh\n${body}\n`);
    write(
      `call/${name}`,
      `#!/bin/sh\nif [ "$1" = --schema ]; then ${SCHEMA.replace('NAME', name)}; exit; fi\n${body}\n`,
    );
  }
  write('schema/good', `#!/bin/sh\n${SCHEMA.replace('NAME', 'good')}\n`);
  write('schema/forks', `#!/bin/sh\nsleep 600 & echo $! > "$0.pid"\n${SCHEMA.replace('NAME', 'forking')}\n`);
  write('schema/not_executable', '#!/bin/sh\n', 0o644);
  write('schema/no_interpreter', '#!/nowhere/interpreter\n');
  write('schema/windows_line_ends', '#!/bin/sh\r\necho x\r\n');
  write('schema/no_first_line', '\u0001\u0002\u0003');
  write('schema/huge', `#!/bin/sh\nhead -c 100000 /dev/zero | tr '\\0' ' '\n`);
  write(
    'schema/prototype',
    `#!/bin/sh\necho '{"name": "x", "description": "Try.", "parameters": {"__proto__": {"type": "string"}}}'\n`,
  );
  symlinkSync('/nowhere', path.join(directory, 'schema/broken_link'));
  write('workspace/mark', `#!/bin/sh\necho started > ${directory}/marked\n`);
  symlinkSync(path.join(directory, 'workspace/mark'), path.join(directory, 'schema/linked_project'));
  write('call/good', `#!/bin/sh\nif [ "$1" = --schema ]; then ${SCHEMA.replace('NAME', 'good')}; exit; fi\n${GOOD}\n`);
  write(
    'call/forks',
    `#!/bin/sh\nif [ "$1" = --schema ]; then ${SCHEMA.replace('NAME', 'forks')}; exit; fi\nsleep 600 & echo $! > "$0.pid"\n${GOOD}\n`,
  );
  write(
    'call/echoes',
    `#!/bin/sh\nif [ "$1" = --schema ]; then ${SCHEMA.replace('NAME', 'echoes')}; exit; fi\nprintf '{"result": "%s in %s, key %s"}' "$(cat /dev/stdin | tr -d '"')" "$(pwd)" "$OPENAI_API_KEY"\n`,
  );
  vi.stubEnv('OPENAI_API_KEY', 'canary');
  const names = [...Object.keys(HOSTILE), 'forks', 'echoes'];
  // Two at the same time, because the end of a tool that ignores signals takes seconds.
  const [asked, called] = await Promise.all([
    find([path.join(directory, 'schema'), path.join(directory, 'workspace')]),
    find([path.join(directory, 'call')]).then(async (callable) => {
      results = new Map(await Promise.all(names.map(async (name) => [name, await run(name, callable)] as const)));
      return callable;
    }),
  ]);
  found = { states: [...asked.states, ...called.states] };
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

// The scripts need a POSIX shell.
describe.skipIf(process.platform === 'win32')('a hostile tool', () => {
  it.each(Object.entries(HOSTILE))(
    'that misbehaves when asked for its schema is not available: %s',
    (name, { reason }) => {
      const state = found.states.find(({ path: shown }) => shown.endsWith(`schema/${name}`));
      expect(state).toMatchObject({ type: 'unavailable', isProblem: true, reason: expect.stringMatching(reason) });
    },
  );

  it.each([
    ['not_executable', /chmod \+x/],
    ['no_interpreter', /not found \(ENOENT\) \(the program named in its first line, after #!, does not exist\)/],
    ['windows_line_ends', /not found \(ENOENT\) \(the program named in its first line, after #!, does not exist\)/],
    ['no_first_line', /exit code 127/],
    ['huge', /its standard output is too long/],
    ['prototype', /"__proto__" cannot be the name of a parameter/],
    ['broken_link', /the one that it links to, does not exist/],
    ['linked_project', /inside the project/],
    ['mark', /inside the project/],
  ])('is not available, with the reason: %s', (name, reason) => {
    expect(reasonOf(name)).toMatch(reason);
  });

  it('in the project is never started', () => {
    expect(existsSync(path.join(directory, 'marked'))).toBe(false);
  });

  it('does not affect the other tools', () => {
    expect(found.states.filter(({ type }) => type === 'available').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['good', 'forking', 'echoes', 'hangs', 'floods']),
    );
  });

  it.each(Object.entries(HOSTILE))('that misbehaves when called fails with the reason: %s', (name, { reason }) => {
    const { content, isError } = call(name);
    expect({ content, isError }).toEqual({ content: expect.stringMatching(reason), isError: true });
  });

  it('that leaves a process behind returns its result, and the process is ended', async () => {
    expect(call('forks')).toMatchObject({ content: 'fine', isError: false });
    await expectGone(path.join(directory, 'call/forks.pid'));
    await expectGone(path.join(directory, 'schema/forks.pid'));
  });

  it('that hangs or prints too much is ended with its process group', async () => {
    const pids = ['schema', 'call'].flatMap((folder) =>
      readdirSync(path.join(directory, folder))
        .filter((name) => name.endsWith('.pid'))
        .map((name) => path.join(directory, folder, name)),
    );
    expect(pids.length).toBeGreaterThanOrEqual(9);
    for (const file of pids) await expectGone(file);
  });

  it('that prints megabytes to its standard error has them logged and truncated', () => {
    expect(call('floods_stderr').content.length).toBeLessThan(5_000);
  });

  it('receives its input and the workspace, but no keys', () => {
    const { content } = call('echoes');
    expect(content).toBe(`{} in ${path.join(directory, 'workspace')}, key `);
  });

  it('in a directory that an ordinary user cannot read is reported', async () => {
    const closed = path.join(temporaryDirectory(), 'closed');
    mkdirSync(closed, { mode: 0o000 });
    chmodSync(path.dirname(closed), 0o755);
    const { tools, states } = await asOrdinaryUser(() => find([closed, path.join(closed, 'inner'), '/nowhere']));
    expect(tools).toEqual([]);
    expect(externalToolWarnings(states)).toEqual([
      `The tools in ${closed} are not available: the directory cannot be read: permission denied.`,
      `The tools in ${closed}/inner are not available: the directory cannot be read: permission denied.`,
    ]);
    chmodSync(closed, 0o755);
  });

  it('of another user, who alone may execute it, is not available to an ordinary user', async () => {
    const shared = temporaryDirectory();
    chmodSync(shared, 0o755);
    writeFileSync(path.join(shared, 'private'), `#!/bin/sh\n${SCHEMA.replace('NAME', 'private')}\n`, { mode: 0o700 });
    const { states } = await asOrdinaryUser(() => find([shared]));
    const isRoot = process.getuid?.() === 0;
    const reason = expect.stringMatching(/EACCES|permission_denied/);
    expect(states).toMatchObject([isRoot ? { type: 'unavailable', reason } : { type: 'available', name: 'private' }]);
  });
});
