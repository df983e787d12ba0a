import type { ApprovalDecision, ApprovalRequest } from '../../agent/ports/approver.ts';
import type { ApprovalFront } from '../../app/driver/questions.ts';
import type { Palette, Terminal, TerminalInput, WriteText } from '../../app/terminal.ts';
import { LINE_MARK } from '../../text/escape.ts';
import { markLines } from '../output.ts';
import { approvalText, hasLongDiff, wholeDiffs } from './approval-text.ts';

/**
 * An answer at the prompt: a decision, a wish to edit the command, to say something or to see the diff, or nothing that
 * counts.
 */
export type ApprovalAnswer =
  | { readonly type: 'decision'; readonly decision: ApprovalDecision }
  | { readonly type: 'edit'; readonly command: string }
  | { readonly type: 'diff' | 'say' }
  | { readonly type: 'again'; readonly note: string };

const NO: ApprovalAnswer = { type: 'decision', decision: { type: 'deny' } };

/** The keys that a question offers. */
function approvalKeys(request: ApprovalRequest): readonly string[] {
  const { effect, offers, offersDirectory, editable, pending } = request;
  if (effect.plan !== undefined) return ['y', 'a', 'e', 's', 'n'];
  const offered: readonly (readonly [key: string, isOffered: boolean])[] = [
    ['b', pending !== undefined],
    ['a', offers !== undefined],
    ['f', offersDirectory !== undefined],
    ['e', editable === true],
    ['d', hasLongDiff(request)],
  ];
  return ['y', ...offered.flatMap(([key, isOffered]) => (isOffered ? [key] : [])), 's', 'n'];
}

/**
 * Parses the answer to an approval prompt. Only the keys that the question offers, as whole words, mean something else
 * than no; an empty line means no; any other line means no and is feedback for the model. A command of the chat and a key
 * that is not offered are not answers.
 */
export function readApprovalAnswer(line: string, request: ApprovalRequest): ApprovalAnswer {
  const { effect, offers, offersDirectory, editable, pending } = request;
  if (effect.plan !== undefined) return readPlanAnswer(line, effect.plan);
  const answer = line.trim();
  const decided = (decision: ApprovalDecision): ApprovalAnswer => ({ type: 'decision', decision });
  const ifOffered = (offer: unknown, offered: ApprovalAnswer): ApprovalAnswer =>
    offer === undefined ? { type: 'again', note: `${answer} is not offered here.` } : offered;
  switch (answer.toLowerCase()) {
    case 'y':
    case 'yes':
      return decided({ type: 'once' });
    case 'b':
    case 'all':
      return ifOffered(pending, decided({ type: 'once', all: true }));
    case 'a':
    case 'always':
      return ifOffered(offers, decided({ type: 'session' }));
    case 'f':
      return ifOffered(offersDirectory, decided({ type: 'session', scope: 'directory' }));
    case 'e':
      return ifOffered(editable, { type: 'edit', command: effect.command ?? '' });
    case 'd':
      return ifOffered(hasLongDiff(request) ? true : undefined, { type: 'diff' });
    case 's':
      return { type: 'say' };
    case '':
    case 'n':
    case 'no':
      return NO;
    default:
      return feedbackOf(answer);
  }
}

function feedbackOf(answer: string): Extract<ApprovalAnswer, { type: 'decision' | 'again' }> {
  if (/^\/[a-z-]+(?:\s|$)/iu.test(answer)) return { type: 'again', note: 'Commands work after the answer.' };
  return { type: 'decision', decision: { type: 'deny', feedback: answer } };
}

/** Parses the answer to a plan. Any line that is not a key means no and says what to change. */
function readPlanAnswer(line: string, plan: string): ApprovalAnswer {
  const answer = line.trim();
  switch (answer.toLowerCase()) {
    case 'y':
    case 'yes':
      return { type: 'decision', decision: { type: 'once', mode: 'ask' } };
    case 'a':
      return { type: 'decision', decision: { type: 'once', mode: 'accept-edits' } };
    case 'e':
      return { type: 'edit', command: plan };
    case 's':
      return { type: 'say' };
    case '':
    case 'n':
    case 'no':
      return NO;
    default:
      return feedbackOf(answer);
  }
}

/** Ports of `askAtTerminal`. */
export interface ApprovalPorts {
  readonly terminal: Terminal;
  readonly write: WriteText;
  readonly palette: Palette;
  /** The permissions of the session also hold in later ones. */
  readonly keepsApprovals?: boolean | undefined;
  /** Stops the run that asks. */
  readonly interruptRun: () => void;
}

/**
 * Asks the user at the terminal. Ctrl-C stops the run, the end of the input means no, and keys typed before the question
 * was drawn are ignored.
 */
export function askAtTerminal(ports: ApprovalPorts): ApprovalFront {
  const { terminal, write, palette, keepsApprovals, interruptRun } = ports;
  return {
    newId: ({ callId }) => callId,
    async show(_id, request, signal): Promise<ApprovalDecision> {
      const show = (text: string) => write(markLines(text, palette));
      const mark = palette('cyan', LINE_MARK);
      const keys = approvalKeys(request);
      const above = markLines(approvalText(request, palette, keepsApprovals), palette);
      await write(above);
      for (;;) {
        const question = { prompt: `${mark}   > `, fresh: true, keys, above };
        const answer = answerOf(await terminal.readLine(question, signal), request);
        switch (answer.type) {
          case 'decision':
            return answer.decision;
          case 'interrupt':
            interruptRun();
            signal.throwIfAborted();
            return { type: 'deny' };
          case 'diff':
            await show(wholeDiffs(request, palette));
            break;
          case 'say': {
            const typed = await terminal.readLine({ prompt: `${mark}   : `, fresh: true, above }, signal);
            if (typed.type === 'end') return { type: 'deny' };
            const feedback =
              typed.type === 'line' && typed.text.trim() !== '' ? feedbackOf(typed.text.trim()) : undefined;
            if (feedback?.type === 'decision') return feedback.decision;
            const note = typed.type === 'interrupt' ? 'Nothing was sent.' : 'You typed no sentence.';
            await show(`  ${feedback?.note ?? note} Answer the question, or n for no.\n`);
            break;
          }
          case 'edit': {
            const edited = await terminal.readLine(
              { prompt: `${mark}   $ `, fresh: true, text: answer.command, above },
              signal,
            );
            if (edited.type === 'end') return { type: 'deny' };
            if (edited.type === 'line' && edited.text.trim() !== '') return editOf(request, edited.text);
            await show('  Nothing has changed. Answer the question, or n for no.\n');
            break;
          }
          case 'again':
            await show(`  ${answer.note} Answer the question, or n for no.\n`);
            break;
          default:
            answer satisfies never;
        }
      }
    },
  };
}

function editOf({ effect }: ApprovalRequest, text: string): ApprovalDecision {
  return effect.plan === undefined ? { type: 'edit', command: text } : { type: 'change', arguments: { plan: text } };
}

function answerOf(input: TerminalInput, request: ApprovalRequest): ApprovalAnswer | { readonly type: 'interrupt' } {
  switch (input.type) {
    case 'line':
      return readApprovalAnswer(input.text, request);
    case 'end':
      return NO;
    case 'interrupt':
      return { type: 'interrupt' };
  }
}
