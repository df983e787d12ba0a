/** The bytes that a terminal sends for keys. */
export const ENTER = '\r';
export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';
export const CTRL_U = '\u0015';
export const CTRL_Z = '\u001a';
export const LEFT = '\u001b[D';
export const UP = '\u001b[A';
