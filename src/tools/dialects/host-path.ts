import { ToolError } from '../../agent/errors.ts';
import type { PathPlatform } from '../../policy/paths/path-policy.ts';

/**
 * A path in the form of this machine. Programs that drive ybs, and models that know another system, send `file:` URLs,
 * and paths of Windows on POSIX or of POSIX shells on Windows. Throws `ToolError` `invalid_arguments` for a path that
 * cannot name a file of this machine.
 */
export function hostPath(written: string, platform: PathPlatform): string {
  const path = /^file:/i.test(written) ? pathOfUrl(written, platform) : written;
  return platform === 'windows' ? windowsPath(path) : posixPath(path);
}

function pathOfUrl(written: string, platform: PathPlatform): string {
  const match = /^file:(?:\/\/([^/]*))?(\/(?!\/).*)$/i.exec(written);
  let path: string | undefined;
  try {
    path = decodeURIComponent(match?.[2] ?? '');
  } catch {
    // A malformed escape cannot be decoded.
  }
  const host = match?.[1] ?? '';
  const isHere = host === '' || host.toLowerCase() === 'localhost';
  if (path === undefined || path === '') throw refuse(`${written} is not the URL of a file.`);
  if (isHere) return platform === 'windows' ? path.replace(/^\/(?=[a-z]:)/i, '') : path;
  if (platform === 'windows') return `//${host}${path}`;
  throw refuse(`${written} is a file on the host ${host}.`);
}

/** Git Bash and similar shells write `C:\` as `/c/`. */
function windowsPath(path: string): string {
  const drive = /^\/([a-z])(?=\/|$)/i.exec(path)?.[1];
  return drive === undefined ? path : `${drive.toUpperCase()}:${path.slice(2) || '/'}`;
}

/** A backslash in a name of POSIX is far less likely than a model that writes for Windows. */
function posixPath(path: string): string {
  if (/^[a-z]:[\\/]/i.test(path) || path.startsWith('\\\\')) throw refuse(`${path} is a Windows path.`);
  return path.includes('/') ? path : path.replaceAll('\\', '/');
}

function refuse(problem: string): ToolError {
  return new ToolError('invalid_arguments', `${problem} Use a path relative to the working directory.`);
}
