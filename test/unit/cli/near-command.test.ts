import { describe, expect, it } from 'vitest';
import { askForCommand } from '../../../src/cli/near-command.ts';
import { NO_SCREEN, PLAIN, type UserConsole } from '../../../src/terminal/output.ts';
import { createScriptedTerminal } from '../../support/fakes/scripted-terminal.ts';

const ARGS = ['--screen-reader', 'doctr\u0007'];
const COMMAND = ['--screen-reader', 'doctor'];

async function ask(typed: readonly string[] | undefined) {
  const written: string[] = [];
  const user: UserConsole = {
    ...NO_SCREEN,
    interactive: typed !== undefined,
    columns: () => 80,
    palette: () => PLAIN,
    typesInput: true,
    warn: async () => {},
    readInput: async () => '',
    async *readLines() {},
    openTerminal: async () => createScriptedTerminal(typed ?? []),
    onStop: () => () => {},
    async write(text) {
      written.push(text);
      return true;
    },
  };
  return {
    meant: await askForCommand(ARGS, [{ index: 1, value: 'doctr\u0007' }], ['doctor'], user),
    screen: written.join(''),
  };
}

describe('a word that may be a mistyped command', () => {
  it.each<[readonly string[], readonly string[] | undefined]>([
    [['y'], COMMAND],
    [[''], COMMAND],
    [['what', 'n'], ARGS],
    [[], undefined],
  ])('is asked about at a terminal: %j', async (typed, meant) => {
    const asked = await ask(typed);
    expect(asked.meant).toEqual(meant);
    expect(asked.screen).toContain('"doctr\\u{7}" is not a command. Did you mean ybs doctor?\n');
    expect(asked.screen.includes('Type y or n')).toBe(typed.includes('what'));
  });

  it('is an error without a terminal', async () => {
    await expect(ask(undefined)).rejects.toThrow('Did you mean ybs doctor? To send it as a prompt: ybs -- doctr');
  });
});
