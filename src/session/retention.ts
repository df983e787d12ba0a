import { conforms } from '../schema/conforms.ts';
import { jsonOr } from '../text/json/json.ts';
import { ownEntry } from '../text/json/own-entry.ts';
import { ANNOUNCED } from './schemas.data.ts';
import { startOfAutomaticName } from './session-names.ts';

/** The limits of the stored sessions; 0 means no limit. */
export interface RetentionLimits {
  readonly maxSessions: number;
  readonly retentionDays: number;
}

/** The sessions due for removal, and when the user was informed, in milliseconds since 1970-01-01T00:00:00Z. */
export type Announced = Readonly<Record<string, number>>;

/** The next step of a clean-up. */
export interface RetentionPlan {
  /** Sessions to announce to the user, oldest first. */
  readonly announce: readonly string[];
  /** Sessions to remove now, because the user was informed at least a day ago. */
  readonly remove: readonly string[];
  /** The announced sessions after this step. */
  readonly announced: Announced;
}

const DAY_MS = 86_400_000;
/** The time that the user has to keep an announced session. */
const NOTICE_MS = DAY_MS;

/**
 * Plans a clean-up. Only sessions with an automatic name are ever due: the oldest beyond `maxSessions`, and those that
 * began more than `retentionDays` days ago. Sessions for which `isOpen` is true are not due.
 */
export function planRetention(
  names: readonly string[],
  isOpen: (name: string) => boolean,
  limits: RetentionLimits,
  before: Announced,
  now: number,
): RetentionPlan {
  const automatic = names
    .flatMap((name) => {
      const started = startOfAutomaticName(name);
      return started === undefined ? [] : [{ name, started }];
    })
    .sort((one, other) => one.started - other.started || (one.name < other.name ? -1 : 1));
  const surplus = limits.maxSessions === 0 ? 0 : automatic.length - limits.maxSessions;
  const oldest = limits.retentionDays === 0 ? Number.NEGATIVE_INFINITY : now - limits.retentionDays * DAY_MS;
  const due = automatic.filter(({ name, started }, index) => (index < surplus || started < oldest) && !isOpen(name));
  const dueNames = due.map(({ name }) => name);
  // At most one announcement a day, so that many short sessions do not announce one removal each.
  const isQuiet = Object.values(before).some((time) => now - time < NOTICE_MS);
  const known = (name: string): number | undefined => ownEntry(before, name);
  const remove = dueNames.filter((name) => now - (known(name) ?? now) >= NOTICE_MS);
  const announce = isQuiet ? [] : dueNames.filter((name) => known(name) === undefined);
  const waiting = dueNames.filter((name) => !remove.includes(name) && (announce.includes(name) || known(name)));
  return { announce, remove, announced: Object.fromEntries(waiting.map((name) => [name, known(name) ?? now])) };
}

/** The message that announces a removal. */
export function retentionNotice(names: readonly string[], { maxSessions, retentionDays }: RetentionLimits): string {
  const [first = ''] = names;
  const which = names.length === 1 ? `the session ${first}` : `${names.length} sessions, ${first} to ${names.at(-1)},`;
  return `From tomorrow on, ybs will remove ${which} because of session.max_sessions (${maxSessions}) and session.retention_days (${retentionDays}). To keep one, open it with ybs --resume and type /save; to keep all, raise these settings or set them to 0.`;
}

/** Parses the stored announcements; a file that is damaged counts as empty, so that the user is informed again. */
export function parseAnnounced(text: string): Announced {
  const value = jsonOr(undefined, text);
  return conforms(value, ANNOUNCED) ? value : {};
}
