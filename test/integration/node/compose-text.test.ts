import { expect, it } from 'vitest';
import { composeText } from '../../../src/node/terminal/compose-text.ts';
import type { ComposedText } from '../../../src/terminal/editor/terminal-ports.ts';
import { stubEnvironment } from '../../support/fakes/stub-environment.ts';

it.skipIf(process.platform === 'win32').each<[string, string, ComposedText]>([
  ['changes the text', 'sed -i.old s/a/b/', { text: 'b' }],
  [
    'removes the file',
    'rm',
    { failure: 'The editor removed the file of the message, so the message stays as it was.' },
  ],
  ['fails', 'false', { failure: 'The editor false failed with exit code 1.' }],
])('composing a text in an editor that %s', async (_name, editor, expected) => {
  stubEnvironment({ VISUAL: '', EDITOR: editor });
  expect(await composeText('a')).toEqual(expected);
});
