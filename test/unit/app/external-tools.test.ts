import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/agent/errors.ts';
import { createApprover } from '../../../src/app/driver/questions.ts';
import type { OpenSession } from '../../../src/app/settings.ts';
import { configuredRun, MODEL, type RunScript } from '../../support/agent/configured-run.ts';

const TOOL = { description: 'Do it.', parameters: {} };

/** Opens a session on a machine in memory and returns what `look` sees of its agent. */
async function look<Seen>(script: RunScript, see: (session: OpenSession) => Seen | Promise<Seen>) {
  let seen: Seen | undefined;
  const { outcome, warnings } = await configuredRun({
    ...script,
    config: { llm: MODEL, ...script.config },
    async run(wiring, _user, options) {
      const session = await wiring.openSession(
        await wiring.loadSettings(options),
        createApprover(() => undefined),
      );
      seen = await see(session);
      await session.close();
    },
  });
  return { outcome, warnings, seen };
}

const states = ({ agent }: OpenSession) => agent.externalTools.map(({ name, type }) => `${name} ${type}`);

describe('the external tools of a session', () => {
  it('are listed for an untrusted project, whose directories are not searched', async () => {
    const project = { tools: { external: [{ name: 'evil', path: '/bin/x', ...TOOL }], search_paths: ['/bin'] } };
    const { seen, warnings } = await look(
      { programs: { '/bin/x': '', '/bin/y': '' }, files: { '/work/.ybs.json': JSON.stringify(project) } },
      states,
    );
    expect({ seen, warnings }).toEqual({ seen: ['evil unavailable'], warnings: [] });
  });

  it.each([
    ['a dry run', { dryRun: true }],
    ['the permission mode read-only', { permissionMode: 'read-only' as const }],
  ])('are not asked for their schema in %s', async (_name, options) => {
    const { seen } = await look({ programs: { '/home/ada/.ybs/tools/x': '' }, options }, states);
    expect(seen).toEqual(['x unavailable']);
  });

  it('are searched again with the changed configuration', async () => {
    const { seen } = await look(
      { programs: { '/bin/x': '' }, config: { tools: { external: [{ name: 'x', path: '/bin/x', ...TOOL }] } } },
      async ({ agent }) => {
        const before = agent.tools;
        await agent.reloadTools();
        return {
          same: JSON.stringify(agent.tools) === JSON.stringify(before),
          names: agent.tools.map(({ name }) => name),
        };
      },
    );
    expect(seen).toMatchObject({ same: true, names: expect.arrayContaining(['read_file', 'x']) });
  });

  it('remain when the configuration has become invalid', async () => {
    const config = { tools: { external: [{ name: 'x', path: '/bin/x', ...TOOL }] } };
    let seen: unknown;
    await configuredRun({
      config: { llm: MODEL, ...config },
      programs: { '/bin/x': '' },
      async run(wiring, _user, options) {
        const settings = await wiring.loadSettings(options);
        const readExternalTools = () => Promise.reject(new UsageError('invalid'));
        const { agent, close } = await wiring.openSession(
          { ...settings, readExternalTools },
          createApprover(() => undefined),
        );
        await expect(agent.reloadTools()).rejects.toThrow('invalid');
        seen = agent.tools.map(({ name }) => name);
        await close();
      },
    });
    expect(seen).toContain('x');
  });
});
