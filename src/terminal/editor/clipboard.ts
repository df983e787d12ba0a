/** A program between ybs and the terminal, which forwards a sequence only in its own form. */
export type Multiplexer = 'tmux' | 'screen';

/** The multiplexer that the environment names. */
export function multiplexerIn(environment: Readonly<Record<string, string | undefined>>): Multiplexer | undefined {
  if ((environment['TMUX'] ?? '') !== '') return 'tmux';
  return (environment['STY'] ?? '') === '' ? undefined : 'screen';
}

/**
 * The control sequence that gives a text to the clipboard (OSC 52). tmux takes it where `set-clipboard` is on, and passes
 * it on where `allow-passthrough` is; both set the same text.
 */
export function clipboardSequence(text: string, multiplexer: Multiplexer | undefined): string {
  const bytes = new TextEncoder().encode(text);
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const sequence = `\u001b]52;c;${base64}\u0007`;
  switch (multiplexer) {
    case undefined:
      return sequence;
    case 'tmux':
      return `${sequence}\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`;
    case 'screen':
      // It passes on at most 768 bytes at once.
      return (sequence.match(/[\s\S]{1,700}/gu) ?? []).map((part) => `\u001bP${part}\u001b\\`).join('');
  }
}
