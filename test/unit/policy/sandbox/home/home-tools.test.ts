import { describe, expect, it } from 'vitest';
import {
  HOME_TOOLS,
  HOME_VARIABLES,
  placesBesideBin,
  placesInOtherHome,
  placesOfProgram,
} from '../../../../../src/policy/sandbox/home/home-tools.ts';

const beside = (prefix: string) =>
  ['lib', 'lib64', 'libexec', 'share', 'include', 'pyvenv.cfg'].map((name) => `${prefix}/${name}`);

describe('the tools of a hidden home', () => {
  it.each([
    ['/home/u/apps/zig/bin/zig', ['/home/u/apps/zig/bin/zig', ...beside('/home/u/apps/zig')]],
    ['/home/u/apps/x/sbin/d', ['/home/u/apps/x/sbin/d', ...beside('/home/u/apps/x')]],
    ['/home/u/g/lib/node_modules/a/node_modules/b/cli.js', ['/home/u/g/lib/node_modules']],
    ['/usr/lib/node_modules/a/cli.js', ['/usr/lib/node_modules/a/cli.js']],
    ['/home/u/x.sh', ['/home/u/x.sh']],
    ['/home/u/bin/x.sh', ['/home/u/bin/x.sh']],
    ['/home/u/.local/bin/x', ['/home/u/.local/bin/x']],
  ])('of the program %s are %j', (target, places) => {
    expect(placesOfProgram(target, '/home/u')).toEqual(places);
  });

  it.each([
    ['/home/u/apps/zig', 6],
    ['/home/u', 0],
    ['/home/u/.local', 0],
    ['/opt/zig', 0],
    ['/home/user', 0],
  ])('beside the directory bin of %s are %i', (prefix, count) => {
    expect(placesBesideBin(prefix, '/home/u')).toHaveLength(count);
  });

  it.each([
    ['/root/.pyenv/shims', ['/root/.pyenv']],
    ['/home/v/.cargo/bin', ['/home/v/.rustup', '/home/v/.cargo/bin', '/home/v/.cargo/env', '/home/v/.cargo/bin']],
    ['/home/v/other/bin', []],
    ['/home/u/.pyenv/shims', []],
    ['/usr/bin', []],
    ['/root', []],
  ])('for %s in the home directory of another user are %j', (directory, places) => {
    expect(placesInOtherHome(directory, '/home/u')).toEqual(places);
  });

  it('are relative to it, and include no directory shared by many programs', () => {
    const places = HOME_TOOLS.flatMap(({ reads, settings = [], writes = [] }) => [...reads, ...settings, ...writes]);
    expect(places.filter((place) => /^[/~]|\.\.|\/$/.test(place))).toEqual([]);
    const broad = [
      '',
      '.config',
      '.cache',
      '.local',
      '.local/share',
      '.local/state',
      'Documents',
      '.cargo',
      '.gradle',
      '.m2',
    ];
    expect(broad.filter((place) => places.includes(place))).toEqual([]);
    expect(HOME_TOOLS.map(({ tool }) => tool)).toEqual([...new Set(HOME_TOOLS.map(({ tool }) => tool))]);
  });

  it('get their download directories from variables', () => {
    const values = Object.entries(HOME_VARIABLES).map(([name, { place, value }]) => `${name}=${value(`/h/${place}`)}`);
    expect(values).toEqual([
      'COREPACK_HOME=/h/.cache/node/corepack',
      'POETRY_VIRTUALENVS_PATH=/h/.cache/pypoetry/virtualenvs',
      'GOPROXY=file:///h/go/pkg/mod/cache/download,https://proxy.golang.org,direct',
    ]);
  });
});
