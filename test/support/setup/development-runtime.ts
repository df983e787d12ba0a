/** True when a Node version (`22.18.0`) can run the tests, that is, TypeScript without a flag. */
export function isDevelopmentRuntime(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}
