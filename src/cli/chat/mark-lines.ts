/** The words that lines of ybs without a mark begin with. */
const WORDS_OF_YBS = [
  '(?:committed|restored|removed|file) ',
  '(?:conversation shortened|allowed in this session(?: and later ones)?|sandbox|ybs|workspace|permissions|session): ',
  String.raw`\d+ (?:tokens in,|files? changed|commands?:)`,
  String.raw`(?:tests ran|no tests ran|sandboxed \(|UNSANDBOXED|Stopped|in \/)`,
  '[yabfedn] {1,2}(?:yes|no|edit|show)',
];
/** The beginnings of the lines of ybs, after blanks. */
const LINE_OF_YBS = new RegExp(String.raw`^[\p{Zs}\t\u2800]*(?:[●→✗?!$>]|\[[ x>]\]|${WORDS_OF_YBS.join('|')})`, 'u');

/** The text without blanks at its end that begin a line, because what follows decides whether the line gets a mark. */
export function readyLines(text: string, startsLine: boolean): string {
  const line = text.lastIndexOf('\n') + 1;
  return (line > 0 || startsLine) && /^[\p{Zs}\t\u2800]*$/u.test(text.slice(line)) ? text.slice(0, line) : text;
}

/** The text with a bar before each line that looks like one of ybs. */
export function markLines(text: string, startsLine: boolean): string {
  const mark = (line: string, index: number): string =>
    (index > 0 || startsLine) && LINE_OF_YBS.test(line) ? `│ ${line}` : line;
  return text.split('\n').map(mark).join('\n');
}
