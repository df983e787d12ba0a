import type { OfferedTool } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { resolveIntent } from '../../../../../mock-llm-server/reply/intents/resolve-intent.ts';
import { shellCommandFor } from '../../../../../mock-llm-server/reply/intents/shell-commands.ts';
import type { Intent } from '../../../../../mock-llm-server/scenario/format/intent-format.ts';

/** Intents of all kinds by short names. */
export const INTENTS = {
  write: { intent: 'write_file', path: 'docs/a.txt', content: 'hi\n' },
  read: { intent: 'read_file', path: 'docs/a.txt' },
  edit: { intent: 'edit_file', path: 'docs/a.txt', old_text: 'hi', new_text: 'ho' },
  shell: { intent: 'shell', command: 'npm test' },
  find: { intent: 'list_files', pattern: '*.ts' },
  list: { intent: 'list_files', path: 'src' },
  search: { intent: 'search_files', pattern: 'needle', path: 'src' },
} as const satisfies Record<string, Intent>;

/** The short name of an intent. */
export type IntentName = keyof typeof INTENTS;

/**
 * The call of an intent as one line: the tool and its arguments, with `$COMMAND` for the intent as a command line;
 * `nothing` if no tool can carry it out.
 */
export function showCall(intent: Intent, tools: readonly OfferedTool[], directory: string | undefined): string {
  const resolved = resolveIntent({ intent, tools, directory });
  if (resolved === undefined) return 'nothing';
  const { name, namespace, arguments: text } = resolved;
  const short = intent.intent === 'shell' ? text : text.replaceAll(JSON.stringify(shellCommandFor(intent)), '$COMMAND');
  return `${namespace === undefined ? name : `${namespace}.${name}`} ${short}`;
}
