/** Stands for what is not shown. */
export const HIDDEN = '[hidden]';

/** A text that, if it is an address, shows no user name and no password. */
export function hidePassword(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${HIDDEN}@`);
}
