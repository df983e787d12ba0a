import { foldName } from '../../paths/fold-name.ts';
import { pathFlavour } from '../../paths/path-policy.ts';
import { absoluteWord, type Directories, normalPath, type Places } from '../directories.ts';
import type { ParsedCommandLine, SimpleCommand } from '../parse/parsed-command-line.ts';
import { dropStart, programName, type ShellWord } from '../parse/shell-word.ts';
import type { StepBudget } from '../parse/step-budget.ts';
import { copiedFiles } from '../programs/copied-files.ts';
import { normaliseOperand } from './command-operands.ts';

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
  'systemctl start poweroff.target',
  'systemctl start reboot.target',
  'systemctl isolate poweroff.target',
  'systemctl isolate reboot.target',
  'loginctl poweroff',
  'loginctl reboot',
  'init 0',
  'init 6',
  'telinit 0',
  'telinit 6',
  'wipefs',
];

/** Programs that write to the files in their operands: to all, to the last one, to the target of a copy, or to that of `of=`. */
export const FILE_WRITERS: Readonly<Record<string, 'all' | 'last' | 'cp' | 'install' | 'mv' | 'of='>> = {
  tee: 'all',
  shred: 'all',
  truncate: 'all',
  sponge: 'all',
  blkdiscard: 'all',
  mkswap: 'all',
  sfdisk: 'all',
  sgdisk: 'all',
  cp: 'cp',
  mv: 'mv',
  install: 'install',
  rsync: 'last',
  ddrescue: 'all',
  dd: 'of=',
  dcfldd: 'of=',
};

/** Programs that format a file system, besides `mkfs` and `mkfs.TYPE`. */
export const FORMATTERS: ReadonlySet<string> = new Set(['mke2fs', 'mkdosfs', 'newfs']);

/** The extensions of scripts: `mkfs.py` is a file of a project. */
const SCRIPT = /\.(?:bash|[cm]?[jt]s|c|go|lua|php|pl|ps1|py|rb|rs|sh|zsh)$/;

/** The name of an action that is always blocked and that no line of a block list can describe, or `undefined`. */
export function findBuiltInViolation(line: ParsedCommandLine, places: Places, budget: StepBudget): string | undefined {
  if (line.forkBomb) return 'a fork bomb';
  const isDevice = (target: ShellWord, directories: Directories): boolean =>
    [...directories].some((directory) => {
      budget.spend(1 + target.text.length / 16);
      return namesDevice(absoluteWord(target, directory, places).text);
    });
  for (const { operator, target, directories } of line.redirects) {
    if (operator !== '<' && operator !== '<&' && isDevice(target, directories)) return 'writing to a device';
  }
  for (const command of line.commands) {
    const [name, ...operands] = command.words;
    const program = programName(name);
    if (program === undefined) continue;
    const isFormatter = (/^mkfs(?:\.|$)/.test(program) && !SCRIPT.test(program)) || FORMATTERS.has(program);
    if (isFormatter && !isProjectFile(command, places)) return 'formatting a file system';
    if (writtenFiles(program, operands).some((target) => isDevice(target, command.directories))) {
      return 'writing to a device';
    }
  }
  return undefined;
}

/** True if a command runs a file of the workspace: `./halt` is not the program of the system. */
export function isProjectFile({ words: [name], directories }: SimpleCommand, places: Places): boolean {
  if (!name.static || !/[\\/]/.test(name.text)) return false;
  const { workspace, platform } = places;
  return [...directories].every((directory) => {
    const path = normalPath(absoluteWord(name, directory, places).text, platform);
    return path.startsWith(workspace + pathFlavour(platform).sep);
  });
}

function writtenFiles(program: string, operands: readonly ShellWord[]): readonly ShellWord[] {
  const use = FILE_WRITERS[program];
  switch (use) {
    case 'all':
      return operands;
    case 'last':
      return operands.slice(-1);
    case 'cp':
    case 'install':
    case 'mv': {
      const { target } = copiedFiles(use, operands);
      return target === undefined ? [] : [target];
    }
    case 'of=':
      return operands.filter((operand) => operand.start.startsWith('of=')).map((operand) => dropStart(operand, 3));
    default:
      return [];
  }
}

/** Devices that are safe to write to. */
const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|tty\w*|(?:fd|shm|pts)\/.*)$/;

/** True for a device, and for the directory of the devices as a target. */
function namesDevice(text: string): boolean {
  const file = foldName(normaliseOperand(text, ''));
  return file === '/proc/sysrq-trigger' || file === '/dev' || (file.startsWith('/dev/') && !HARMLESS_DEVICE.test(file));
}
