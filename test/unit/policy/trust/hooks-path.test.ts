import { expect, it } from 'vitest';
import { hooksPathsOf } from '../../../../src/policy/trust/repository-settings.ts';

it.each<readonly [string, readonly string[]]>([
  ['[core]\n\thooksPath = scripts/hooks\n', ['scripts/hooks']],
  ['[core]\n  HOOKSPATH=scripts/hooks ; ours\n', ['scripts/hooks']],
  ['[core] hooksPath = "my hooks" # ours', ['my hooks']],
  ['[Core]\r\nhooksPath = ~/hooks\r\n', ['~/hooks']],
  ['[core]\nhooksPath = a\n[core]\nhookspath = b', ['a', 'b']],
  ['[core]\n\thooksPath =\n\tbare = false\n', []],
  ['[core]\n\thooksPath = ""\n', []],
  ['[core]\n\t# hooksPath = a\n\tmyHooksPath = b\n', []],
  ['', []],
])('%j names the hooks %j', (config, paths) => {
  expect(hooksPathsOf(config)).toEqual(paths);
});
