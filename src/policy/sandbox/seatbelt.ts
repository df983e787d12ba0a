import type { ConfinedProgram } from './bubblewrap.ts';
import type { SandboxPlaces } from './mounts.ts';

/**
 * The arguments of `sandbox-exec` on macOS that run a program in these places: everything that is not hidden may be read
 * and run, only the writable directories may be written, and there is no network. Pure. Paths are parameters of the
 * profile, never parts of its text. Later rules of a profile take precedence: a directory comes before what lies in it.
 */
export function seatbeltArguments(
  { program, args, network, shell }: Pick<ConfinedProgram, 'program' | 'args' | 'network' | 'shell'>,
  { temporary, writable, guarded, hidden, unreadable, visible }: SandboxPlaces,
): readonly string[] {
  const parameters: string[] = [];
  const subpaths = (letter: string, paths: readonly string[]): string =>
    paths
      .map((path, index) => {
        parameters.push('-D', `${letter}${index}=${path}`);
        return ` (subpath (param "${letter}${index}"))`;
      })
      .join('');
  const rule = (action: string, filters: string): readonly string[] =>
    filters === '' ? [] : [`(${action}${filters})`];
  const [writes, guards] = [subpaths('W', [...writable, ...temporary]), subpaths('G', guarded)];
  const covers = [
    ...visible.map((path) => ({ action: 'allow file-read*', path })),
    ...hidden.map((path) => ({ action: 'deny file-read* file-write*', path })),
  ]
    .toSorted((one, other) => one.path.length - other.path.length)
    .flatMap(({ action, path }, index) => rule(action, subpaths(`C${index}-`, [path])));
  const unreadables = subpaths('U', unreadable);
  const profile = [
    '(version 1)',
    '(deny default)',
    '(import "system.sb")',
    '(allow process-exec process-fork)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-read* file-test-existence)',
    '(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
    ...rule('allow file-write*', writes),
    ...rule('deny file-write*', guards),
    ...covers,
    ...rule('deny file-read* file-write*', unreadables),
    ...(network
      ? ['(allow network* system-socket)', '(allow mach-lookup (global-name "com.apple.dnssd.service"))']
      : []),
  ].join('\n');
  const limits = 'ulimit -c 0; exec "$@"';
  return [...parameters, '-p', profile, shell.program, ...shell.args, limits, 'ybs', program, ...args];
}
