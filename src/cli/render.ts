import type { AgentEvent } from '../ports/events.ts';
import type { Palette } from '../ports/terminal.ts';
import { describeRule } from '../safety/permission-rules.ts';
import { escapeForTerminal } from '../text/escape.ts';
import { truncateText } from '../text/truncate.ts';
import { escapeChunk, escapeLine, type UserConsole } from './output.ts';

/** Settings of the text output. */
export interface RenderSettings {
  readonly palette: Palette;
  readonly showTokenUsage: boolean;
}

/** Settings of the text output from the `ui` section of the configuration. */
export function renderSettings(
  ui: { readonly color: boolean; readonly show_token_usage: boolean },
  user: Pick<UserConsole, 'palette'>,
): RenderSettings {
  return { palette: user.palette(ui.color), showTokenUsage: ui.show_token_usage };
}

/** The position of the cursor and the text that is not printed yet. */
export interface RenderState {
  /** Kind of the line under the cursor; `none`: the cursor is at the start of a line. */
  readonly open: 'none' | 'answer' | 'reasoning' | 'output';
  readonly pending: string;
  /** A part of the current answer is on the screen; a retry withdraws it. */
  readonly answerShown: boolean;
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
  open: 'none',
  pending: '',
  answerShown: false,
  inputTokens: 0,
  outputTokens: 0,
};

/** Maximum length of the arguments shown for a call that could not be planned, in characters. */
const MAX_SHOWN_ARGUMENTS = 200;

/** Turns events into lines for people. Pure. Text of the model and of tools is escaped. */
export function renderEvent(state: RenderState, event: AgentEvent, settings: RenderSettings): Rendered {
  const { palette } = settings;
  switch (event.type) {
    case 'session_start':
    case 'user_message':
    case 'turn_end':
      return { state, text: '' };
    case 'turn_start':
      return { state: { ...state, answerShown: false }, text: '' };
    case 'text_delta':
      return piece(state, 'answer', event.text, settings);
    case 'reasoning_delta':
      return piece(state, 'reasoning', event.text, settings);
    case 'tool_call': {
      const { call, effect } = event;
      const text = effect?.summary ?? `${call.name} ${truncateText(call.arguments, MAX_SHOWN_ARGUMENTS)}`;
      return line(state, `${palette('cyan', '●')} ${palette('bold', escapeLine(text))}\n`, settings);
    }
    case 'assistant_message':
    case 'approval_request':
      return line(state, '', settings);
    case 'approval_decision':
      return event.added === undefined
        ? { state, text: '' }
        : line(
            state,
            `${palette('dim', `  allowed in this session: ${escapeLine(describeRule(event.added))}`)}\n`,
            settings,
          );
    case 'tool_output':
      return piece(state, 'output', event.text, settings);
    case 'tool_result': {
      // The mark of a tool that ran is not a check mark, because a failed test run has the outcome `ok`, too.
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
      const seconds = (event.delayMs / 1000).toFixed(1);
      // A message that ends with a command to type has no full stop.
      const message = /[.!?]$/.test(event.message) ? event.message : `${event.message}.`;
      const text = `! ${message}${withdrawn} Trying again in ${seconds} s (attempt ${event.attempt}).`;
      return line({ ...state, answerShown: false }, `${palette('yellow', escapeLine(text))}\n`, settings);
    }
    case 'warning':
      return line(state, `${palette('yellow', escapeLine(`! ${event.message}`))}\n`, settings);
    case 'compaction': {
      const text = `  conversation shortened: ${event.tokensBefore} to ${event.tokensAfter} tokens`;
      return line(state, `${palette('dim', text)}\n`, settings);
    }
    case 'run_end': {
      const message = event.outcome === 'done' ? '' : `${palette('red', escapeLine(event.message))}\n`;
      const ended = line(state, message + usageLine(state, settings), settings);
      return { ...ended, state: RENDER_START };
    }
    default:
      return event satisfies never;
  }
}

/** Shows a piece of streamed text; the first piece of another kind starts a new line. */
function piece(
  state: RenderState,
  kind: 'answer' | 'reasoning' | 'output',
  chunk: string,
  settings: RenderSettings,
): Rendered {
  const before = state.open === kind ? { state, text: '' } : line(state, '', settings);
  const { text, pending } = escapeChunk(before.state.pending, chunk);
  const fresh = before.state.open === 'none';
  const open = text === '' ? before.state.open : text.endsWith('\n') ? 'none' : kind;
  return {
    state: { ...before.state, open, pending, answerShown: kind !== 'output' },
    text: before.text + paint(text, kind, fresh, settings.palette),
  };
}

/** Ends the line under the cursor, if any, and adds `text`, which is empty or ends with a line feed. */
function line(state: RenderState, text: string, settings: RenderSettings): Rendered {
  const rest = escapeForTerminal(state.pending);
  const kind = state.open === 'none' ? 'answer' : state.open;
  const tail = paint(rest, kind, state.open === 'none', settings.palette);
  const isOpen = state.open !== 'none' || tail !== '';
  return { state: { ...state, open: 'none', pending: '' }, text: `${tail}${isOpen ? '\n' : ''}${text}` };
}

function paint(text: string, kind: 'answer' | 'reasoning' | 'output', fresh: boolean, palette: Palette): string {
  if (kind === 'answer') return text;
  return text.replaceAll(/[^\n]+|\n/g, (part, index: number) => {
    const starts = index === 0 ? fresh : text[index - 1] === '\n';
    const indent = kind === 'output' && starts ? '    ' : '';
    return part === '\n' ? part : indent + palette('dim', part);
  });
}

function usageLine(state: RenderState, settings: RenderSettings): string {
  if (!settings.showTokenUsage || state.inputTokens + state.outputTokens === 0) return '';
  return `${settings.palette('dim', `${state.inputTokens} tokens in, ${state.outputTokens} out`)}\n`;
}
