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

/** Adds a setting of git to an environment that may have some. Pure. */
export function withGitSetting(
  environment: Readonly<Record<string, string>>,
  name: string,
  value: string,
): Readonly<Record<string, string>> {
  const count = Number(environment['GIT_CONFIG_COUNT'] ?? 0);
  return {
    ...environment,
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: name,
    [`GIT_CONFIG_VALUE_${count}`]: value,
  };
}
