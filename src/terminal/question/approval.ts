import type { ApprovalDecision, ApprovalRequest } from '../../agent/ports/approver.ts';
import { answersTo } from '../../app/driver/answers.ts';
import type { Palette, Terminal, WriteText } from '../../app/terminal.ts';
import { wordsProblem } from '../../policy/shell/prefix/command-prefix.ts';
import { prefixText, prefixWords } from '../../policy/shell/prefix/prefix-words.ts';
import { LINE_MARK } from '../../text/escape.ts';
import { wrapMarkedLines } from '../editor/wrap-marked.ts';
import { escapeLine, markLines } from '../output.ts';
import { answerRows, approvalText, hasLongDiff, wholeDiffs } from './approval-text.ts';

/**
 * An answer at the prompt: a decision, a request to edit the command, to add a comment or to see the
 * diff, or an invalid answer.
 */
export type ApprovalAnswer =
  | { readonly type: 'decision'; readonly decision: ApprovalDecision }
  | { readonly type: 'edit'; readonly command: string }
  | { readonly type: 'prefix'; readonly words: readonly string[]; readonly decision: SessionDecision }
  | { readonly type: 'diff' | 'say' | 'more' }
  | { readonly type: 'again'; readonly note: string };

const NO: ApprovalAnswer = { type: 'decision', decision: { type: 'deny' } };

/** An answer that a question may offer: its words, of which the first is its key, and its meaning if it is offered. */
type SessionDecision = Extract<ApprovalDecision, { type: 'session' }>;

type Choice = readonly [words: readonly [key: string, ...others: string[]], answer: ApprovalAnswer | undefined];

const ALWAYS_OFFERED: readonly Choice[] = [
  [['s'], { type: 'say' }],
  [['n', 'no', ''], NO],
];

/** All answers to a question; `onlyFirst` as in `approvalText`. */
function choicesOf(
  request: ApprovalRequest,
  keepsApprovals: boolean | undefined,
  onlyFirst = false,
): readonly Choice[] {
  const { effect, editable } = request;
  const offered = answersTo(request, keepsApprovals).filter(({ decision }) => !onlyFirst || decision.type === 'once');
  const answers = new Map(
    offered.map(({ key, rule, decision }): [string, ApprovalAnswer] => {
      if (rule?.type !== 'command_prefix' || decision.type !== 'session') return [key, { type: 'decision', decision }];
      return [key, { type: 'prefix', words: rule.words, decision }];
    }),
  );
  const edited = effect.plan ?? (editable ? (effect.command ?? '') : undefined);
  const choices: readonly Choice[] = [
    [['y', 'yes'], answers.get('y')],
    [['b', 'all'], answers.get('b')],
    [['a', 'always'], answers.get('a')],
    ...['f', 'w', 'p', 'x', 'h', 'k', 'g'].map((key): Choice => [[key], answers.get(key)]),
    [['e'], edited === undefined ? undefined : { type: 'edit', command: edited }],
    [['d'], hasLongDiff(request) ? { type: 'diff' } : undefined],
    ...(onlyFirst ? [[['m'], { type: 'more' }] satisfies Choice] : []),
    ...ALWAYS_OFFERED,
  ];
  // For a plan, any other letter starts a comment of the user.
  return effect.plan === undefined ? choices : choices.filter(([, answer]) => answer !== undefined);
}

/**
 * Parses the answer to an approval prompt. Only the keys that the question offers, as whole words, mean something else
 * than no; an empty line means no; any other line means no and is feedback for the model, as to a plan that is to change.
 * A command of the chat and a key that is not offered are not answers.
 */
export function readApprovalAnswer(
  line: string,
  request: ApprovalRequest,
  keepsApprovals?: boolean,
  onlyFirst = false,
): ApprovalAnswer {
  const answer = line.trim();
  const choice = choicesOf(request, keepsApprovals, onlyFirst).find(([words]) => words.includes(answer.toLowerCase()));
  if (choice === undefined) return feedbackOf(answer);
  return choice[1] ?? { type: 'again', note: `${answer} is not offered here.` };
}

function feedbackOf(answer: string): Extract<ApprovalAnswer, { type: 'decision' | 'again' }> {
  if (/^\/[a-z-]+(?:\s|$)/iu.test(answer)) return { type: 'again', note: 'Commands work after the answer.' };
  return { type: 'decision', decision: { type: 'deny', feedback: answer } };
}

export interface ApprovalPorts {
  readonly terminal: Terminal;
  readonly write: WriteText;
  readonly palette: Palette;
  /** The permissions of the session also hold in later ones. */
  readonly keepsApprovals?: boolean | undefined;
  /** Stops the run that asks. */
  readonly interruptRun: () => void;
}

