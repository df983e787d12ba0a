/** The code of a thrown error of the platform, such as `ENOENT`; `undefined` for any other value. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** True for an error of the platform that reports a full disk or an exceeded disk quota. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
}

/** The reason why a program could not be started, from the message of the platform. */
export function startProblem(message: string): string {
  const code = /^spawn .* (E[A-Z]+)$/s.exec(message)?.[1];
  const words = code === 'ENOENT' ? 'not found' : code === 'EACCES' ? 'it may not be executed' : undefined;
  return words === undefined ? message : `${words} (${code})`;
}
