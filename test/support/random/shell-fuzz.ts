import path from 'node:path';
import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { parseCommandLine } from '../../../src/policy/shell/parse/command-line.ts';
import { programName, type ShellWord } from '../../../src/policy/shell/parse/shell-word.ts';
import { createBashOracle, type StartedProgram } from './bash-oracle.ts';
import { randomScripts } from './random-script.ts';

/** A command that a policy has seen: the name of its program and the words after it. */
export interface SeenCommand {
  readonly name: string | undefined;
  readonly words: readonly ShellWord[] | undefined;
}

/** The commands that a policy sees in a script; `undefined` if it is not sure about the script. */
type Policy = (script: string) => readonly SeenCommand[] | undefined;

/** Actions of bash in random scripts that a policy was sure about. */
export interface FuzzResult {
  /** The number of scripts that the policy was sure about. */
  readonly accepted: number;
  /** The number of programs that they started. */
  readonly started: number;
  /** The scripts that started a program which the policy did not see, or with words that it did not see. */
  readonly missed: readonly { readonly script: string; readonly program: StartedProgram }[];
}

/** Runs random scripts, always the same for a seed, in bash, `lanes` at a time, each in a separate directory. */
export async function fuzzPolicy(
  policy: Policy,
  { count, seed, directory, lanes = 2 }: { count: number; seed: string; directory: string; lanes?: number },
): Promise<FuzzResult> {
  const scripts = randomScripts(count, seed).values();
  const missed: { script: string; program: StartedProgram }[] = [];
  let [accepted, started] = [0, 0];
  const work = Array.from({ length: lanes }, async (_, lane) => {
    const oracle = createBashOracle(path.join(directory, String(lane)));
    for (const script of scripts) {
      const seen = policy(script);
      if (seen === undefined) continue;
      accepted++;
      for (const program of await oracle.run(script)) {
        started++;
        // Bash 5.2 prints a substitution with a here-document wrongly before it runs it.
        const operands = script.includes('<<') ? undefined : program.slice(1);
        const isSeen = ({ name, words }: SeenCommand): boolean =>
          name === program[0] && (operands === undefined || words === undefined || fits(words, operands));
        if (!seen.some(isSeen)) missed.push({ script, program });
      }
    }
  });
  await Promise.all(work);
  return { accepted, started, missed };
}

/** True if the shell may make these operands from the words: a word that is not static becomes any number of them. */
function fits(words: readonly ShellWord[], operands: readonly string[]): boolean {
  const [word, ...rest] = words;
  if (word === undefined) return operands.length === 0;
  const isFirst = operands.length > 0 && fits(word.static ? rest : words, operands.slice(1));
  return word.static ? operands[0] === word.text && isFirst : isFirst || fits(rest, operands);
}

/** The policy of ybs. */
export function seenByYbs(script: string): readonly SeenCommand[] | undefined {
  const { commands, uncertainties } = parseCommandLine(script);
  if (uncertainties.length > 0) return undefined;
  return commands.map(({ words: [name, ...words] }) => ({ name: programName(name), words }));
}

/** A policy that is sure about the same scripts, but ignores substitutions. */
export function seenWithoutSubstitutions(script: string): readonly SeenCommand[] | undefined {
  const seen: SeenCommand[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') return;
    if (node.type === 'Command') seen.push({ name: node.name?.value, words: undefined });
    forEachChild(node, visit);
  };
  visit(parse(script));
  const sure = seenByYbs(script);
  if (sure === undefined) return undefined;
  return [...seen, ...sure.filter(({ name }) => name === undefined)];
}
