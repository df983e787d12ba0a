import { errorText } from './error-text.ts';

/** Where a server was to listen. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/** What the person calls the two options: `--port` on the command line. */
interface OptionNames {
  readonly host: string;
  readonly port: string;
}

/** One line for the person who started the server: why it cannot listen there, and what to do. Pure. */
export function explainListenError(error: unknown, { host, port }: Address, names: OptionNames): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; choose another with ${names.port} (0 picks a free one)`;
    case 'EACCES':
      return `port ${port} on ${host} may not be opened by this user; choose one above 1023 with ${names.port}`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine; choose another with ${names.host}`;
    default:
      return `cannot listen on ${host}, port ${port}: ${errorText(error)}`;
  }
}
