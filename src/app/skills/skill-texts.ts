import { UsageError } from '../../agent/errors.ts';
import { countOf } from '../../text/quantities.ts';
import { didYouMean } from '../../text/suggest.ts';
import { truncateText } from '../../text/truncate.ts';
import type { MarkdownCommand } from '../extensions/command-file.ts';
import type { Skill, SkillList, Skills } from './skills.ts';

const MAX_SHOWN = 100;

export function describeSkills({ skills, problems }: Skills, { shortened, isTooLong }: SkillList): string {
  const width = Math.max(0, ...skills.map(({ name }) => name.length));
  const rows = skills.flatMap(({ name, origin, tokens, description, findings, allowedTools, isForUser, file }) => [
    `${name.padEnd(width)}  ${origin.padEnd(7)}  ${String(tokens).padStart(5)} tokens  ${truncateText(description, MAX_SHOWN)}`,
    ...(isForUser ? [`  not in the list of the model; only /skill ${name} puts it into a message`] : []),
    ...(allowedTools === undefined ? [] : [`  its allowed-tools, which allow nothing here: ${allowedTools}`]),
    ...findings.flatMap(({ type, text }) => (type === 'fault' ? [`! ${file}: ${text}`] : [])),
  ]);
  return [
    ...(skills.length === 0 ? ['There are no skills. docs/skills.md says where they are looked for.'] : rows),
    ...(isTooLong ? [SKILLS_TOO_LONG] : []),
    ...(shortened === undefined || isTooLong
      ? []
      : [`The model sees at most ${countOf(shortened, 'character')} of each description, so that all names fit.`]),
    ...problems.map(({ path, reason }) => `! Left out: ${path}: ${reason}`),
  ].join('\n');
}

/** Said once in a session whose list of skills is too long even without descriptions. */
export const SKILLS_TOO_LONG =
  'The names and paths of the skills take more than 2 % of the context window. The model sees no description of them; remove skills that you do not need.';

/** The command `/skill NAME [message]`, which puts the text of a skill into a message. */
export function skillCommand({ skills }: Skills): MarkdownCommand {
  return {
    ...{ name: 'skill', path: 'ybs', body: '' },
    description: 'Put the text of a skill into a message; /skills lists them',
    argument: '<name> [message]',
    complete: ({ length }) => (length === 0 ? skills.map(({ name }) => name) : []),
    expand(argument) {
      const [name = '', ...rest] = argument.split(/(?<=^\S+)\s+/u);
      const skill = skills.find((each) => each.name === name);
      if (skill !== undefined) return skillMessage(skill, rest.join(' '));
      const names = skills.map((each) => each.name);
      throw new UsageError(`There is no skill ${name}.${didYouMean(name, names, ' /skills lists them.')}`);
    },
  };
}

/** The text of a skill as a part of a message, with the folder that its paths count from. */
function skillMessage({ name, body, folder }: Skill, message: string): string {
  const safe = body.replaceAll(/<(?=\/?skill)/gi, '&lt;');
  const text = `<skill name="${name.replaceAll('"', '&quot;')}" folder="${folder.replaceAll('"', '&quot;')}">\n${safe}\n</skill>`;
  return message === '' ? `Follow this skill.\n\n${text}` : `${message}\n\n${text}`;
}
