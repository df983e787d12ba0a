import type { AgentEvent } from '../../agent/ports/events.ts';
import type { Task } from '../../agent/ports/tool.ts';
import type { Settings } from '../../app/settings.ts';
import type { Palette } from '../../app/terminal.ts';
import { describeRule } from '../../policy/describe-rule.ts';
import { keptApprovals } from '../../policy/policy-limits.ts';
import { receiptRows } from '../../session/writes/receipt-rows.ts';
import { escapeForTerminal } from '../../text/escape.ts';
import { countOf, withSeparators } from '../../text/quantities.ts';
import { truncateText } from '../../text/truncate.ts';
import { isSameChecklist } from '../../tools/tasks/task-list.ts';
import { escapeLine, markLines, PLAIN, type UserConsole } from '../output.ts';
import {
  type AnswerText,
  addText,
  continuesText,
  endText,
  type MarkdownView,
  NO_TEXT,
  type TextKind,
} from './answer-text.ts';
import { diffRows } from './diff-rows.ts';
import { steeredRows, taskRows } from './event-rows.ts';
import { type Folded, hiddenNote, outputRows } from './folded.ts';
import { addOutput, endOutput, NO_OUTPUT, type OutputView } from './output-view.ts';

/** Settings of the text output. */
export interface RenderSettings {
  readonly palette: Palette;
  readonly showTokenUsage: boolean;
  /** Show the calls of tools; failures are always shown. */
  readonly showToolCalls: boolean;
  /** True to show also the commands that need no approval. */
  readonly showCommands: boolean;
  /** Show an answer while it arrives. */
  readonly streamResponses: boolean;
  /** True in a dry run: only reads run, nothing is asked, and every planned change is shown. */
  readonly dryRun: boolean;
  /** The permissions of the session also hold in later ones. */
  readonly keepsApprovals?: boolean | undefined;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** The command that puts the files of a run back; absent if there is none. */
  readonly undo?: string;
  /** The command that goes on after a run that a limit has ended; absent where the user types a message. */
  readonly goOn?: string;
  /** The width of the screen at this moment, where text is wrapped, and answers with styles are rendered as Markdown. */
  readonly columns?: (() => number) | undefined;
  /** The user can ask for what is hidden with Ctrl-O. */
  readonly unfolds?: boolean;
  /** Renders answers; absent until it is loaded, and where they are shown as the model wrote them. */
  readonly markdown?: MarkdownView | undefined;
}

/** Settings of the text output from those of a session. */
export function renderSettings(
  { config: { ui, safety }, dryRun, workspace, policy }: Pick<Settings, 'config' | 'dryRun' | 'workspace' | 'policy'>,
  user: Pick<UserConsole, 'palette' | 'columns'>,
): RenderSettings {
  const palette = user.palette(ui.color);
  return {
    palette,
    // Markdown without styles is more readable as the model wrote it.
    columns: palette === PLAIN ? undefined : user.columns,
    showTokenUsage: ui.show_token_usage,
    showToolCalls: ui.show_tool_calls,
    showCommands: ui.show_command_preview,
    streamResponses: ui.stream_responses,
    dryRun,
    keepsApprovals: keptApprovals(safety.persist_approvals, policy),
    workspace,
  };
}

