import { foldName } from '../../paths/fold-name.ts';
import { kindOfName } from '../../paths/name-kind.ts';
import { SENSITIVE_ENDS, SENSITIVE_NAMES } from '../../paths/special-names.ts';
import { isPlainGitConfig } from '../view.ts';

/** Files with the credentials of a program that lives in the home directory, by their whole name. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  ...['auth.toml', 'auth.json', 'credentials', '.credentials', 'credentials.toml', 'credentials.db', '.token', 'token'],
  ...['hosts.yml', 'netrc', 'secrets.env', '.secrets'],
]);

/** Settings of such programs, which may have tokens and passwords, by their whole name. */
const SETTINGS: ReadonlySet<string> = new Set([
  ...['.npmrc', 'npmrc', '.yarnrc', '.yarnrc.yml', 'bunfig.toml', '.bunfig.toml', 'rc', 'config', 'config.toml'],
  ...['pip.conf', '.condarc', 'condarc', 'uv.toml', 'settings.xml', 'settings-security.xml', 'gradle.properties'],
  ...['config.json', '.envrc'],
]);

/** Tokens and passwords in settings that name them in their own way. */
const SECRET_VALUE =
  /:\/\/[^/\s:@]*:[^/\s@]+@|_auth(?:token)?\s*=|(?:token|passw\w*|password|secret|authident|api[-_]?key)["']?\s*[:=>]|^BUNDLE_\w+:\s*"?[^\s"]+:[^\s"]+/im;

/** Directories of such programs that are too large to look at, and that hold what others have published. */
const PUBLISHED: ReadonlySet<string> = new Set([
  ...['node_modules', 'site-packages', 'dist-packages', 'lib', 'lib64', 'libexec', 'include', 'share', 'src', 'doc'],
  ...['docs', 'man', 'repository', 'sumdb', '.git', 'objects', '__pycache__'],
]);

/** The use of an entry of a directory that commands may read in a hidden home. */
export type HomeEntryUse = 'ordinary' | 'secret' | 'settings' | 'key';

/** Chooses the use of a file by its name and that of its directory. What is a key or has settings depends on its text. Pure. */
export function useOfHomeFile(directory: string, name: string): HomeEntryUse {
  const folded = foldName(name);
  if (SETTINGS.has(folded)) return 'settings';
  if (CREDENTIALS.has(folded) || SENSITIVE_NAMES.has(folded)) return 'secret';
  // A list of certificates has the same ending as a key.
  if (SENSITIVE_ENDS.some((end) => folded.endsWith(end))) return /\.(?:pem|key)$/.test(folded) ? 'key' : 'secret';
  return /^sensitive/.test(kindOfName(directory, name) ?? '') ? 'secret' : 'ordinary';
}

/** True for a directory in which secrets of the user may be. Pure. */
export function mayHoldSecrets(name: string): boolean {
  return !PUBLISHED.has(foldName(name));
}

/** True if a file of this use and with this text holds a secret. Pure. */
export function holdsHomeSecret(use: HomeEntryUse, text: string): boolean {
  switch (use) {
    case 'ordinary':
      return false;
    case 'secret':
      return true;
    case 'key':
      return /PRIVATE KEY/.test(text);
    case 'settings':
      return !isPlainGitConfig(text) || SECRET_VALUE.test(text);
  }
}
