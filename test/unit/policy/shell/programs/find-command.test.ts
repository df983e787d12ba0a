import { expect, it } from 'vitest';
import { parseCommandLine } from '../../../../../src/policy/shell/parse/command-line.ts';
import { namesFound } from '../../../../../src/policy/shell/programs/find-command.ts';

it.each<[string, readonly string[] | undefined]>([
  ['-name a -delete', ['a']],
  ['-type d -name a -not -path "./.venv/*" -prune -exec rm -rf {} +', ['a']],
  ['-iname "*.O" ! -name keep.o -delete', ['*.O']],
  ['-name node_modules -prune -o -name "*.log" -delete', ['node_modules', '*.log']],
  ['\\( -name a -o -name b \\) -delete', ['a', 'b']],
  ['-name a -delete , -name b -delete', ['a', 'b']],
  ['-type d -o -name a -delete', ['a']],
  ['-name', ['']],
  // Any file may be meant.
  ['-type f -delete', undefined],
  ['! -name a -delete', undefined],
  ['-not \\( -name a -o -name b \\) -delete', undefined],
  ['-name a -delete -o -delete', undefined],
  ['\\( -type f -o -name a \\) -delete', undefined],
  ['-delete -name a', undefined],
  ['-exec grep -name a {} \\;', undefined],
  ['-name "$X" -delete', undefined],
  ['-follow -name a -delete', undefined],
])('find %s acts on files named %j', (words, names) => {
  const [command] = parseCommandLine(`find . ${words}`, {}).commands;
  expect(namesFound(command?.words.slice(1) ?? [])).toEqual(names);
});
