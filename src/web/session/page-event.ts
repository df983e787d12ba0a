import type { ApprovalRequest } from '../../agent/ports/approver.ts';
import type { AgentEvent, RewindPlace } from '../../agent/ports/events.ts';
import type { AnswerName } from '../../app/driver/answers.ts';
import type { FormField } from '../../tools/mcp/questions/forms.ts';

/** An answer that a question offers, with its key, besides no and an edit. */
export interface ShownAnswer {
  readonly key: string;
  readonly label: string;
  readonly answer: { readonly type: AnswerName };
  /** The words that a command may begin with, for the user to change. */
  readonly words?: string;
}

/**
 * A message that waits for the end of a run, or with `steers` for its next request. `tab`: the tab that sent it; absent for
 * a program.
 */
export interface WaitingMessage {
  readonly id: string;
  readonly text: string;
  readonly tab?: string;
  readonly steers?: boolean;
}

/** The state of the server that every tab shows. */
export interface PageState {
  readonly type: 'state';
  /** The message that is being answered, by its id. */
  readonly running?: string;
  /** The effect of Enter on a message during a run; absent: it steers. */
  readonly enter?: 'queue';
  readonly queue: readonly WaitingMessage[];
  /** Absent until the session is open. */
  readonly session?: {
    readonly id: string;
    readonly name: string;
    readonly workspace: string;
    readonly model: string;
    readonly mode: string;
    readonly sandbox?: string;
    /** The name of the agent that the user has chosen. */
    readonly agent?: string;
  };
}

/** Everything that a tab shows: the events of the runs, and those of the server. */
export type PageEvent =
  | AgentEvent
  | PageState
  /** The work on a message begins; all events until its end belong to it. */
  | { readonly type: 'message_start'; readonly id: string; readonly text: string }
  | { readonly type: 'message_end'; readonly id: string }
  /** A question, which is answered with its id and its digest, by one of these answers, an edit or no. */
  | {
      readonly type: 'question';
      readonly id: string;
      readonly digest: string;
      readonly request: ApprovalRequest;
      /** The effect of a command that destroys, as the end of a sentence about it. */
      readonly destroys?: string;
      readonly answers: readonly ShownAnswer[];
    }
  /** Fields or an address of a server of tools, which are answered with their values, or no. */
  | {
      readonly type: 'form';
      readonly id: string;
      readonly server: string;
      readonly message: string;
      readonly fields: readonly FormField[];
      readonly url?: string;
    }
  | { readonly type: 'question_closed'; readonly id: string }
  /** The result of a command of the chat. */
  | { readonly type: 'note'; readonly text: string; readonly diff?: string }
  /** The messages from a prompt on are no longer part of the conversation. */
  | ({ readonly type: 'rewind' } & RewindPlace)
  /** The changes and the commands of a run, in lines for people. */
  | { readonly type: 'receipt_rows'; readonly rows: readonly string[] }
  | { readonly type: 'user_output'; readonly text: string }
  /** Texts for the message box of a tab, in front of what is there: messages that were not sent, or one to change. */
  | { readonly type: 'put_back'; readonly tab: string; readonly texts: readonly string[] }
  /** A failure outside of a run. */
  | { readonly type: 'problem'; readonly message: string };

/** An event with its number. Numbers rise, with gaps. */
export interface NumberedEvent {
  readonly number: number;
  readonly event: PageEvent;
}
