import { errorText } from './error-text.ts';
/** One line for the person who started the server: why it cannot listen there, and what to do. Pure. */
export function explainListenError(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; choose another with --port (0 picks a free one)`;
    case 'EACCES':
      return `port ${port} on ${host} may not be opened by this user; choose one above 1023 with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine; choose another with --host`;
    default:
      return `cannot listen on ${host}, port ${port}: ${errorText(error)}`;
  }
}
