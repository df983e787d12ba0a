/** Turns the output of one stream into text a model can read, piece by piece. */
export interface OutputCleaner {
  /** What can be said for sure after this piece; an unfinished line may wait for its end. */
  push(text: string): string;
  /** The rest, when the stream ends or another one speaks. */
  flush(): string;
}

/** An unfinished line longer than this is not held back any more, an unfinished escape sequence neither. */
const MAX_HELD = 16_384;

const ESCAPE = '\\u001b';
const ESCAPE_SEQUENCE = new RegExp(
  [
    `(?:${ESCAPE}\\[|\\u009b)[0-?]*[ -/]*[@-~]`, // colours, cursor movement
    `${ESCAPE}[\\]PX^_][^\\u0007\\u001b\\u009c\\n]*(?:\\u0007|${ESCAPE}\\\\|\\u009c)`, // titles, links, strings
    `${ESCAPE}[ -/]+[0-~]`, // character sets
    `${ESCAPE}[0-OQ-WYZ\\\\\`-~]`, // two characters
  ].join('|'),
  'g',
);
/** What may be the beginning of a sequence whose end has not come yet. */
const UNFINISHED_SEQUENCE = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*|[\\]PX^_][^\\u0007\\u001b\\u009c\\n]*${ESCAPE}?|[ -/]*)$|\\u009b[0-?]*[ -/]*$`,
);
const NEEDS_CLEANING = /(?![\t\n])\p{Cc}/u;
const CONTROL = /(?![\t\n\r\b])\p{Cc}/gu;

/**
 * A cleaner for one stream. Escape sequences go; of a line that a program wrote over with carriage returns only the
 * last state stays; backspaces are carried out; other control characters are replaced by their visible pictures.
 */
export function createOutputCleaner(): OutputCleaner {
  let unfinished = '';
  let held = '';

  const settle = (text: string): string => {
    const input = held + text;
    const end = input.lastIndexOf('\n') + 1;
    held = input.slice(end);
    const lines = collapseLines(input.slice(0, end));
    if (held.length <= MAX_HELD) return lines;
    const long = collapseLine(held);
    held = '';
    return lines + long;
  };

  return {
    push(text) {
      const input = unfinished + text;
      unfinished = '';
      if (!NEEDS_CLEANING.test(input)) return settle(input);
      const tail = UNFINISHED_SEQUENCE.exec(input);
      if (tail !== null && input.length - tail.index <= MAX_HELD) unfinished = tail[0];
      const complete = input.slice(0, input.length - unfinished.length);
      return settle(complete.replace(ESCAPE_SEQUENCE, '').replace(CONTROL, pictureOf));
    },
    flush() {
      const rest = collapseLine(held + unfinished.replace(CONTROL, pictureOf));
      unfinished = '';
      held = '';
      return rest;
    },
  };
}

function collapseLines(text: string): string {
  return /[\r\b]/.test(text) ? text.split('\n').map(collapseLine).join('\n') : text;
}

/** What a terminal would show of a line in the end. */
function collapseLine(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  const written = line.slice(0, end);
  const last = written.slice(written.lastIndexOf('\r') + 1);
  if (!last.includes('\b')) return last;
  const shown: string[] = [];
  for (const character of last) {
    if (character === '\b') shown.pop();
    else shown.push(character);
  }
  return shown.join('');
}

function pictureOf(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}