/** State of the screen, as far as later events need it. */
export interface RenderState {
  readonly answer: AnswerText;
  /** The pieces of an answer that is shown only when it is complete. */
  readonly held: readonly { readonly kind: TextKind; readonly text: string }[];
  /** The summary of the last call, and the output of its command, as long as that runs. */
  readonly summary: string;
  readonly output: OutputView;
  /** The last output or diff of which lines are hidden. */
  readonly folded?: Folded | undefined;
  /** A part of the current answer is on the screen; a retry withdraws it. */
  readonly answerShown: boolean;
  /** The message of the last retry in this run, which the next one does not repeat. */
  readonly retryReason: string;
  /** The list of tasks that was shown last. */
  readonly tasks: readonly Task[];
  /** The run has changed files. */
  readonly hasChanged: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Text of an event, and the state for the next one. */
export interface Rendered {
  readonly state: RenderState;
  readonly text: string;
}

/** The state before the first event. */
export const RENDER_START: RenderState = {
  answer: NO_TEXT,
  held: [],
  summary: '',
  output: NO_OUTPUT,
  answerShown: false,
  retryReason: '',
  tasks: [],
  hasChanged: false,
  inputTokens: 0,
  outputTokens: 0,
};

/** Maximum length of the arguments shown for a call that could not be planned, in characters. */
const MAX_SHOWN_ARGUMENTS = 200;

/** Maximum number of lines shown of a diff that needs no approval. */
const MAX_DIFF_LINES = 60;

/** Turns events into lines for people. Pure. Text of the model and of tools is escaped. */
export function renderEvent(state: RenderState, event: AgentEvent, settings: RenderSettings): Rendered {
  const { palette } = settings;
  switch (event.type) {
    case 'user_message':
      return event.steered === true ? line(state, steeredRows(event.text, palette), settings) : { state, text: '' };
    case 'session_start':
    case 'turn_end':
    case 'checkpoint':
    case 'plan':
    case 'decision':
    case 'user_action':
      return { state, text: '' };
    case 'tasks': {
      if (isSameChecklist(event.tasks, state.tasks)) return { state, text: '' };
      return line({ ...state, tasks: event.tasks }, taskRows(event.tasks, palette), settings);
    }
    case 'turn_start':
      return { state: { ...state, answerShown: false, held: [] }, text: '' };
    case 'text_delta':
      return delta(state, 'answer', event.text, settings);
    case 'reasoning_delta':
      return delta(state, 'reasoning', event.text, settings);
    case 'tool_call_delta':
      // The text before a call has ended. A text that may be a call may also be the rest of it.
      return event.callId === undefined || !settings.streamResponses ? { state, text: '' } : line(state, '', settings);
    case 'tool_call': {
      if (!settings.showToolCalls) return { state, text: '' };
      const { call, effect } = event;
      const isHidden = !settings.showCommands && effect?.command !== undefined && event.permission?.type === 'allow';
      const text = isHidden
        ? 'run a command'
        : (effect?.summary ?? `${call.name} ${truncateText(call.arguments, MAX_SHOWN_ARGUMENTS)}`);
      const unasked = event.permission?.type === 'allow' || (settings.dryRun && event.permission?.type === 'ask');
      const diff = unasked && effect?.preview !== undefined ? effect.preview.unified : '';
      const { rows, hidden } = diffRows(diff, palette, { maxRows: MAX_DIFF_LINES, note: hiddenNote(settings) });
      const folded = hidden === 0 ? state.folded : ({ type: 'diff', summary: text, unified: diff } as const);
      const headline = `${palette('cyan', '●')} ${palette('bold', escapeLine(text))}`;
      return line({ ...state, folded }, `${[headline, ...rows].join('\n')}\n`, settings, text);
    }
    case 'assistant_message':
      return release(state, settings);
    case 'approval_request':
      return line(state, '', settings);
    case 'approval_decision':
      // The line of a question without an answer has not ended.
      if (event.decision.type === 'unavailable' && event.decision.afterSeconds !== undefined) {
        const closed = line(state, '', settings);
        return { state: closed.state, text: `${closed.text}\n` };
      }
      return event.added === undefined
        ? { state, text: '' }
        : line(
            state,
            `${palette('dim', `  allowed in this session${settings.keepsApprovals === true ? ' and later ones' : ''}: ${escapeLine(describeRule(event.added))}`)}\n`,
            settings,
          );
    case 'tool_output': {
      if (!settings.showToolCalls) return { state, text: '' };
      const before = closeLine(state, settings);
      const { view, shown } = addOutput(before.state.output, event.text);
      return {
        state: { ...before.state, output: view },
        text: before.text + markLines(outputRows(shown, palette), palette),
      };
    }
    case 'tool_result': {
      if (!settings.showToolCalls && event.outcome === 'ok') return { state, text: '' };
      // The mark of a tool that ran is not a check mark, because a failed test run also has the outcome `ok`.
      const mark = event.outcome === 'ok' ? palette('cyan', '→') : palette('red', '✗');
      const text = palette('dim', escapeLine(`${event.toolName}: ${event.summary}`));
      return line(state, `  ${mark} ${text}\n`, settings);
    }
    case 'usage': {
      const inputTokens = state.inputTokens + event.inputTokens;
      const outputTokens = state.outputTokens + event.outputTokens;
      return { state: { ...state, inputTokens, outputTokens }, text: '' };
    }
    case 'retry': {
      const withdrawn = state.answerShown ? ' Discarding the partial answer.' : '';
      const when = event.delayMs < 50 ? 'at once' : `in ${(event.delayMs / 1000).toFixed(1)} s`;
      // A message that ends with a command to type has no full stop.
      const message = /[.!?]$/.test(event.message) ? event.message : `${event.message}.`;
      const reason = event.message === state.retryReason ? '' : ` ${message}`;
      const text = `!${reason}${withdrawn} Trying again ${when} (attempt ${event.attempt}).`;
      const waiting = { ...state, held: [], answerShown: false, retryReason: event.message };
      return line(waiting, `${palette('yellow', escapeLine(text))}\n`, settings);
    }
    case 'warning':
      return line(state, `${palette('yellow', escapeLine(`! ${event.message}`))}\n`, settings);
    case 'answer':
      return line(state, `${escapeForTerminal(JSON.stringify(event.value, null, 2))}\n`, settings);
    case 'permission_mode':
      return line(state, `${palette('dim', `  permission mode ${event.mode}`)}\n`, settings);
    case 'commit': {
      const text = `  committed ${event.hash.slice(0, 8)}: ${countOf(event.files.length, 'file')}`;
      return line(state, `${palette('dim', text)}\n`, settings);
    }
    case 'receipt': {
      const rows = receiptRows(event, settings.workspace).map((row) => `${palette('dim', `  ${escapeLine(row)}`)}\n`);
      return line({ ...state, hasChanged: event.files.length > 0 }, rows.join(''), settings);
    }
    case 'compaction': {
      const text = `  conversation shortened: ${withSeparators(event.tokensBefore)} to ${withSeparators(event.tokensAfter)} tokens`;
      return line(state, `${palette('dim', text)}\n`, settings);
    }
    case 'run_end': {
      const message = event.outcome === 'done' ? '' : `${palette('red', escapeLine(event.message))}\n`;
      const isUndoable = event.outcome !== 'done' && state.hasChanged && settings.undo !== undefined;
      const undo = isUndoable ? `${palette('dim', `${settings.undo} puts the changed files back.`)}\n` : '';
      const goesOn = event.outcome === 'limit' && settings.goOn !== undefined;
      const goOn = goesOn ? `${palette('dim', `${settings.goOn} does that.`)}\n` : '';
      const ended = line(state, message + goOn + undo + usageLine(state, settings), settings);
      return { ...ended, state: { ...RENDER_START, folded: ended.state.folded } };
    }
    default:
      return event satisfies never;
  }
}

/** Shows a piece of an answer, or keeps it until the answer is complete. */
function delta(state: RenderState, kind: TextKind, chunk: string, settings: RenderSettings): Rendered {
  if (settings.streamResponses) return piece(state, kind, chunk, settings);
  const last = state.held.at(-1);
  const held =
    last?.kind === kind
      ? [...state.held.slice(0, -1), { kind, text: last.text + chunk }]
      : [...state.held, { kind, text: chunk }];
  return { state: { ...state, held }, text: '' };
}

/** Shows the pieces that were kept, and ends their line. */
function release(state: RenderState, settings: RenderSettings): Rendered {
  let shown: Rendered = { state: { ...state, held: [] }, text: '' };
  for (const { kind, text } of state.held) {
    const next = piece(shown.state, kind, text, settings);
    shown = { state: next.state, text: shown.text + next.text };
  }
  const ended = line(shown.state, '', settings);
  return { state: ended.state, text: shown.text + ended.text };
}

/** Shows a piece of streamed text; the first piece of another kind starts a new line. */
function piece(state: RenderState, kind: TextKind, chunk: string, settings: RenderSettings): Rendered {
  const before = continuesText(state.answer, kind) ? { state, text: '' } : line(state, '', settings);
  // Where reasoning is not dim, only this row separates it from the answer.
  const gap = kind === 'answer' && state.answer.pendingKind === 'reasoning' ? '\n' : '';
  const added = addText(before.state.answer, kind, chunk, settings);
  return { state: { ...before.state, answer: added.state, answerShown: true }, text: before.text + gap + added.text };
}

/**
 * Ends the line under the cursor and the output of a command, if any, and adds `text`, which consists of lines of ybs.
 * `summary` is that of the call that begins.
 */
function line(state: RenderState, text: string, settings: RenderSettings, summary = state.summary): Rendered {
  const closed = closeLine(state, settings);
  const { output } = closed.state;
  const { hidden, shortened, last } = endOutput(output);
  const note = hidden === 0 ? [] : [hiddenNote(settings, output)(hidden)];
  const isWhole = hidden === 0 && !shortened;
  const folded = isWhole ? closed.state.folded : ({ type: 'output', summary: state.summary, output } as const);
  return {
    state: { ...closed.state, summary, folded, output: NO_OUTPUT },
    text: closed.text + markLines(outputRows([...note, ...last], settings.palette) + text, settings.palette),
  };
}

function closeLine(state: RenderState, settings: RenderSettings): Rendered {
  return { state: { ...state, answer: NO_TEXT }, text: endText(state.answer, settings) };
}

function usageLine(state: RenderState, settings: RenderSettings): string {
  if (!settings.showTokenUsage || state.inputTokens + state.outputTokens === 0) return '';
  return `${settings.palette('dim', `${withSeparators(state.inputTokens)} tokens in, ${withSeparators(state.outputTokens)} out`)}\n`;
}
