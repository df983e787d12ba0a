import { describe, expect, it } from 'vitest';
import { findSubcommand } from '../../../src/cli/command-line/find-subcommand.ts';
import type { Subcommand } from '../../../src/cli/subcommands/subcommand.ts';
import { SUBCOMMANDS } from '../../../src/cli/subcommands/subcommands.ts';

const FORMS: readonly Subcommand[] = [
  'doctor',
  'config [key]',
  'config set <key> <value…>',
  'tools new <name>',
  'tools check <file>',
].map((form) => ({ form, description: form, load: () => Promise.reject(new Error('not run')) }));

/** The form that the words name with their arguments, `prompt`, or the message of a problem. */
function find(words: string): string | readonly string[] {
  const found = findSubcommand(words.split(' '), FORMS);
  if (found.type === 'incomplete') return found.message;
  return found.type === 'prompt' ? 'prompt' : [found.subcommand.form, ...found.args];
}

describe('the first words of a command line', () => {
  it.each<[string, readonly string[]]>([
    ['doctor', ['doctor']],
    ['config', ['config [key]']],
    ['config llm.model', ['config [key]', 'llm.model']],
    ['config set ui.color false', ['config set <key> <value…>', 'ui.color', 'false']],
    ['config set git.prefix my own words', ['config set <key> <value…>', 'git.prefix', 'my', 'own', 'words']],
    ['tools new search', ['tools new <name>', 'search']],
  ])('are a subcommand if they fit its form: %s', (words, found) => {
    expect(find(words)).toEqual(found);
  });

  it.each([
    'doctor the build',
    'config the server please',
    'configure it',
    'tools are slow',
    'tools new and old',
    'fix the config',
  ])('are a prompt otherwise: %s', (words) => {
    expect(find(words)).toBe('prompt');
  });

  it.each([
    ['config set', 'ybs config set <key> <value…>'],
    ['config set ui.color', 'ybs config set <key> <value…>'],
    ['tools', 'ybs tools new <name> or ybs tools check <file>'],
    ['tools check', 'ybs tools check <file>'],
  ])('are incomplete if an argument is missing: %s', (words, usage) => {
    expect(find(words)).toBe(`Type the whole command: ${usage}. To use the words as a prompt, put -- before.`);
  });

  it('never match two forms', () => {
    expect(new Set(SUBCOMMANDS.map(({ form }) => form)).size).toBe(SUBCOMMANDS.length);
  });

  it.each(SUBCOMMANDS)('load the code of $form', async ({ load }) => {
    expect(await load()).toBeInstanceOf(Function);
  });
});
