import { describe, expect, it } from 'vitest';
import { readAs } from '../../../support/agent/config-command.ts';
import type { RunScript } from '../../../support/agent/configured-run.ts';

const STORE = '/home/ada/.config/ybs/trust.json';
const FILES = {
  '/work/.ybs.json': '{"models": {"active": "x"}, "tools": {"external": [{"name": "run", "path": "./run"}]}}',
  '/work/.git/config': '[core]\n\tfsmonitor = ./evil\n[alias]\n\tst = !sh\n',
  '/work/tools/deploy': '#!/bin/sh\n',
  '/work/run': '#!/bin/sh\n',
};
const option = (...names: readonly string[]) => new Map(names.map((name) => [name, ['']]));

/** Runs `ybs trust` with these words; only the owner may change `trust.json`. */
async function run(words: string, script: RunScript = {}, options: readonly string[] = []) {
  const prepare: RunScript['prepare'] = (volume) => {
    if (volume.existsSync(STORE)) volume.chmodSync(STORE, 0o600);
  };
  return readAs(words, { files: FILES, prepare, ...script }, option(...options));
}

/** A store that trusts `/work` and `/gone`; the digests are of no file. */
const stored = (parts: object = {}) => ({
  [STORE]: JSON.stringify({
    version: 1,
    projects: {
      '/work': { trusted_at: '2026-11-01T10:00:00.000Z', parts },
      '/gone': { trusted_at: '2026-10-01T10:00:00.000Z', parts: {} },
    },
  }),
});

