import {
  type AndOr,
  type CommandArgument,
  type Function as FunctionNode,
  forEachChild,
  type If,
  type ParsedScript,
  parse,
  type RedirectOperator,
  type SyntaxNode,
} from 'unbash';
import {
  changeDirectory,
  type Directories,
  eitherOf,
  enterDirectory,
  type Places,
  startingDirectories,
} from './directories.ts';
import { unwrapCommand } from './programs/unwrap-command.ts';
import {
  type CommandWords,
  expandBraces,
  keepHomeWhole,
  programName,
  readWord,
  type ShellWord,
  splitAtSeparators,
} from './shell-word.ts';
import { StepBudget, TooManySteps } from './step-budget.ts';
import { costOfHereDocuments, findDeceptiveCharacter, findProblem, inputOf, leaves } from './syntax.ts';

/** A program with its operands, found anywhere in a command line. */
export interface SimpleCommand {
  readonly words: CommandWords;
  /** True if another command runs it, as with `ls` in `env A=1 ls` or in `sh -c ls`. */
  readonly wrapped: boolean;
  /** The directories that it may run in. */
  readonly directories: Directories;
}

/** A redirect of a command's input or output. */
export interface RedirectTarget {
  readonly operator: RedirectOperator;
  readonly target: ShellWord;
}

/** Everything that a command line runs, as far as the text shows it. */
export interface ParsedCommandLine {
  readonly commands: readonly SimpleCommand[];
  readonly redirects: readonly RedirectTarget[];
  /** True if it contains a fork bomb. */
  readonly forkBomb: boolean;
  /** True if the whole text was parsed as POSIX shell. Commands before a problem are listed in either case. */
  readonly complete: boolean;
  /** Reasons why it is not complete, or why the text does not show everything that runs. */
  readonly uncertainties: readonly string[];
}

/** Context of a parse. Without `places`, every directory is unknown. */
export interface ParseContext {
  readonly places?: Places | undefined;
  readonly budget?: StepBudget;
  readonly parser?: (source: string) => ParsedScript;
}

/** The maximum length of a command line that is parsed, in UTF-16 units. */
export const MAX_COMMAND_LENGTH = 64 * 1024;
const MAX_NESTING = 16;

/**
 * Parses a command line for Bash or another POSIX shell. Pure. The time is linear in the length of the text. Throws
 * only `TooManySteps`, even if the parser throws something else.
 */
export function parseCommandLine(text: string, context: ParseContext = {}): ParsedCommandLine {
  const { places, budget = new StepBudget(), parser = parse } = context;
  const collector = new Collector(places, budget, parser);
  if (text.length > MAX_COMMAND_LENGTH) {
    collector.markIncomplete(`the command is longer than ${MAX_COMMAND_LENGTH} characters`);
    return collector;
  }
  const deceptive = findDeceptiveCharacter(text);
  if (deceptive !== undefined) collector.markIncomplete(`the command contains the character ${deceptive}`);
  try {
    collector.collectScript(text, 0, startingDirectories(places));
  } catch (error) {
    if (error instanceof TooManySteps) throw error;
    // The parser is a library and may throw anything, a stack overflow included.
    collector.markIncomplete('the command cannot be parsed');
  }
  return collector;
}

/** Commands whose argument runs in the same shell, so that a `cd` in it stays in effect. */
const SAME_SHELL: ReadonlySet<string> = new Set(['eval', 'command', 'builtin']);

/** Collects the commands of syntax trees. Each method returns the directories of the shell after its part. */
class Collector implements ParsedCommandLine {
  readonly commands: SimpleCommand[] = [];
  readonly redirects: RedirectTarget[] = [];
  readonly uncertainties: string[] = [];
  forkBomb = false;
  complete = true;
  readonly #places: Places | undefined;
  readonly #budget: StepBudget;
  readonly #parse: (source: string) => ParsedScript;
  /** The here-documents that were parsed as scripts. Several commands may get the same one. */
  readonly #inputs = new Set<ShellWord>();
  /** True if a script mentions HOME in another way than as `$HOME`, so that it may have any value. */
  #changesHome = false;
  /** The number of expansions that the current node is in. */
  #expansions = 0;
  /** The number of calls so far, by name. */
  readonly #calls = new Map<string, number>();
  /** The number of pipelines and background commands so far. */
  #concurrent = 0;

  constructor(places: Places | undefined, budget: StepBudget, parser: (source: string) => ParsedScript) {
    this.#places = places;
    this.#budget = budget;
    this.#parse = parser;
  }

  markIncomplete(reason: string): void {
    this.complete = false;
    this.uncertainties.push(reason);
  }

  /** Collects the commands of a script that is `depth` scripts or commands deep in the command line. */
  collectScript(source: string, depth: number, from: Directories): Directories {
    if (depth > MAX_NESTING) {
      this.markIncomplete('commands are nested too deeply');
      return from;
    }
    this.#budget.spend(source.length + costOfHereDocuments(source));
    this.#changesHome ||= /(?<!\$|\$\{)\bHOME\b/.test(source);
    return this.#collect(this.#parse(source), depth, from);
  }

