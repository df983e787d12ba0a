import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/config/config-error.ts';
import { withinPolicy } from '../../../src/config/layers/policy-layer.ts';
import { type ConfigSources, loadConfig } from '../../../src/config/load.ts';
import { modelVariables } from '../../../src/providers/target/presets.ts';
import { keysFor } from '../../support/agent/config-keys.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const FILE = '/etc/ybs/policy.json';

function load(policy: object | undefined, user: object = {}, changed: Partial<ConfigSources> = {}) {
  const { fileSystem } = createMemoryFileSystem({ '/home/me/.ybs.json': JSON.stringify({ safety: user }) });
  return loadConfig(fileSystem, {
    ...{ platform: 'posix', home: '/home/me', workspace: '/work', overrides: {}, variables: modelVariables({}) },
    keys: keysFor(['read_file', 'run_shell']),
    readPolicy: async () => policy && { file: FILE, text: JSON.stringify({ safety: policy }) },
    ...changed,
  });
}

describe('the policy of an administrator', () => {
  it.each([
    // policy, settings of the user, settings of the session
    [{ permission_mode: 'ask' }, { permission_mode: 'full-access' }, { permission_mode: 'ask' }],
    [{ permission_mode: 'accept-edits' }, { permission_mode: 'plan' }, { permission_mode: 'plan' }],
    [{ sandbox_enabled: true }, { sandbox_enabled: false }, { sandbox_enabled: true }],
    [{ sandbox_home: 'hidden' }, {}, { sandbox_home: 'hidden' }],
    [{ sandbox_local_sockets: false }, { sandbox_local_sockets: true }, { sandbox_local_sockets: false }],
    [{ allow_unlisted_commands: false }, {}, { allow_unlisted_commands: false }],
    [{ environment: ['CI'] }, { environment: ['CI', 'secret:NPM_TOKEN'] }, { environment: ['CI'] }],
    [
      { allowed_commands: ['npm test'] },
      { allowed_commands: ['npm test', 'make'] },
      { allowed_commands: ['npm test'] },
    ],
    [{ sandbox_allowed_paths: ['./'] }, { sandbox_allowed_paths: ['./', '~'] }, { sandbox_allowed_paths: ['./'] }],
    [{ require_confirmation: ['web'] }, { require_confirmation: ['a'] }, { require_confirmation: ['web', 'a'] }],
    [{ approval_timeout_seconds: 60 }, { approval_timeout_seconds: 600 }, { approval_timeout_seconds: 60 }],
    [{ approval_timeout_seconds: 600 }, { approval_timeout_seconds: 60 }, { approval_timeout_seconds: 60 }],
    [
      { permissions: { run_shell: 'ask_always' } },
      { permissions: { run_shell: 'automatic', read_file: 'denied' } },
      { permissions: { run_shell: 'ask_always', read_file: 'denied' } },
    ],
    [{ permissions: { run_shell: 'ask_once' } }, {}, { permissions: { run_shell: 'ask_once' } }],
  ])('%j changes %j to %j', async (policy, user, expected) => {
    expect((await load(policy, user)).config.safety).toMatchObject(expected);
  });

  it('adds to the lists of what is blocked', async () => {
    const { config } = await load({ blocked_commands: ['curl'], sandbox_blocked_paths: ['/srv'] });
    expect(config.safety.blocked_commands).toEqual(expect.arrayContaining(['curl', 'sudo']));
    expect(config.safety.sandbox_blocked_paths).toEqual(expect.arrayContaining(['/srv', '~/.ssh']));
  });

  it('takes precedence over the command line, with warnings about its changes', async () => {
    const overrides = { 'safety.permission_mode': 'full-access', 'safety.sandbox_enabled': false };
    const policy = { permission_mode: 'ask', sandbox_enabled: true, sandbox_home: 'hidden' };
    const { config, origins, warnings } = await load(policy, {}, { overrides });
    expect(config.safety).toMatchObject(policy);
    expect(origins.get('safety.permission_mode')).toBe(FILE);
    expect(warnings).toEqual([
      `${FILE} makes safety.permission_mode stricter than command line has it.`,
      `${FILE} makes safety.sandbox_enabled stricter than command line has it.`,
    ]);
  });

  it.each([
    [{ sandbox_enabled: false }, 'safety.sandbox_enabled can only be true in a policy.'],
    [{ sandbox_home: 'read-only' }, 'safety.sandbox_home can only be "hidden" in a policy.'],
    [{ unknown: 1 }, 'unknown key "safety.unknown" is ignored.'],
  ])('is rejected with %j, which could make a session less strict', async (policy, problem) => {
    const failure: unknown = await load(policy).catch((error: unknown) => error);
    expect(failure).toEqual(expect.objectContaining({ message: expect.stringContaining(problem) }));
  });

  it('is rejected with an unrelated key, and if others than root could have written it', async () => {
    const text = JSON.stringify({ llm: { model: 'x' } });
    const other = load(undefined, {}, { readPolicy: async () => ({ file: FILE, text }) });
    await expect(other).rejects.toThrow(
      'llm.model cannot be set by a policy. A policy can only make sessions stricter',
    );
    const problem = 'it can be written by others than root.';
    const foreign = load(undefined, {}, { readPolicy: async () => ({ file: FILE, problem }) });
    await expect(foreign).rejects.toThrow(new ConfigError(FILE, problem).message);
  });

  it('limits the options of a host', async () => {
    const { config, policy } = await load({ allowed_commands: ['make'], permissions: { run_shell: 'denied' } });
    const { safety } = config;
    const wider = { ...safety, allowed_commands: ['make', 'curl'], permissions: { run_shell: 'automatic' as const } };
    expect(withinPolicy({ ...config, safety: wider }, policy).safety).toEqual({
      ...safety,
      ...{ allowed_commands: ['make'], permissions: { run_shell: 'denied' } },
    });
    expect(withinPolicy(config, undefined)).toBe(config);
  });

  it.each([
    ['{"safety":{"blocked_comands":["curl"]}}', '1:12: unknown key "safety.blocked_comands" is ignored.'],
    ['{"safety":{"blocked_commands":["curl"]},"safety":{}}', ':1:41: this name is there twice'],
    ['{"safety":{"permissions":{"run_shell":"denied","run_shell":"ask_once"}}}', ':1:48: this name is there twice'],
    ['{"safety":{"permissions":{"run_shell":"never"}}}', 'has the unknown level "never"'],
  ])('is rejected because a part of it would have no effect: %s', async (text, problem) => {
    const failure: unknown = await load({}, {}, { readPolicy: async () => ({ file: FILE, text }) }).catch(
      (error: unknown) => error,
    );
    expect(String(failure)).toContain(problem);
  });
});
