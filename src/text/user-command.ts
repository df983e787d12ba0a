/** The first lines of the reports of commands that the user typed. */
export const USER_COMMAND_HEADERS = { ended: '[Shell command output]', notStarted: '[Shell command failed]' } as const;

/** True for a message that is such a report. */
export function isUserCommandReport(message: string): boolean {
  return Object.values(USER_COMMAND_HEADERS).some((header) => message.startsWith(`${header}\n`));
}

/** A message as the user typed it: the command of a report, with its `!`, or else the message itself. */
export function typedMessage(message: string): string {
  if (!isUserCommandReport(message)) return message;
  const command = /^[^\n]*\nCommand: (.*)/u.exec(message)?.[1];
  return command === undefined ? message : `!${command}`;
}
