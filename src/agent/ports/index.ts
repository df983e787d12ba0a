/** The types of all ports. */

export type * from './approver.ts';
export type * from './clock.ts';
export type * from './digest.ts';
export type * from './events.ts';
export type * from './file-system.ts';
export type * from './json.ts';
export type * from './language-model.ts';
export type * from './messages.ts';
export type * from './shell.ts';
export type * from './tool.ts';