  #collect(node: SyntaxNode, depth: number, from: Directories): Directories {
    this.#budget.spend(1);
    const problem = findProblem(node);
    if (problem !== undefined) this.uncertainties.push(problem.reason);
    if (problem?.type === 'incomplete') this.complete = false;
    switch (node.type) {
      case 'Command': {
        // Without a name there are only assignments and redirects.
        if (node.name !== undefined) this.#calls.set(node.name.value, this.#callsOf(node.name.value) + 1);
        const written = node.name === undefined ? [] : [node.name, ...node.args];
        const [first, ...operands] = written.flatMap((argument) => this.#readWords(argument));
        const name = first && (this.#changesHome ? first : keepHomeWhole(first));
        const after = name === undefined ? from : this.#collectCommand([name, ...operands], inputOf(node), depth, from);
        this.#collectChildren(node, depth, from);
        return after;
      }
      case 'Pipeline': {
        if (node.commands.length === 1) return this.#collectChildren(node, depth, from);
        this.#concurrent++;
        for (const command of node.commands) this.#collect(command, depth, from);
        return from;
      }
      case 'Statement': {
        const after = this.#collect(node.command, depth, from);
        if (node.background === true) this.#concurrent++;
        return node.background === true ? from : after;
      }
      case 'AndOr':
        return this.#collectAndOr(node, depth, from);
      case 'If':
        return this.#collectIf(node, depth, from);
      case 'Case':
        this.#collect(node.word, depth, from);
        return node.items.map((item) => this.#collectChildren(item, depth, from)).reduce(eitherOf, from);
      case 'While':
      case 'For':
      case 'Select':
      case 'ArithmeticFor':
        return eitherOf(from, this.#collectChildren(node, depth, from));
      case 'Subshell':
      case 'Coproc':
        this.#collectChildren(node, depth, from);
        return from;
      case 'Function':
        this.#collectFunction(node, depth, from);
        return from;
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion':
      case 'ParameterExpansion':
      case 'ArithmeticExpansion':
        this.#collectExpansion(node, depth, from);
        return from;
      case 'Redirect':
        if (node.target !== undefined) this.redirects.push({ operator: node.operator, target: readWord(node.target) });
        return this.#collectChildren(node, depth, from);
      default:
        return this.#collectChildren(node, depth, from);
    }
  }

  #readWords(argument: CommandArgument): readonly ShellWord[] {
    return expandBraces(readWord(argument), this.#budget).flatMap(splitAtSeparators);
  }

  /** The parser scans the text of an expansion again at every level, so the number of levels is limited. */
  #collectExpansion(node: SyntaxNode, depth: number, from: Directories): void {
    if (this.#expansions === MAX_NESTING) {
      this.markIncomplete('expansions are nested too deeply');
      return;
    }
    this.#expansions++;
    this.#collectChildren(node, depth, from);
    this.#expansions--;
  }

  /** A fork bomb is a function that calls itself at least twice at the same time: in a pipeline or in the background. */
  #collectFunction(node: FunctionNode, depth: number, from: Directories): void {
    const name = node.name.value;
    const [calls, concurrent] = [this.#callsOf(name), this.#concurrent];
    this.#collectChildren(node, depth, from);
    this.forkBomb ||= this.#callsOf(name) - calls > 1 && this.#concurrent > concurrent;
  }

  #callsOf(name: string): number {
    return this.#calls.get(name) ?? 0;
  }

  /** Collects the children one after the other, each in the directories that the one before leaves. */
  #collectChildren(node: SyntaxNode, depth: number, from: Directories): Directories {
    let directories = from;
    forEachChild(node, (child) => {
      directories = this.#collect(child, depth, directories);
    });
    return directories;
  }

  /** A command after `&&` runs where the one before leaves; one after `||` runs where that one failed. */
  #collectAndOr({ commands, operators }: AndOr, depth: number, from: Directories): Directories {
    let [succeeded, failed] = [from, from];
    for (const [index, command] of commands.entries()) {
      const operator = operators[index - 1];
      if (operator === '||') {
        const after = this.#collect(command, depth, failed);
        succeeded = leaves(command) ? succeeded : eitherOf(succeeded, after);
      } else {
        failed = eitherOf(failed, succeeded);
        succeeded = this.#collect(command, depth, succeeded);
      }
    }
    return succeeded;
  }

  #collectIf(node: If, depth: number, from: Directories): Directories {
    let otherwise = this.#collect(node.clause, depth, from);
    let after = this.#collect(node.then, depth, otherwise);
    for (const { clause, then } of node.elif) {
      otherwise = this.#collect(clause, depth, otherwise);
      after = eitherOf(after, this.#collect(then, depth, otherwise));
    }
    return eitherOf(after, node.else === undefined ? otherwise : this.#collect(node.else, depth, otherwise));
  }

  #collectCommand(
    words: CommandWords,
    input: ShellWord | undefined,
    depth: number,
    directories: Directories,
  ): Directories {
    if (depth > MAX_NESTING) {
      this.markIncomplete('commands are nested too deeply');
      return directories;
    }
    this.#budget.spend(words.length);
    this.commands.push({ words, wrapped: depth > 0, directories });
    let after = changeDirectory(words, directories, this.#places);
    for (const inner of unwrapCommand(words, input)) {
      if (inner.type === 'unreadable') {
        this.uncertainties.push(inner.reason);
        continue;
      }
      const { directory } = inner;
      const from = directory === undefined ? directories : enterDirectory(directory, directories, this.#places);
      const reached =
        inner.type === 'command'
          ? this.#collectCommand(inner.words, input, depth + 1, from)
          : this.#collectInnerScript(inner.word, inner.word === input, depth + 1, from);
      if (SAME_SHELL.has(programName(words[0]) ?? '')) after = reached;
    }
    return after;
  }

  #collectInnerScript(script: ShellWord, isInput: boolean, depth: number, from: Directories): Directories {
    if (isInput && this.#inputs.has(script)) return from;
    if (isInput) this.#inputs.add(script);
    return this.collectScript(script.text, depth, from);
  }
}
