import {
  ACCOUNT_KEYS,
  BACKUP_ENDS,
  ENV_EXAMPLES,
  SENSITIVE_ENDS,
  SENSITIVE_EXECUTABLES,
  SENSITIVE_NAMES,
  SENSITIVE_PAIRS,
} from '../paths/special-names.ts';

/**
 * Git attributes that hide the content of files with secrets: `git diff` reports only that they differ, whichever commits
 * it compares. They belong into `info/attributes`, because the files `.gitattributes` of a project take precedence over others. Pure.
 */
export function secretAttributes(): string {
  const patterns = [
    ...[...SENSITIVE_NAMES, ...SENSITIVE_EXECUTABLES, ...ACCOUNT_KEYS],
    ...[...SENSITIVE_ENDS, ...BACKUP_ENDS].map((end) => `*${end}`),
    ...SENSITIVE_PAIRS.map((names) => `**/${names.join('/')}`),
    '.env[._~-]*',
  ];
  const examples = [...[...ENV_EXAMPLES].map((name) => `.env*[._-]${name}`), '.env*.d.ts'];
  const lines = [
    ...patterns.map((each) => `${anyCase(each)} -diff`),
    ...examples.map((each) => `${anyCase(each)} !diff`),
  ];
  return [...lines, ''].join('\n');
}

/** A pattern that matches a name in any case, as the classes of paths do. `core.ignoreCase` would change more. */
function anyCase(pattern: string): string {
  return pattern.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** The attributes of a repository itself, which take precedence over all others, with those that hide secrets. Pure. */
export function attributesWithSecrets(own: string): string {
  return `${own}\n${secretAttributes()}`;
}
