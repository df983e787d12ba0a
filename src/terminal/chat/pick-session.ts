import { UsageError } from '../../agent/errors.ts';
import type { Terminal, WriteText } from '../../app/terminal.ts';
import type { ChosenSession } from '../../session/choose-session.ts';
import { describeSessions, findListed } from '../../session/session-list.ts';
import type { SessionStore } from '../../session/session-store.ts';
import { escapeForTerminal } from '../../text/escape.ts';

/**
 * The session that the user chooses from the list of the stored ones; `undefined` if the user leaves the list. Throws
 * `UsageError` if there is none.
 */
export async function pickSession(
  store: SessionStore,
  workspace: string,
  { terminal, say }: { readonly terminal: Terminal; readonly say: WriteText },
): Promise<ChosenSession | undefined> {
  const sessions = await store.list();
  if (sessions.length === 0) throw new UsageError('There are no stored sessions to resume.');
  // A long list scrolls: the session used last is beside the prompt.
  const rows = escapeForTerminal(describeSessions(sessions, { now: store.now(), workspace }))
    .split('\n')
    .reverse();
  await say(`${rows.join('\n')}\nNumber or name of the session to go on with:\n`);
  for (;;) {
    const input = await terminal.readLine({ prompt: 'session> ', fresh: true });
    if (input.type !== 'line') return undefined;
    if (input.text.trim() === '') {
      await say('Type a number or a name, or press Ctrl-C to leave.\n');
      continue;
    }
    try {
      return { type: 'stored', name: findListed(sessions, input.text.trim()) };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      await say(`${escapeForTerminal(error.message)}\n`);
    }
  }
}
