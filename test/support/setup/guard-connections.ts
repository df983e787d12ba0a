import net from 'node:net';

/** The destination of a socket: a host, or the path of a local socket. */
export interface Destination {
  readonly host: string | undefined;
  readonly path: string | undefined;
}

/** True for a destination on this machine. */
export function isLocal({ host, path }: Destination): boolean {
  if (path !== undefined) return true;
  return host === undefined || host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

const guarded = Symbol.for('ybs.test.connection-guard');

/**
 * Makes every socket of this thread, including those of `fetch`, check `allows` before it connects. Setup files run
 * once per test file in the same thread, so the last guard applies.
 */
export function guardConnections(allows: (destination: Destination) => boolean): void {
  const prototype: net.Socket & { [guarded]?: typeof allows } = net.Socket.prototype;
  const installed = prototype[guarded] !== undefined;
  prototype[guarded] = allows;
  if (installed) return;
  const connect = prototype.connect;
  Object.defineProperty(prototype, 'connect', {
    configurable: true,
    writable: true,
    value: function guardedConnect(this: net.Socket, ...args: readonly unknown[]) {
      const destination = destinationOf(args);
      if (prototype[guarded]?.(destination) !== true) {
        throw new Error(`a test may not connect to ${destination.path ?? destination.host ?? 'localhost'}`);
      }
      return Reflect.apply(connect, this, args);
    },
  });
}

/** Parses the arguments of `connect`: (options), (port, host), (path), or Node's normalized array of them. */
export function destinationOf(args: readonly unknown[]): Destination {
  const first = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (typeof first === 'object' && first !== null) {
    return { host: textOf(Reflect.get(first, 'host')), path: textOf(Reflect.get(first, 'path')) };
  }
  if (typeof first === 'string' && !/^\d+$/.test(first)) return { host: undefined, path: first };
  return { host: textOf(args[1]), path: undefined };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
