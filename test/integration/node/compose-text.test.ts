import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { composeText } from '../../../src/node/terminal/compose-text.ts';
import type { ComposedText } from '../../../src/terminal/editor/terminal-ports.ts';
import { stubEnvironment } from '../../support/fakes/stub-environment.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

it.skipIf(process.platform === 'win32').each<[string, string, ComposedText]>([
  ['changes the text', 'sed -i.old s/a/b/', { text: 'b' }],
  [
    'removes the file',
    'rm',
    { failure: 'The editor removed the file of the message, so the message stays as it was.' },
  ],
  ['fails', 'false', { failure: 'The editor false failed with exit code 1.' }],
  [
    'is a program of the project',
    'own',
    { failure: 'The editor own failed with exit code 127: there is no such program.' },
  ],
  [
    'is a path in the project',
    'PROJECT/.venv/bin/own',
    { failure: 'The editor vi failed with exit code 127: there is no such program.' },
  ],
  ['runs with options of the user', `${process.execPath} -e 0`, { text: 'a' }],
])('composing a text in an editor that %s', async (_name, editor, expected) => {
  const project = temporaryDirectory();
  writeFiles(project, { '.venv/bin/own': '#!/bin/sh\nexit\n', 'own.cjs': 'process.exit(1);\n' });
  chmodSync(path.join(project, '.venv/bin/own'), 0o755);
  vi.spyOn(process, 'cwd').mockReturnValue(project);
  const bin = path.join(project, '.venv/bin');
  const search = editor.startsWith('PROJECT') ? bin : `${bin}:${process.env['PATH']}`;
  stubEnvironment({
    VISUAL: '',
    EDITOR: editor.replace('PROJECT', project),
    PATH: search,
    NODE_OPTIONS: `--require ${project}/own.cjs`,
  });
  expect(await composeText('a', new Set())).toEqual(expected);
});