describe('ybs trust', () => {
  it('trusts the project of the current directory, and explains the effect', async () => {
    const { screen, outcome, readFile } = await run('trust');
    expect(outcome).toBe(0);
    expect(screen.split('\n')).toEqual([
      '/work',
      '  .git/config   settings that can start programs: core.fsmonitor, alias.st',
      '  .ybs.json     settings: models.active, tools.external',
      '  run           becomes a tool if it is executable, and is started to describe itself',
      '  tools/deploy  becomes a tool if it is executable, and is started to describe itself',
      'Trusted in its current state: each change of these files, or of a file in .ybs, ends the trust, and so does ybs trust --revoke.',
      '',
    ]);
    const { version, projects } = JSON.parse(readFile(STORE));
    expect(version).toBe(1);
    expect(projects['/work'].trusted_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(Object.keys(projects['/work'].parts)).toEqual(['.git/config', '.ybs.json', 'run', 'tools/deploy']);
  });

  it('shows no lines of another file to which a link leads', async () => {
    const config =
      '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk=\nb3Bl==\n[alias] st = !x\n[filter "a"]\nclean = b\nKEY word';
    const { screen } = await run('trust', { files: { '/work/.git/config': config, '/work/.git/HEAD': 'ref: x\n' } });
    expect(screen).toContain('can start programs: lines that are no settings, alias.st, filter.clean\n');
  });

  it('keeps the trust in other projects, and replaces that in this one', async () => {
    const { readFile } = await run('trust /work', { files: { ...FILES, ...stored({ old: 'a'.repeat(64) }) } });
    const { projects } = JSON.parse(readFile(STORE));
    expect(Object.keys(projects)).toEqual(['/work', '/gone']);
    expect(projects['/work'].parts).not.toHaveProperty('old');
  });

  it('trusts a directory without such files', async () => {
    const { screen } = await run('trust', { files: {} });
    expect(screen).toBe(
      '/work\n  has no files that would take effect\nTrusted in its current state: each change of these files, or of a file in .ybs, ends the trust, and so does ybs trust --revoke.\n',
    );
  });

  it.each<[string, RunScript['files'], string]>([
    ['never trusted', {}, 'Not trusted. Trust it with: ybs trust'],
    ['trusted', stored(), 'Trusted in its current state'],
    ['changed', stored({ gone: 'a'.repeat(64) }), 'No longer trusted: gone was removed. Trust it with: ybs trust'],
  ])('with --dry-run only shows a project that is %s', async (_name, files, end) => {
    const { screen, listFiles } = await run('trust', { files: files ?? {}, options: { dryRun: true } });
    expect(screen).toContain(end);
    expect(listFiles('/home/ada/.config').includes('ybs/trust.json')).toBe(Object.keys(files ?? {}).length > 0);
  });

  it('prints JSON for programs', async () => {
    const { screen } = await run('trust', {}, ['json']);
    const { path, state, parts } = JSON.parse(screen);
    expect({ path, state }).toEqual({ path: '/work', state: 'trusted' });
    expect(parts[0]).toEqual({
      path: '.git/config',
      kind: 'git',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      settings: ['core.fsmonitor = ./evil', 'alias.st = !sh'],
    });
    const dryRun = await run('trust', {
      options: { dryRun: true, outputFormat: 'json' },
      files: stored({ x: 'a'.repeat(64) }),
    });
    expect(JSON.parse(dryRun.screen)).toMatchObject({ state: 'changed', changes: [{ path: 'x', change: 'removed' }] });
  });

  it('rejects a project with a part that cannot be read, and shows it with --dry-run', async () => {
    const files = { '/work/.ybs.json': '{"tools": {"external": [{"name": "run", "path": "./gone"}]}}' };
    expect(await run('trust', { files })).toMatchObject({
      outcome: expect.stringMatching(/^The project cannot be trusted: gone cannot be read/),
    });
    const deep = { [`/work/.ybs/commands${'/d'.repeat(16)}/x.md`]: '' };
    expect(await run('trust', { files: deep })).toMatchObject({
      outcome: expect.stringMatching(
        /^The project cannot be trusted: \.ybs\/commands(\/d)+ is more than 16 directories deep\. Remove or move it\.$/,
      ),
    });
    const { screen } = await run('trust', { files, options: { dryRun: true, outputFormat: 'json' } });
    expect(JSON.parse(screen).parts[1]).toEqual({ path: 'gone', kind: 'tool', digest: null });
  });

  it('rejects a configuration with which ybs would not start, and shows it with --dry-run', async () => {
    const files = { '/work/.ybs.json': '{"safety": {"allowed_commands": ["*"]}}' };
    const { outcome, listFiles, warnings } = await run('trust', { files });
    expect(outcome).toBe(
      'The project cannot be trusted, because ybs could not start in it:\n/work/.ybs.json:1:34: safety.allowed_commands[0]: "*" is not the beginning of one plain command.',
    );
    expect(listFiles('/home/ada/.config')).not.toContain('ybs/trust.json');
    expect(warnings).toEqual([]);
    const shown = await run('trust', { files, options: { dryRun: true } });
    expect(shown.outcome).toBe(0);
    expect(shown.screen).toContain('\nIt cannot be trusted, because ybs could not start in it:\n/work/.ybs.json:1:34:');
    expect(shown.screen).not.toContain('Trust it with');
  });

  it('rejects a directory that does not exist', async () => {
    expect((await run('trust me')).outcome).toMatch(/^There is no directory \/work\/me/);
  });

  it('shows control characters in names', async () => {
    const { screen } = await run('trust', { files: { '/work/tools/a\u001b[2J': '' } });
    expect(screen).toContain('tools/a\\u{1b}[2J');
  });

  it('changes nothing if trust.json is damaged', async () => {
    for (const words of ['trust', 'trust /work']) {
      const { outcome, readFile } = await run(words, { files: { [STORE]: '{' } }, words === 'trust' ? [] : ['revoke']);
      expect(outcome).toMatch(/is damaged; remove it .* The file is \/home\/ada\/.config\/ybs\/trust.json\.$/);
      expect(readFile(STORE)).toBe('{');
    }
  });
});

describe('ybs trust --revoke', () => {
  it.each([
    ['trust', '/work is no longer trusted.', ['/gone']],
    ['trust /gone', '/gone is no longer trusted.', ['/work']],
    ['trust /other', '/other is not trusted.', ['/work', '/gone']],
  ])('%s', async (words, text, left) => {
    const { screen, readFile } = await run(words, { files: { ...FILES, ...stored() } }, ['revoke']);
    expect(screen).toBe(`${text}\n`);
    expect(Object.keys(JSON.parse(readFile(STORE)).projects)).toEqual(left);
  });

  it('removes a stored no, so that the next chat asks again', async () => {
    const declined = { version: 1, projects: {}, declined: { '/work': '2026-11-01', '/other': '2026-11-01' } };
    const { screen, readFile } = await run('trust', { files: { [STORE]: JSON.stringify(declined) } }, ['revoke']);
    expect(screen).toBe('/work is not trusted.\n');
    expect(JSON.parse(readFile(STORE)).declined).toEqual({ '/other': '2026-11-01' });
  });

  it('finds the project of --cwd, and prints JSON', async () => {
    const script = { files: stored(), options: { cwd: '/gone' } };
    expect((await run('trust', script, ['revoke', 'json'])).screen).toBe('{"path":"/gone","revoked":true}\n');
  });
});

describe('ybs trust --list', () => {
  it('does not warn about the configuration of the projects', async () => {
    const files = {
      '/work/.ybs.json': '{"unknown_key": 1, "safety": {"permission_mode": "full-access"}}',
      ...stored(),
    };
    expect((await run('trust', { files, options: { dryRun: true } })).warnings).not.toEqual([]);
    expect((await run('trust', { files }, ['list'])).warnings).toEqual([]);
  });

  it('lists the projects with their states', async () => {
    const { screen } = await run('trust', { files: stored() }, ['list']);
    expect(screen).toBe(
      '/work  trusted since 2026-11-01\n/gone  no longer trusted (it cannot be read); it was trusted on 2026-10-01\n',
    );
    const changed = await run('trust', { files: { ...FILES, ...stored() } }, ['list', 'json']);
    expect(JSON.parse(changed.screen)).toEqual({
      projects: [
        expect.objectContaining({ path: '/work', trusted_at: '2026-11-01T10:00:00.000Z', state: 'changed' }),
        { path: '/gone', trusted_at: '2026-10-01T10:00:00.000Z', state: 'unknown' },
      ],
    });
    expect((await run('trust', { files: { '/work/tools/x': '', ...stored() } }, ['list'])).screen).toContain(
      '/work  no longer trusted (tools/x is new); it was trusted on 2026-11-01\n',
    );
    expect((await run('trust', { files: {} }, ['list'])).screen).toBe('No project is trusted.\n');
  });

  it.each([
    ['trust', ['list', 'revoke']],
    ['trust /work', ['list']],
  ])('rejects other arguments: %s %s', async (words, options) => {
    expect((await run(words, {}, options)).outcome).toMatch(/^--list lists all projects/);
  });
});
