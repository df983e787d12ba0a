import { foldName } from '../../paths/path-policy.ts';
import { normaliseOperand } from '../command-operands.ts';
import type { ParsedCommandLine, RedirectTarget, SimpleCommand } from '../parsed-command-line.ts';
import { dropStart, programName, type ShellWord } from '../shell-word.ts';

/** Lines of the block list that always apply: commands that no coding task needs and that cannot be undone. */
export const BUILT_IN_LINES: readonly string[] = [
  'rm -r /',
  'doas',
  'pkexec',
  'run0',
  'su',
  'shutdown',
  'reboot',
  'halt',
  'poweroff',
  'systemctl poweroff',
  'systemctl reboot',
  'systemctl halt',
  'systemctl kexec',
  'init 0',
  'init 6',
  'telinit 0',
  'telinit 6',
  'wipefs',
];

/** Programs that write to the files in their operands: to all, to the last one, or to that of `of=`. */
export const FILE_WRITERS: Readonly<Record<string, 'all' | 'last' | 'of='>> = {
  tee: 'all',
  shred: 'all',
  truncate: 'all',
  sponge: 'all',
  blkdiscard: 'all',
  mkswap: 'all',
  sfdisk: 'all',
  sgdisk: 'all',
  cp: 'last',
  mv: 'last',
  install: 'last',
  rsync: 'last',
  ddrescue: 'all',
  dd: 'of=',
  dcfldd: 'of=',
};

/** Programs that format a file system, besides `mkfs` and `mkfs.TYPE`. */
export const FORMATTERS: ReadonlySet<string> = new Set(['mke2fs', 'mkdosfs', 'newfs']);

/** The name of an action that is always blocked and that no line of a block list can describe, or `undefined`. */
export function findBuiltInViolation(line: ParsedCommandLine): string | undefined {
  if (line.forkBomb) return 'a fork bomb';
  if (line.redirects.some(writesDevice)) return 'writing to a device';
  for (const command of line.commands) {
    const violation = findProgramViolation(command);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

function findProgramViolation(command: SimpleCommand): string | undefined {
  const [name, ...operands] = command.words;
  const program = programName(name);
  if (program === undefined) return undefined;
  if (/^mkfs(?:\.|$)/.test(program) || FORMATTERS.has(program)) return 'formatting a file system';
  return writtenFiles(program, operands).some((target) => isDevice(target.text)) ? 'writing to a device' : undefined;
}

function writtenFiles(program: string, operands: readonly ShellWord[]): readonly ShellWord[] {
  switch (FILE_WRITERS[program]) {
    case 'all':
      return operands;
    case 'last':
      return operands.slice(-1);
    case 'of=':
      return operands.filter((operand) => operand.start.startsWith('of=')).map((operand) => dropStart(operand, 3));
    default:
      return [];
  }
}

function writesDevice({ operator, target }: RedirectTarget): boolean {
  return operator !== '<' && operator !== '<&' && isDevice(target.text);
}

/** Devices that are safe to write to. */
const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|tty|(?:fd|shm|pts)\/.*)$/;

function isDevice(text: string): boolean {
  const file = foldName(normaliseOperand(text, ''));
  return file === '/proc/sysrq-trigger' || (file.startsWith('/dev/') && !HARMLESS_DEVICE.test(file));
}
