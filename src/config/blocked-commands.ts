/** Commands that never run, unless the user replaces the list. */
export const BLOCKED_COMMANDS = ['rm -rf /', 'sudo', 'chmod 777'] as const;

/** The commands that never run in a session: those of the user besides the built-in ones, unless they replace them. */
export function blockedCommands<Entry>({
  blocked_commands: own,
  replace_blocked_commands: replaces,
}: {
  readonly blocked_commands: readonly Entry[];
  readonly replace_blocked_commands: boolean;
}): readonly (Entry | string)[] {
  return replaces ? own : [...BLOCKED_COMMANDS.filter((command) => !own.some((entry) => entry === command)), ...own];
}
