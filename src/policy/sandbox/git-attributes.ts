import {
  ACCOUNT_KEYS,
  ENV_EXAMPLES,
  SENSITIVE_ENDS,
  SENSITIVE_EXECUTABLES,
  SENSITIVE_NAMES,
  SENSITIVE_PAIRS,
} from '../paths/special-names.ts';

/**
 * Git attributes that hide the content of files with secrets: `git diff` reports only that they differ, whichever commits
 * it compares. The attributes of a repository take precedence. Pure.
 */
export function secretAttributes(): string {
  const patterns = [
    ...[...SENSITIVE_NAMES, ...SENSITIVE_EXECUTABLES, ...ACCOUNT_KEYS],
    ...SENSITIVE_ENDS.map((end) => `*${end}`),
    ...SENSITIVE_PAIRS.map((names) => `**/${names.join('/')}`),
    '.env[._~-]*',
  ];
  const examples = [...[...ENV_EXAMPLES].map((name) => `.env*[._-]${name}`), '.env*.d.ts'];
  return [...patterns.map((each) => `${each} -diff`), ...examples.map((each) => `${each} !diff`), ''].join('\n');
}
