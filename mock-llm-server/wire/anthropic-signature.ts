import { digestOf } from '../ids.ts';

/** How the signatures of this server begin: a word in base64, as the rest is. */
const MARK = Buffer.from('mocked').toString('base64');

/** The signature of a thinking block. Equal texts have equal signatures. */
export function signThinking(thinking: string): string {
  return MARK + Buffer.from(digestOf('thinking', thinking), 'hex').toString('base64');
}

/** Whether a signature may stand beside a text: those of others are taken on trust, an empty one is nobody's. */
export function isSignatureOf(signature: string, thinking: string): boolean {
  return signature.startsWith(MARK) ? signature === signThinking(thinking) : signature !== '';
}
