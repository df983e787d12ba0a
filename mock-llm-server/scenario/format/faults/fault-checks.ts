import { problem, type ValueProblem, when } from '../../problems.ts';

type Fields = Readonly<Record<string, unknown>> & { readonly headers?: Readonly<Record<string, string>> | undefined };

/** The fields that replace the answer, with those that may accompany them. */
const REPLACEMENTS: readonly (readonly [name: string, companions: readonly string[], what: string])[] = [
  ['context_overflow', ['times', 'at'], 'the error of a service'],
  ['body', ['status', 'retry_after', 'headers', 'times'], 'which is sent as it is'],
  ['status', ['message', 'code', 'type', 'retry_after', 'headers', 'body', 'times', 'at'], 'which replaces the answer'],
];
/** The fields of an error that need its status. */
const ERROR_FIELDS = ['message', 'code', 'type', 'retry_after', 'body'];
const MODIFIERS = [...ERROR_FIELDS, 'times', 'ping_every_ms', 'at'];
const EXCLUSIVE = [
  ['cut', 'reset', 'stall'],
  ['missing_index', 'colliding_index'],
  ['empty_answer', 'tool_call_as_text'],
  ['empty_answer', 'open_think_tag'],
];

/** The combinations of fields of a fault that make no sense. */
export function faultProblems(fault: Fields): readonly ValueProblem[] {
  const has = (name: string) => fault[name] !== undefined;
  const names = Object.keys(fault).filter(has);
  const status = Number(fault['status'] ?? 500);
  const orphan = names.find((name) => ERROR_FIELDS.includes(name));
  const pair = EXCLUSIVE.map((group) => group.filter(has)).find((group) => group.length > 1);
  if (names.every((name) => MODIFIERS.includes(name))) {
    return problem('names no fault', 'add "status": 500, or another fault');
  }
  for (const [name, companions, what] of REPLACEMENTS) {
    const other = names.find((each) => each !== name && !companions.includes(each));
    if (!has(name) || other === undefined) continue;
    return problem(`${other} cannot be combined with ${name}, ${what}`, `remove ${other}, or the ${name}`);
  }
  if (!has('status') && orphan !== undefined) {
    return problem(`${orphan} needs a status`, `add "status": 429, or remove ${orphan}`);
  }
  if (status >= 200 && status < 400 && !has('body'))
    return problem(`a status of ${status} needs a body`, 'add "body": "<html></html>"');
  if ([204, 205, 304].includes(status)) return problem(`a status of ${status} has no body`, 'write "status": 200');
  if (has('ping_every_ms') && fault['stall'] !== 'pings') {
    return problem('ping_every_ms needs "stall": "pings"', 'add it, or remove ping_every_ms');
  }
  if (pair !== undefined) return problem(`${pair.join(' and ')} exclude each other`, 'remove all but one of them');
  return [...headerProblems(fault), ...(has('at') ? faultPointProblems(fault) : [])];
}

/** The name of a header that does not belong to the connection. */
const NAME = /^(?!(?:content-length|transfer-encoding|connection)$)[\w!#$%&'*+.^`|~-]+$/i;

function headerProblems({ headers = {}, retry_after, at }: Fields): readonly ValueProblem[] {
  return Object.entries(headers).flatMap(([name, text]) => {
    const path = ['headers', name];
    const left = retry_after === undefined ? text : text.replaceAll('{{retry_date}}', '');
    return [
      ...when(at === 'before_headers', 'no headers are sent with "at": "before_headers"', 'remove headers', path),
      ...when(!NAME.test(name), 'is no header that a fault can set', 'write one such as "retry-after"', path),
      ...when(left.includes('{{'), 'has a template without a value', 'write {{retry_date}} and "retry_after": 2', path),
      ...when(/[^\t\x20-\x7e]/.test(text), 'must be one line of ASCII', 'remove the other characters', path),
    ];
  });
}

function faultPointProblems({ at, cut, reset, stall, ...fault }: Fields): readonly ValueProblem[] {
  const status = fault['status'] ?? fault['context_overflow'];
  if (status === undefined && cut !== true && reset === undefined && stall === undefined) {
    return problem('at needs a status, "cut": true, reset or stall', 'add "reset": true, or remove at', ['at']);
  }
  if (at !== 'before_headers' || reset !== undefined || stall === 'forever') return [];
  const fix = status === undefined ? 'choose a later point' : 'remove at: a status alone replaces the answer';
  return problem('before_headers needs reset or "stall": "forever"', fix, ['at']);
}
