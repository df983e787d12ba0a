import type { ReadStream, WriteStream } from 'node:tty';
import type { Terminal } from '../../app/terminal.ts';
import { createEditorTerminal } from '../../terminal/editor/editor-terminal.ts';
import type { Screen } from '../../terminal/editor/screen.ts';
import type { ChatKeyboard } from '../../terminal/editor/terminal-ports.ts';
import { type Projects, processJobControl, systemClock } from '../system.ts';
import { createKeySource } from './keys.ts';

/** The streams of a terminal; without a `screen`, it cannot redraw a row. */
export interface TerminalStreams {
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  readonly screen: Screen | undefined;
  /** See `trustedEnvironment`. */
  readonly projects: Projects;
}

/**
 * Opens a terminal: with a line editor, or where no row can be redrawn with the simple one of Node.js. `chat`: what is
 * typed while nothing is read becomes the next message.
 */
export async function openKeyboard(
  { stdin, stdout, screen, projects }: TerminalStreams,
  chat: ChatKeyboard | undefined,
): Promise<Terminal> {
  const jobControl = process.platform === 'win32' ? undefined : processJobControl;
  if (screen === undefined) {
    const { createKeyboardTerminal } = await import('./keyboard.ts');
    return createKeyboardTerminal(stdin, stdout, systemClock, jobControl);
  }
  const compose = async (text: string) => (await import('./compose-text.ts')).composeText(text, projects);
  const keys = createKeySource(stdin, stdout, systemClock);
  const ports = { keys, screen, clock: systemClock, jobControl, compose };
  return createEditorTerminal({ ...chat, ...ports, typeAhead: chat !== undefined });
}
