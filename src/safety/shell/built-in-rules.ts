import { foldName } from '../paths/path-policy.ts';
import type { ParsedCommandLine, RedirectTarget, SimpleCommand } from './command-line.ts';
import { normaliseOperand } from './command-operands.ts';
import type { ShellWord } from './shell-word.ts';
import { programName } from './shell-word.ts';

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
  if (/^mkfs(?:\.|$)/.test(program)) return 'formatting a file system';
  const last = operands.slice(-1);
  const written: Readonly<Record<string, readonly ShellWord[]>> = {
    tee: operands,
    cp: last,
    mv: last,
    dd: outputsOf(operands),
  };
  const targets = Object.hasOwn(written, program) ? written[program] : undefined;
  return targets?.some((target) => isDevice(target.text)) ? 'writing to a device' : undefined;
}

function outputsOf(operands: readonly ShellWord[]): readonly ShellWord[] {
  return operands
    .filter((operand) => operand.text.startsWith('of='))
    .map((operand) => ({ ...operand, text: operand.text.slice('of='.length) }));
}

function writesDevice({ operator, target }: RedirectTarget): boolean {
  return operator !== '<' && operator !== '<&' && isDevice(target.text);
}

/** Devices that are safe to write to. */
const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|tty|(?:fd|shm|pts)\/.*)$/;

function isDevice(text: string): boolean {
  const file = foldName(normaliseOperand(text, ''));
  return file.startsWith('/dev/') && !HARMLESS_DEVICE.test(file);
}
