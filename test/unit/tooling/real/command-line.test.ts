import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../../../tooling/real/command-line.ts';
import { SERVERS } from '../../../../tooling/real/servers.ts';

const namesOf = (...args: readonly string[]) => parseCommandLine(args, SERVERS).servers.map(({ name }) => name);

describe('the command line of npm run test:real', () => {
  it('selects all servers without a name, and the named ones otherwise', () => {
    expect(namesOf()).toEqual(SERVERS.map(({ name }) => name));
    expect(namesOf('ollama')).toEqual(['ollama']);
  });

  it('rejects an unknown server and an unknown option', () => {
    expect(() => namesOf('llama')).toThrow(/unknown server llama; the servers are llama\.cpp, ollama/);
    expect(() => namesOf('--instal')).toThrow(/--instal/);
  });

  it('rejects a broken expression, and a table of a part of the checks', () => {
    expect(parseCommandLine(['--only', 'text$'], SERVERS).only).toEqual(/text$/);
    expect(() => namesOf('--only', '(')).toThrow(
      '--only must be a regular expression: Invalid regular expression: /(/',
    );
    expect(() => namesOf('--only', 'text', '--write-table')).toThrow('--only is for a run that writes no table');
  });
});
