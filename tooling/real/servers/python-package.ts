import path from 'node:path';
import type { InstallCommand } from '../real-server.ts';

const REQUIREMENTS = path.join(import.meta.dirname, '../requirements');

/** The day before which all other packages that a server needs were published, so that each installation gets the same. */
const NEWEST = '2026-11-28';

/** The interpreter of the virtual environment of a server. */
export function pythonOf(directory: string): string {
  return path.join(directory, 'venv/bin/python');
}

/** The commands that install a package of PyPI from a file of `requirements`, which has its version and checksum. */
export function packageCommands(
  directory: string,
  requirements: string,
  extra: readonly string[] = [],
): readonly InstallCommand[] {
  const python = pythonOf(directory);
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-cache-dir', '--require-hashes'];
  const uv = ['--quiet', '--no-cache', '--python', python, '--exclude-newer', NEWEST];
  return [
    { command: ['python3', '-m', 'venv', path.join(directory, 'venv')] },
    { command: [python, ...pip, '--requirement', path.join(REQUIREMENTS, 'uv.txt')] },
    {
      command: [
        python,
        '-m',
        'uv',
        'pip',
        'install',
        ...uv,
        ...extra,
        '--requirement',
        path.join(REQUIREMENTS, requirements),
      ],
    },
  ];
}
