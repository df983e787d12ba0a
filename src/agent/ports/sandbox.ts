/**
 * The limit that the operating system sets for commands: on, by this program, or off for a reason. `chosen`: the user
 * turned it off, so that the permission mode alone decides about commands. `advice` says how to turn it on.
 */
export type SandboxState =
  | { readonly type: 'on'; readonly program: string }
  | { readonly type: 'off'; readonly reason: string; readonly advice?: string; readonly chosen?: true };