/** Asks a question, and again until an answer counts. See `askAtTerminal`. */
export async function askQuestion(
  ports: ApprovalPorts,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  const { terminal, write, palette, keepsApprovals, interruptRun } = ports;
  const show = (text: string) => write(markLines(text, palette));
  const mark = palette('cyan', LINE_MARK);
  const size = terminal.size?.();
  let onlyFirst = size !== undefined && size.columns < MIN_COLUMNS && hasGrants(request, keepsApprovals);
  /** Shows marked lines in parts that fit on the screen. Resolves to the last part; `undefined` after a no. */
  const showParts = async (text: string): Promise<string | undefined> => {
    const pages = pagesOf(markLines(text, palette), size);
    for (const [index, part] of pages.slice(0, -1).entries()) {
      const keys = `part ${index + 1} of ${pages.length}: m or Enter shows more, n is no`;
      // A prompt is not wrapped, so that a screen on which it does not fit has the keys in rows above it.
      const hasRows = size !== undefined && size.columns < PARTS_COLUMNS;
      const page = hasRows ? `${part}${markLines(`  ${keys}\n`, palette)}` : part;
      await write(page);
      const prompt = hasRows ? `${mark}   > ` : `${mark}   ${keys} > `;
      for (let isNext = false; !isNext; ) {
        const input = await terminal.readLine({ prompt, fresh: true, keys: ['m', 'n'], above: page }, signal);
        if (input.type === 'interrupt') {
          interruptRun();
          signal.throwIfAborted();
        }
        const typed = input.type === 'line' ? input.text.trim().toLowerCase() : 'n';
        if (typed === 'n' || typed === 'no') return undefined;
        isNext = typed === 'm' || typed === '';
        if (!isNext) await show('  Answers count after the last part.\n');
      }
    }
    const last = pages.at(-1) ?? '';
    await write(last);
    return last;
  };
  let above = await showParts(approvalText(request, palette, keepsApprovals, onlyFirst));
  while (above !== undefined) {
    const keys = choicesOf(request, keepsApprovals, onlyFirst).flatMap(([[key], answer]) => (answer ? [key] : []));
    const question = { prompt: `${mark}   > `, fresh: true, keys, above };
    const input = await terminal.readLine(question, signal);
    if (input.type === 'interrupt') {
      interruptRun();
      signal.throwIfAborted();
    }
    const answer = input.type === 'line' ? readApprovalAnswer(input.text, request, keepsApprovals, onlyFirst) : NO;
    switch (answer.type) {
      case 'decision':
        return answer.decision;
      case 'diff':
        await show(wholeDiffs(request, palette));
        break;
      case 'more':
        onlyFirst = false;
        above = await showParts(answerRows(request, palette, keepsApprovals));
        break;
      case 'say': {
        const typed = await terminal.readLine({ prompt: `${mark}   instead: `, fresh: true, above }, signal);
        if (typed.type === 'end') return { type: 'deny' };
        const feedback = typed.type === 'line' && typed.text.trim() !== '' ? feedbackOf(typed.text.trim()) : undefined;
        if (feedback?.type === 'decision') return feedback.decision;
        const note = typed.type === 'interrupt' ? 'Nothing was sent.' : 'You typed no sentence.';
        await show(`  ${feedback?.note ?? note} Answer the question, or n for no.\n`);
        break;
      }
      case 'prefix': {
        const text = prefixText(answer.words);
        const prompt = `${mark}   words (Enter agrees): `;
        const typed = await terminal.readLine({ prompt, fresh: true, text, above }, signal);
        if (typed.type === 'end') return { type: 'deny' };
        const words = typed.type === 'line' ? prefixWords(typed.text) : [];
        const problem =
          typed.type === 'line' ? wordsProblem(words, request.effect.command ?? '') : 'Nothing was allowed.';
        if (problem === undefined) return { ...answer.decision, rule: { type: 'command_prefix', words } };
        await show(`  ${escapeLine(problem)} Answer the question, or n for no.\n`);
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
  return { type: 'deny' };
}

/** Screens with fewer columns show the answers that allow more than this question only on request. */
const MIN_COLUMNS = 40;

/** Columns that the prompt after a part takes, with two numbers of three digits and the typed key. */
const PARTS_COLUMNS = 56;

function hasGrants(request: ApprovalRequest, keepsApprovals: boolean | undefined): boolean {
  return answersTo(request, keepsApprovals).some(({ decision }) => decision.type === 'session');
}

/** Rows of the screen that the prompt and what is drawn below it take; on narrow ones also the keys. */
const [PROMPT_ROWS, NARROW_ROWS] = [4, 7];
const MIN_ROWS = 4;

/** The parts of marked lines that fit on the screen at once, so that nobody agrees to what was never visible. */
function pagesOf(text: string, size: ReturnType<NonNullable<Terminal['size']>> | undefined): readonly string[] {
  if (size === undefined) return [text];
  const rows = wrapMarkedLines(text, size.columns).replace(/\n$/, '').split('\n');
  if (rows.length <= Math.max(size.rows - PROMPT_ROWS, MIN_ROWS)) return [text];
  const height = Math.max(size.rows - (size.columns < PARTS_COLUMNS ? NARROW_ROWS : PROMPT_ROWS), MIN_ROWS);
  const pages = Array.from({ length: Math.ceil(rows.length / height) }, (_, index) =>
    rows.slice(index * height, (index + 1) * height),
  );
  return pages.map((page) => `${page.join('\n')}\n`);
}

function editOf({ effect }: ApprovalRequest, text: string): ApprovalDecision {
  return effect.plan === undefined ? { type: 'edit', command: text } : { type: 'change', arguments: { plan: text } };
}
