import { describe, expect, it } from 'vitest';
import type { ExternalToolEntry } from '../../../../src/tools/external-tool/definition.ts';
import { externalToolWarnings, findExternalTools, NO_EXTERNAL_TOOLS } from '../../../../src/tools/external-tools.ts';
import type { ScriptedCommand } from '../../../support/fakes/scripted-shell.ts';
import { toolMachine } from '../../../support/tools/external-tools.ts';

const schema = (name: string, more: object = {}): string =>
  JSON.stringify({ name, description: `Do ${name}.`, parameters: {}, ...more });
const asked = (path: string, stdout: string, end: ScriptedCommand['end'] = 0): ScriptedCommand => ({
  command: `${path.replace(/^~/, '/home/ada')} --schema`,
  timeoutMs: 5_000,
  steps: [{ stdout }],
  end,
});
const entry = (name: string, path: string, more: Partial<ExternalToolEntry> = {}): ExternalToolEntry => ({
  name,
  path,
  enabled: true,
  ...more,
});
const described = { description: 'Do it.', parameters: {} };

describe('the external tools', () => {
  it('do not exist when the directories are missing or empty, and no program is started', async () => {
    const machine = toolMachine({ others: { '~/.ybs/tools/.hidden': '#!/bin/sh' } });
    expect(await machine.find()).toEqual({ tools: [], states: [] });
    expect(await machine.find({ settings: { ...NO_EXTERNAL_TOOLS, searchPaths: ['~/.ybs/tools/.hidden'] } })).toEqual({
      tools: [],
      states: [],
    });
  });

  it('are the entries of the configuration, then the programs of the search paths in order', async () => {
    const machine = toolMachine(
      { programs: ['~/bin/x', '~/.ybs/tools/b', '~/.ybs/tools/a', '~/.config/ybs/tools/z'] },
      asked('~/.config/ybs/tools/z', schema('third')),
      asked('~/.ybs/tools/a', schema('second')),
      asked('~/.ybs/tools/b', schema('fourth')),
    );
    const { tools, states } = await machine.find({
      settings: {
        ...NO_EXTERNAL_TOOLS,
        entries: [entry('first', '~/bin/x', described)],
        searchPaths: ['~/.config/ybs/tools', '~/.ybs/tools'],
      },
    });
    expect(tools.map(({ definition }) => definition.name)).toEqual(['first', 'third', 'second', 'fourth']);
    expect(states[1]).toEqual({
      type: 'available',
      name: 'third',
      path: '~/.config/ybs/tools/z',
      description: 'Do third.',
    });
    expect(machine.shell.commands.map(({ workingDirectory }) => workingDirectory)).toContain('/home/ada/.ybs/tools');
    machine.shell.assertExhausted();
  });

  it.each(['~/.ybs/tools/web-search.tool.json', '~/.ybs/tools/web-search.sh.tool.json'])(
    'may be described by a file next to them, without starting them: %s',
    async (sidecar) => {
      const machine = toolMachine({
        programs: ['~/.ybs/tools/web-search.sh'],
        others: { [sidecar]: '{"description": "Search."}' },
      });
      const { states } = await machine.find();
      expect(states).toMatchObject([{ type: 'available', name: 'web_search', path: '~/.ybs/tools/web-search.sh' }]);
    },
  );

  it('of an entry are neither listed again nor run when they are in a search path, even if disabled', async () => {
    const machine = toolMachine({ programs: ['~/.ybs/tools/a', '~/.ybs/tools/b'] });
    const { states } = await machine.find({
      settings: {
        ...NO_EXTERNAL_TOOLS,
        entries: [entry('mine', '~/.ybs/tools/a', described), entry('off', '~/.ybs/tools/b', { enabled: false })],
        searchPaths: ['~/.ybs/tools'],
      },
    });
    expect(states.map(({ name }) => name)).toEqual(['mine']);
  });

  it('of the user are not hidden by a link to them in a project', async () => {
    const machine = toolMachine({ programs: ['~/.ybs/tools/a'] }, asked('~/.ybs/tools/a', schema('mine')));
    machine.volume.mkdirSync('/home/ada/project/tools');
    machine.volume.symlinkSync('/home/ada/.ybs/tools/a', '/home/ada/project/tools/a');
    const { states } = await machine.find({
      settings: { ...NO_EXTERNAL_TOOLS, searchPaths: ['./tools', '~/.ybs/tools'] },
    });
    expect(states.map(({ name, type }) => [name, type])).toEqual([
      ['a', 'unavailable'],
      ['mine', 'available'],
    ]);
  });

  it('of an entry without a description get it from the program, and keep the name of the entry', async () => {
    const machine = toolMachine({ programs: ['~/bin/x'] }, asked('~/bin/x', schema('other', { input: 'argument' })));
    const { tools } = await machine.find({
      settings: { ...NO_EXTERNAL_TOOLS, entries: [entry('mine', '~/bin/x', { description: 'Better.' })] },
    });
    expect(tools[0]?.definition).toEqual({
      name: 'mine',
      description: 'Better.',
      effect: 'execute',
      parameters: { type: 'object', properties: {} },
    });
  });

  it('are not started for their schema when the session starts no programs', async () => {
    const machine = toolMachine({ programs: ['~/.ybs/tools/a'] });
    const { states } = await machine.find({ startsNothing: 'a dry run starts nothing' });
    expect(states).toMatchObject([{ type: 'unavailable', reason: 'a dry run starts nothing', isProblem: false }]);
  });

  it.each(['./tools', '/home/ada/project/tools'])('of a project are listed but not started: %s', async (searchPath) => {
    const machine = toolMachine({ programs: ['~/project/tools/deploy'], others: { '~/project/tools/NOTES': 'text' } });
    const { states } = await machine.find({ settings: { ...NO_EXTERNAL_TOOLS, searchPaths: [searchPath] } });
    expect(states).toMatchObject([
      {
        type: 'unavailable',
        name: 'deploy',
        isProblem: false,
        reason: expect.stringMatching(/^it is inside the project/),
      },
    ]);
    expect(externalToolWarnings(states)).toEqual([]);
  });

  it('that a file of the project names are listed but not started', async () => {
    const machine = toolMachine({ programs: ['~/bin/x'] });
    const { states } = await machine.find({
      settings: { ...NO_EXTERNAL_TOOLS, projectEntries: [entry('evil', '~/bin/x', described)] },
    });
    expect(states).toMatchObject([{ type: 'unavailable', reason: expect.stringMatching(/^a file of the project/) }]);
  });

  it.each<[string, Partial<Parameters<typeof toolMachine>[0]>, ScriptedCommand[], string | RegExp]>([
    ['prints a list', {}, [asked('~/.ybs/tools/x', '[]')], /must be a JSON object/],
    [
      'cannot start',
      {},
      [asked('~/.ybs/tools/x', '', { failedToStart: 'EMFILE' })],
      '--schema failed: it could not be started: EMFILE',
    ],
    [
      'has the name of a built-in tool',
      {},
      [asked('~/.ybs/tools/x', schema('run_shell'))],
      /ybs has a tool of this name/,
    ],
    ['has an alias of a built-in tool', {}, [asked('~/.ybs/tools/x', schema('bash'))], /models use the name for one/],
    [
      'has the name of a tool of the host',
      {},
      [asked('~/.ybs/tools/x', schema('theirs'))],
      /ybs has a tool of this name/,
    ],
    [
      'has a large sidecar',
      { others: { '~/.ybs/tools/x.tool.json': ' '.repeat(70_000) } },
      [],
      'its .tool.json file is larger than 64 KB',
    ],
    ['has a broken sidecar', { others: { '~/.ybs/tools/x.tool.json': '{' } }, [], /description is not valid JSON/],
    [
      'has a directory as its sidecar',
      { others: { '~/.ybs/tools/x.tool.json/y': '' } },
      [],
      'its .tool.json file: it is a directory',
    ],
  ])('cause a warning about a tool that %s', async (_name, files, commands, reason) => {
    const machine = toolMachine({ programs: ['~/.ybs/tools/x'], ...files }, ...commands);
    const { tools, states } = await machine.find({ otherNames: ['theirs'] });
    expect(tools).toEqual([]);
    expect(states).toEqual(
      [
        {
          type: 'unavailable',
          name: 'x',
          path: '~/.ybs/tools/x',
          reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
          isProblem: true,
        },
      ].map((state) => ({ ...state, name: expect.any(String) })),
    );
    expect(externalToolWarnings(states)).toEqual([
      expect.stringMatching(/^The tool \w+ \(~\/\.ybs\/tools\/x\) is not available: /),
    ]);
    machine.shell.assertExhausted();
  });

  it('with the same name cause a warning, and the first one is used', async () => {
    const machine = toolMachine(
      { programs: ['~/.config/ybs/tools/x', '~/.ybs/tools/y'] },
      asked('~/.config/ybs/tools/x', schema('same')),
      asked('~/.ybs/tools/y', schema('same')),
    );
    const { tools, states } = await machine.find();
    expect(tools).toHaveLength(1);
    expect(externalToolWarnings(states)).toEqual([
      'The tool same (~/.ybs/tools/y) is not available: ~/.config/ybs/tools/x has the same name.',
    ]);
  });

  it('are limited to 64, because each costs tokens in every request', async () => {
    const names = Array.from({ length: 65 }, (_, index) => `tool${String(index).padStart(2, '0')}`);
    const machine = toolMachine({
      programs: names.map((name) => `~/.ybs/tools/${name}`),
      others: Object.fromEntries(names.map((name) => [`~/.ybs/tools/${name}.tool.json`, '{"description": "Do."}'])),
    });
    const { tools, states } = await machine.find();
    expect(tools).toHaveLength(64);
    expect(states[64]).toMatchObject({
      name: 'tool64',
      reason: 'there are 64 external tools already',
      isProblem: true,
    });
  });

  it('do not hide an internal error', async () => {
    const { ports } = toolMachine({ programs: ['~/bin/x'], others: { '~/bin/x.tool.json': '{}' } });
    const bug = () => Promise.reject(new Error('bug'));
    const settings = { ...NO_EXTERNAL_TOOLS, entries: [entry('x', '~/bin/x')], searchPaths: ['~/bin'] };
    const { signal } = new AbortController();
    const discovery = { settings, otherNames: [], startsNothing: undefined, signal };
    for (const method of ['list', 'realPath', 'readFile']) {
      const broken = { ...ports, fileSystem: { ...ports.fileSystem, [method]: bug } };
      await expect(findExternalTools(discovery, broken)).rejects.toThrow('bug');
    }
    const machine = toolMachine({ programs: ['~/bin/x'] });
    const silent = { ...machine.ports, shell: { async *run() {} } };
    await expect(findExternalTools(discovery, silent)).rejects.toThrow('ended without an exit event');
  });

  it('are unavailable if the user stops the wait for their schemas', async () => {
    const { find } = toolMachine({ programs: ['~/.ybs/tools/slow'] }, asked('~/.ybs/tools/slow', ''));
    const { states } = await find({ signal: AbortSignal.abort() });
    expect(states).toMatchObject([{ name: 'slow', reason: expect.stringContaining('it was stopped by the user') }]);
  });

  it('that are missing are shown without a warning', async () => {
    const { find } = toolMachine({});
    const { states } = await find({
      settings: { ...NO_EXTERNAL_TOOLS, entries: [entry('gone', '~/.ybs/tools/gone')] },
    });
    expect(states).toEqual([
      {
        type: 'unavailable',
        name: 'gone',
        path: '~/.ybs/tools/gone',
        reason: 'the file, or the one that it links to, does not exist',
        isProblem: false,
      },
    ]);
    expect(externalToolWarnings(states)).toEqual([]);
  });

  it.each([
    ['a directory', '~/.ybs', /^it is not a file/],
    ['a file that is not executable', '~/.ybs/notes', /^it is not executable; use chmod \+x \/home\/ada\/.ybs\/notes$/],
    ['a file that everybody may change', '~/.ybs/open/x', /chmod o-w/],
    ['a path through a file', '~/.ybs/notes/x', /^it cannot be used: a file is where a directory is needed/],
  ])('of a wrong entry are listed with the reason: %s', async (_name, path, reason) => {
    const { find, volume } = toolMachine({ programs: ['~/.ybs/open/x'], others: { '~/.ybs/notes': 'text' } });
    volume.chmodSync('/home/ada/.ybs/open/x', 0o777);
    const { states } = await find({ settings: { ...NO_EXTERNAL_TOOLS, entries: [entry('x', path)] } });
    expect(states).toMatchObject([{ type: 'unavailable', reason: expect.stringMatching(reason) }]);
  });

  it('on Windows are programs by their extension', async () => {
    const machine = toolMachine({});
    const list = async () =>
      [
        { name: 'x.cmd', kind: 'file' },
        { name: 'notes.txt', kind: 'file' },
      ] as const;
    const { fileSystem, pathRules } = machine.ports;
    const ports = {
      ...machine.ports,
      fileSystem: {
        ...fileSystem,
        list,
        realPath: async (path: string) => path,
        stat: async (path: string) =>
          ({ kind: /\.\w+$/.test(path) ? 'file' : 'directory', size: 1, mode: 0o666, modifiedMs: 0 }) as const,
        readFile: async (path: string) => ({
          bytes: new TextEncoder().encode(path.endsWith('.tool.json') ? '{"description": "Do."}' : 'x'),
          size: 1,
          mode: 0,
        }),
      },
      pathRules: { ...pathRules, platform: 'windows', workspace: 'C:\\w', allowedRoots: ['C:\\w'], home: 'C:\\home' },
    } as const;
    const settings = { ...NO_EXTERNAL_TOOLS, searchPaths: ['~\\tools'] };
    const { states } = await findExternalTools(
      { settings, otherNames: [], startsNothing: undefined, signal: new AbortController().signal },
      ports,
    );
    expect(states).toMatchObject([{ type: 'available', name: 'x', path: '~/tools\\x.cmd' }]);
  });
});
