import { UsageError } from '../../agent/errors.ts';
import type { Terminal, WriteText } from '../../app/terminal.ts';
import type { ChosenSession } from '../../session/choose-session.ts';
import { findSession, sessionChoices } from '../../session/session-list.ts';
import type { SessionStore } from '../../session/session-store.ts';
import { escapeForTerminal } from '../../text/escape.ts';
import { askChoice } from '../question/ask-choice.ts';

/**
 * The session that the user chooses from the list of the stored ones, those of `workspace` first; `undefined` if the
 * user leaves the list. Throws `UsageError` if there is none.
 */
export async function pickSession(
  store: SessionStore,
  workspace: string,
  ports: { readonly terminal: Terminal; readonly say: WriteText },
): Promise<ChosenSession | undefined> {
  const sessions = await store.list();
  if (sessions.length === 0) throw new UsageError('There are no stored sessions to resume.');
  const choices = sessionChoices(sessions, { now: store.now(), workspace });
  for (;;) {
    const wanted = await askChoice(ports, { title: 'Session to continue:', prompt: 'session> ', choices });
    if (wanted === undefined) return undefined;
    try {
      return { type: 'stored', name: findSession(sessions, wanted) };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      await ports.say(`${escapeForTerminal(error.message)}\n`);
    }
  }
}
