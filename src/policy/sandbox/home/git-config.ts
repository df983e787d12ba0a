import { gitSettings } from '../../trust/git-settings.ts';
import { isPlainGitConfig } from '../view.ts';

/** Settings whose values are files of the user that git reads. */
const NAMES_FILE = /\.(?:excludesfile|attributesfile|template|hookspath|allowedsignersfile|path)$/;

/**
 * The settings of git of a user without those that hold a secret or name a program for one: sections of credentials,
 * addresses with a password, headers, cookies and tokens. Everything else stays as it is. Pure.
 */
export function withoutGitSecrets(text: string): string {
  let isLeftOut = false;
  const kept: string[] = [];
  // A line that ends with a backslash goes on in the next one.
  for (const [line] of text.matchAll(/(?:[^\n\\]|\\[\s\S])*(?:\n|$)/g)) {
    const [, section] = /^\s*\[\s*([^\s\]"]+)/.exec(line) ?? [];
    if (section !== undefined) isLeftOut = /^credential$/i.test(section) || !isPlainGitConfig(line);
    if (!isLeftOut && isPlainGitConfig(line)) kept.push(line);
  }
  return kept.join('');
}

/** The files that settings of git name, as written: lists of ignored files, attributes, templates, included settings. Pure. */
export function filesInGitConfig(text: string): readonly string[] {
  return gitSettings(text).flatMap(({ name, value }) => (NAMES_FILE.test(name) && value !== '' ? [value] : []));
}
