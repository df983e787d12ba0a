import { socketFilter } from './filter.ts';
import type { Processor } from './system-calls.ts';

function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function both(processor: Processor): { readonly closed: string; readonly local: string } {
  return { closed: hexadecimal(socketFilter(processor, false)), local: hexadecimal(socketFilter(processor, true)) };
}

/**
 * The filters of each processor as hexadecimal bytes, without and with sockets of this machine. The build replaces this
 * module by its values, so that a run assembles nothing.
 */
export const SOCKET_FILTERS: Readonly<Record<Processor, { readonly closed: string; readonly local: string }>> = {
  x64: both('x64'),
  arm64: both('arm64'),
};
