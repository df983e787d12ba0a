import type { PermissionRule } from '../ports/approver.ts';
import { escapeLine } from './escape-stream.ts';

/** What a rule allows for the rest of the session, in words, safe to print. */
export function describeRule(rule: PermissionRule): string {
  switch (rule.type) {
    case 'edit_read_files':
      return 'edits of files that were read in this session and have not changed since';
    case 'write_directory':
      return `writing files in ${escapeLine(rule.directory)}`;
    case 'exact_command':
      return `exactly this command in ${escapeLine(rule.workingDirectory)}: ${escapeLine(rule.command)}`;
    default:
      return rule satisfies never;
  }
}
