import { UsageError } from '../../agent/errors.ts';
import { escapeLine } from '../../text/escape.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { takeStart } from '../../text/truncate.ts';
import { lineOf, readMarkdown } from '../extensions/frontmatter.ts';

/** The limits of the format, in characters. */
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1_024;
const MAX_COMPATIBILITY = 500;

/** The recommended limits of the text. */
const MAX_TOKENS = 5_000;
const MAX_LINES = 500;

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;
const isText = (value: unknown): boolean => typeof value === 'string';
const isMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isText);

/** The other fields of the format, with their values and the fault of any other value. */
const FIELDS: Readonly<Record<string, readonly [isValid: (value: unknown) => boolean, fault: string]>> = {
  license: [isText, 'is not a string'],
  compatibility: [
    (value) => typeof value === 'string' && value.length <= MAX_COMPATIBILITY,
    `is not a string of at most ${MAX_COMPATIBILITY} characters`,
  ],
  metadata: [isMap, 'is not a mapping of strings to strings; put quotes around numbers'],
  'allowed-tools': [
    (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
    'is neither a string nor a list of strings',
  ],
};

/** A deviation from the format. A `fault` is one that the format forbids; a `note` is only advice. */
export interface SkillFinding {
  readonly type: 'fault' | 'note';
  readonly text: string;
}

/** The content of the file of a skill. The texts are safe to show, and one line each except the body. */
export interface SkillText {
  /** That of the folder, where the file has none that can be used. */
  readonly name: string;
  /** Absent: the skill cannot be used. */
  readonly description: string | undefined;
  /** The value of `allowed-tools`. It allows nothing. */
  readonly allowedTools: string | undefined;
  /** Only the user chooses it: the field `disable-model-invocation`, which several agents have, is true. */
  readonly isForUser: boolean;
  readonly body: string;
  /** Estimated tokens of the body. */
  readonly tokens: number;
  readonly findings: readonly SkillFinding[];
}

/** Reads the file of a skill in a folder of this name. Never throws: its problems are findings. */
export function readSkill(folder: string, text: string): SkillText {
  const findings: SkillFinding[] = [];
  const fault = (problem: string): void => void findings.push({ type: 'fault', text: problem });
  let file: ReturnType<typeof readMarkdown> = { fields: {}, body: '' };
  try {
    file = readMarkdown(text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    fault(error.message);
  }
  const { fields, body } = file;
  if (Object.keys(fields).length === 0) {
    if (findings.length === 0) fault('it does not begin with fields between two lines ---');
    const nothing = { tokens: 0, description: undefined, allowedTools: undefined, isForUser: false };
    return { name: escapeLine(folder), body, ...nothing, findings };
  }
  if (file.fault !== undefined) fault(file.fault);
  const name = readName(fields['name'], folder, fault);
  const description = lineOf(fields['description'], Number.POSITIVE_INFINITY);
  const hasOther = !['string', 'undefined'].includes(typeof (fields['description'] ?? undefined));
  if (description === undefined) fault(hasOther ? 'its description is not a string' : 'it has no description');
  else if (description.length > MAX_DESCRIPTION) fault(`its description has more than ${MAX_DESCRIPTION} characters`);
  const { name: _name, description: _description, ...others } = fields;
  for (const [key, value] of Object.entries(others)) {
    const [isValid, problem] = Object.hasOwn(FIELDS, key) ? (FIELDS[key] ?? []) : [];
    if (isValid === undefined) fault(`the format has no field ${escapeLine(key)}`);
    else if (!isValid(value)) fault(`its ${key} ${problem}`);
  }
  const tokens = Math.ceil(estimateTokens(body));
  const notes = [
    ...(body === '' ? ['it has no text'] : []),
    ...(tokens > MAX_TOKENS ? [`its text has about ${tokens} tokens; at most ${MAX_TOKENS} are recommended`] : []),
    ...(body.split('\n').length > MAX_LINES ? [`its text has more than ${MAX_LINES} lines`] : []),
  ];
  return {
    ...{ name, body, tokens },
    description: description === undefined ? undefined : takeStart(description, MAX_DESCRIPTION),
    allowedTools: listOf(fields['allowed-tools']),
    isForUser: /^true$/i.test(String(fields['disable-model-invocation'])),
    findings: [...findings, ...notes.map((note) => ({ type: 'note', text: note }) as const)],
  };
}

function readName(value: unknown, folder: string, fault: (problem: string) => void): string {
  const own = escapeLine(folder);
  const name = lineOf(value, Number.POSITIVE_INFINITY);
  if (name === undefined) {
    fault(value === undefined || value === null ? 'it has no name' : 'its name is not a string');
    return own;
  }
  if (name.length > MAX_NAME) fault(`its name has more than ${MAX_NAME} characters`);
  if (!NAME.test(name)) fault('its name may have a-z, 0-9 and single hyphens between them only');
  if (name !== own) fault(`its name ${takeStart(name, MAX_NAME)} is not that of its folder, ${own}`);
  return takeStart(name, MAX_NAME);
}

function listOf(value: unknown): string | undefined {
  return lineOf(Array.isArray(value) ? value.filter((item) => typeof item === 'string').join(', ') : value);
}
