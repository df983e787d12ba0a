import type { JsonObject } from '../../agent/ports/json.ts';
import type { AnswerName } from '../../app/driver/answers.ts';
import type { SessionSummary } from '../../session/session-list.ts';

/** An answer of a tab with its question. `digest` is that of the question, so that a yes holds for what was shown. */
export interface WebAnswer {
  readonly id: string;
  readonly digest: string;
  /** `words`: those that the user has changed, of the answer `prefix`. */
  readonly answer:
    | { readonly type: AnswerName; readonly words?: string | undefined }
    | { readonly type: 'edit'; readonly text: string }
    | { readonly type: 'form'; readonly values: JsonObject }
    | { readonly type: 'deny'; readonly feedback?: string | undefined };
}

/** The settings of the session, as the page shows them. */
export interface SettingsView {
  readonly mode: string;
  readonly modes: readonly string[];
  readonly levels: readonly string[];
  readonly tools: readonly { readonly name: string; readonly level: string; readonly origin: string }[];
  /** The grants of the user with their duration, in the order of `/permissions`. */
  readonly approvals: readonly string[];
  /** The values of the configuration. `value` is `undefined` if it is not set. */
  readonly values: readonly { readonly name: string; readonly value: unknown; readonly origin: string }[];
}

/** The stored sessions, as the page lists them. */
export interface SessionListView {
  /** The name of the open session. */
  readonly current: string;
  /** The directory of the open session. */
  readonly workspace: string;
  /** Those of this workspace first, and of each group the one used last first. `modifiedMs`: milliseconds since 1970-01-01T00:00:00Z. */
  readonly sessions: readonly Omit<SessionSummary, 'id'>[];
}
