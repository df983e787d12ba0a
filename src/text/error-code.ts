/** The code of a thrown error of the platform, such as `ENOENT`; `undefined` for any other value. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** True for an error of the platform that reports a full disk or an exceeded disk quota. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
}
