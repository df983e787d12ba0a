import type { PermissionRule } from '../agent/ports/approver.ts';
import { displayPath, type PathRules } from './paths/path-policy.ts';
import { prefixText } from './shell/prefix/prefix-words.ts';

/** Describes a rule in prompts and results: `run_shell: npm test (in src/)`. Not escaped for a terminal. */
export function describeRule(rule: PermissionRule, pathRules?: Pick<PathRules, 'workspace' | 'platform'>): string {
  switch (rule.type) {
    case 'edit_read_files':
      return 'every edit of a file that was read in this session and has not changed since';
    case 'write_directory':
      return `every write of a new file, or of one read in this session, in ${showDirectory(rule.directory, pathRules)}`;
    case 'exact_command':
      return `run_shell: ${rule.command} (in ${showDirectory(rule.workingDirectory, pathRules)})`;
    case 'command_prefix':
      return `run_shell: ${prefixText(rule.words)}`;
    case 'sandboxed_commands':
      return 'run_shell: every command in the sandbox, also of code that the model wrote; not what destroys, and no network';
    case 'hosts':
      return `every command in the sandbox reaches ${rule.hosts.join(', ')}`;
    case 'reads_of_tool':
      return `${rule.toolName}: every call that only reads`;
    case 'mcp':
      return rule.tool === undefined
        ? `every tool of the server ${rule.server}`
        : `${rule.tool} of the server ${rule.server}: every call`;
    case 'file_operations':
      return `every change of files in ${showDirectory(rule.directory, pathRules)}`;
    default:
      return rule satisfies never;
  }
}

/** Number of characters of a command that an answer repeats. */
const MAX_OFFERED_COMMAND = 200;

/**
 * The rule that an answer to a question gives. A command that is long or has several lines stands in the question and is
 * not repeated.
 */
export function describeOffer(rule: PermissionRule): string {
  const stands =
    rule.type === 'exact_command' && (rule.command.length > MAX_OFFERED_COMMAND || rule.command.includes('\n'));
  return describeRule(stands ? { ...rule, command: 'exactly this command' } : rule);
}

function showDirectory(directory: string, pathRules: Pick<PathRules, 'workspace' | 'platform'> | undefined): string {
  if (pathRules === undefined) return directory;
  const shown = displayPath(directory, pathRules);
  return shown === '.' ? 'the workspace' : `${shown}/`;
}
