import { SYSTEM_DIRECTORIES } from '../../../src/policy/shell/removal/protected-directories.ts';
import { REMOVERS } from '../../../src/policy/shell/removal/recursive-removal.ts';
import { BUILT_IN_LINES, FILE_WRITERS, FORMATTERS } from '../../../src/policy/shell/rules/built-in-rules.ts';
import { type DecisionRow, rowOf, run } from './rows.ts';

const blocked = (command: string, rule: string, reads: string) =>
  rowOf('blocked command', run(command), 'deny', `built-in: ${rule}`, reads);
const removal = (command: string, directory: string) =>
  blocked(command, 'recursive removal', `everything in ${directory}`);

/** Words after each program that writes to its operands, which make it write to a device. */
const DEVICE_WORDS = {
  all: '/dev/sda',
  last: 'a /dev/sda',
  cp: 'a /dev/sda',
  install: 'a /dev/sda',
  mv: 'a /dev/sda',
  'of=': 'if=a of=/dev/sda',
} as const;

/** A row for each entry of each table of blocked commands. No mode would run one of them without a question. */
export const COMMAND_ROWS: readonly DecisionRow[] = [
  ...BUILT_IN_LINES.map((line) => blocked(line, line, `Do the task without \`${line}\``)),
  ...Object.entries(FILE_WRITERS).map(([program, use]) =>
    blocked(`${program} ${DEVICE_WORDS[use]}`, 'writing to a device', 'Do the task without writing to a device'),
  ),
  blocked('echo a > /dev/sda', 'writing to a device', 'Do the task without writing to a device'),
  ...['mkfs', 'mkfs.ext4', ...FORMATTERS].map((program) =>
    blocked(`${program} a.img`, 'formatting a file system', 'Do the task without formatting a file system'),
  ),
  blocked(':(){ :|:& };:', 'a fork bomb', 'Do the task without a fork bomb'),
  ...Object.entries(REMOVERS).map(([program, when]) =>
    removal(`${program}${when === 'with -r' ? ' -r' : ''} ~`, 'the home directory'),
  ),
  // The tests may have their files in /dev.
  ...SYSTEM_DIRECTORIES.posix
    .filter((directory) => !['/', '/dev'].includes(directory))
    .map((directory) => removal(`rimraf ${directory}`, `the system directory ${directory}`)),
  removal('rm -rf .', 'the workspace'),
  removal('rm -rf ..', 'the home directory'),
  removal('find . -delete', 'the workspace'),
  removal('find ~ -exec rm {} +', 'the home directory'),
  removal('git clean -fdx', 'the workspace'),
  removal('git rm -r .', 'the workspace'),
  removal('rsync -a --delete empty/ .', 'the workspace'),
  removal('sh -c "cd .. && rm -rf *"', 'the home directory'),
];
