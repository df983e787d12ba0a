import {
  type CommandArgument,
  type Function as FunctionNode,
  forEachChild,
  type ParsedScript,
  type SyntaxNode,
} from 'unbash';
import {
  changeDirectory,
  type Directories,
  eitherOf,
  enterDirectory,
  MAX_DIRECTORIES,
  type Outcome,
  type Places,
  UNKNOWN,
  unchanged,
} from '../directories.ts';
import { unwrapCommand } from '../programs/unwrap-command.ts';
import { evaluatesArithmetic, holdsSubscript, isEvaluator } from './arithmetic.ts';
import { afterEither, eitherOutcome, followAndOr, followIf, followPipeline, Jumps } from './control-flow.ts';
import { certainDefinitions, type Definition } from './definitions.ts';
import type { CopiedText, ParsedCommandLine, RedirectTarget, SimpleCommand } from './parsed-command-line.ts';
import {
  type CommandWords,
  expandBraces,
  keepHomeWhole,
  programName,
  readWord,
  type ShellWord,
  splitAtSeparators,
} from './shell-word.ts';
import type { StepBudget } from './step-budget.ts';
import { assignedBy, copiedBy, costOfHereDocuments, findProblem, inputOf } from './syntax.ts';

const MAX_NESTING = 16;
/** Commands whose argument runs in the same shell, so that a `cd` in it stays in effect. */
const SAME_SHELL: ReadonlySet<string> = new Set(['eval', 'command', 'builtin']);

/** Collects the commands of syntax trees. Each method returns where the shell may be after its part. */
export class Collector implements Omit<ParsedCommandLine, 'text'> {
  readonly commands: SimpleCommand[] = [];
  readonly redirects: RedirectTarget[] = [];
  readonly copies: CopiedText[] = [];
  readonly uncertainties: string[] = [];
  readonly assignments: string[] = [];
  arithmetic = false;
  forkBomb = false;
  complete = true;
  readonly #places: Places | undefined;
  readonly #budget: StepBudget;
  readonly #parse: (source: string) => ParsedScript;
  /** The here-documents that were parsed as scripts. Several commands may get the same one. */
  readonly #inputs = new Set<ShellWord>();
  /** True if a script mentions HOME in another way than as `$HOME`, so that it may have any value. */
  #changesHome = false;
  /** True if a script mentions CDPATH, so that `cd` may enter any directory. */
  #changesCdPath = false;
  /** True if a quoted text would run a command as arithmetic, and if something evaluates arithmetic. */
  readonly #arithmetic = { text: false, evaluated: false };
  /** The number of expansions that the current node is in. */
  #expansions = 0;
  /** The calls so far, by name. */
  readonly #calls = new Map<string, Set<SyntaxNode>>();
  readonly #definitions = new Map<FunctionNode, Definition>();
  /** The functions that may be called, by name. */
  readonly #functions = new Map<string, Definition>();
  /** The definitions that hold for the rest of the command line. */
  #certain: ReadonlySet<SyntaxNode> | undefined;
  readonly #jumps = new Jumps();
  /** True in the second and later passes of a loop. */
  #isRepeating = false;
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
  collectScript(source: string, depth: number, from: Directories): Outcome {
    if (depth > MAX_NESTING) {
      this.markIncomplete('commands are nested too deeply');
      return unchanged(from);
    }
    this.#budget.spend(source.length + costOfHereDocuments(source));
    this.#changesHome ||= /(?<!\$|\$\{)\bHOME\b/.test(source);
    this.#changesCdPath ||= source.includes('CDPATH');
    const script = this.#parse(source);
    this.#certain ??= certainDefinitions(script);
    return this.#collect(script, depth, from);
  }

  #collect(node: SyntaxNode, depth: number, from: Directories): Outcome {
    this.#budget.spend(1);
    const problem = findProblem(node);
    if (problem !== undefined) this.uncertainties.push(problem.reason);
    if (problem?.type === 'incomplete') this.complete = false;
    this.assignments.push(...assignedBy(node));
    const evaluates = evaluatesArithmetic(node);
    this.arithmetic ||= evaluates;
    this.#noteArithmetic(holdsSubscript(node), evaluates);
    const follow = (part: SyntaxNode, start: Directories): Outcome => this.#collect(part, depth, start);
    switch (node.type) {
      case 'Command': {
        // Without a name there are only assignments and redirects.
        const called = node.name?.value ?? '';
        this.#calls.set(called, this.#callsOf(called).add(node));
        const written = node.name === undefined ? [] : [node.name, ...node.args];
        const [first, ...operands] = written.flatMap((argument) => this.#readWords(argument));
        const name = first && (this.#changesHome ? first : keepHomeWhole(first));
        const words: CommandWords | undefined = name && [name, ...operands];
        const after = words === undefined ? unchanged(from) : this.#collectCommand(words, inputOf(node), depth, from);
        this.#collectChildren(node, depth, from);
        this.copies.push(...copiedBy(node));
        const definition = this.#functions.get(called);
        if (definition === undefined || depth > MAX_NESTING) return after;
        if (!definition.isRunning) return this.#collectCall(definition, depth, from);
        // A function that calls itself may end in any directory, most often in that of the call.
        return eitherOutcome(unchanged(from), this.#collectCall(definition, depth, UNKNOWN));
      }
      case 'Redirected':
        for (const redirect of node.redirects) this.#collect(redirect, depth, from);
        return this.#collect(node.command, depth, from);
      case 'Pipeline':
        if (node.commands.length > 1) this.#concurrent++;
        return followPipeline(node, from, follow);
      case 'Statement': {
        const after = this.#collect(node.command, depth, from);
        if (node.background === true) this.#concurrent++;
        return node.background === true ? unchanged(from) : after;
      }
      case 'AndOr':
        return followAndOr(node, from, follow);
      case 'If':
        return followIf(node, from, follow);
      case 'Case':
        this.#collect(node.word, depth, from);
        return node.items
          .map((item) => this.#collectChildren(item, depth, from))
          .reduce(eitherOutcome, unchanged(from));
      case 'While':
      case 'For':
      case 'Select':
      case 'ArithmeticFor':
        return this.#collectLoop(node, depth, from);
      case 'Subshell':
      case 'Coproc':
        this.#collectChildren(node, depth, from);
        return unchanged(from);
      case 'Function':
        this.#collectFunction(node, depth, from);
        return unchanged(from);
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion':
      case 'ParameterExpansion':
      case 'ArithmeticExpansion':
        this.#collectExpansion(node, depth, from);
        return unchanged(from);
      case 'Redirect':
        if (node.target !== undefined) {
          this.redirects.push({ operator: node.operator, target: readWord(node.target), directories: from });
        }
        return this.#collectChildren(node, depth, from);
      default:
        return this.#collectChildren(node, depth, from);
    }
  }

  #noteArithmetic(text: boolean, evaluated: boolean): void {
    const found = this.#arithmetic;
    const before = found.text && found.evaluated;
    found.text ||= text;
    found.evaluated ||= evaluated;
    if (!before && found.text && found.evaluated) this.uncertainties.push('a text may run a command as arithmetic');
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
    const known = this.#definitions.get(node);
    const isCertain = this.#certain?.has(node) === true;
    const definition = known ?? { node, outcomes: new Map<string, Outcome>(), isCertain, isRunning: false };
    if (known === undefined) {
      this.#definitions.set(node, definition);
      const [calls, concurrent] = [this.#callsOf(name).size, this.#concurrent];
      this.#jumps.within('function', () => this.#collectChildren(node, depth, from));
      this.forkBomb ||= this.#callsOf(name).size - calls > 1 && this.#concurrent > concurrent;
    }
    if (this.#functions.get(name) === definition) return;
    this.#functions.set(name, definition);
    // Functions that were called before may call this one.
    for (const { outcomes } of this.#functions.values()) outcomes.clear();
  }

  #callsOf(name: string): Set<SyntaxNode> {
    return this.#calls.get(name) ?? new Set();
  }

  /**
   * Collects the body of a function again where it is called, unless it was called in the same directories before. A
   * function that calls itself may do so in any directory.
   */
  #collectCall(called: Definition, depth: number, directories: Directories): Outcome {
    const { node, outcomes, isRunning } = called;
    const from = outcomes.size < MAX_DIRECTORIES ? directories : UNKNOWN;
    const key = JSON.stringify([...from]);
    const before = outcomes.get(key);
    if (before !== undefined) return before;
    outcomes.set(key, unchanged(eitherOf(from, UNKNOWN)));
    called.isRunning = true;
    const after = this.#jumps.within('function', () => this.#collectChildren(node, depth + 1, from));
    called.isRunning = isRunning;
    outcomes.set(key, after);
    return after;
  }

  /** Collects the body of a loop until it leaves no other directories than those where it begins. */
  #collectLoop(node: SyntaxNode, depth: number, from: Directories): Outcome {
    // Repeating a loop in each pass of another one takes exponential time.
    const isInner = this.#isRepeating;
    let reached = isInner ? eitherOf(from, UNKNOWN) : from;
    for (;;) {
      const left = this.#jumps.within('loop', () => this.#collectChildren(node, depth, reached));
      const after = eitherOf(reached, afterEither(left));
      this.#isRepeating = isInner || after.size > reached.size;
      if (isInner || !this.#isRepeating) return unchanged(after);
      reached = after;
    }
  }

  /** Collects the children one after the other, each in the directories that the one before leaves. */
  #collectChildren(node: SyntaxNode, depth: number, from: Directories): Outcome {
    let after = unchanged(from);
    forEachChild(node, (child) => {
      after = this.#collect(child, depth, afterEither(after));
    });
    return after;
  }

  #collectCommand(words: CommandWords, input: ShellWord | undefined, depth: number, directories: Directories): Outcome {
    if (depth > MAX_NESTING) {
      this.markIncomplete('commands are nested too deeply');
      return unchanged(directories);
    }
    this.#budget.spend(words.length);
    const wrapped = depth > 0;
    const callsFunction = !wrapped && this.#functions.get(words[0].text)?.isCertain === true;
    this.commands.push({ words, wrapped, callsFunction, directories, ...(input !== undefined && { input }) });
    let after =
      this.#jumps.jump(words[0].text, directories) ??
      changeDirectory(words, directories, this.#changesCdPath ? undefined : this.#places);
    const program = programName(words[0]);
    this.#noteArithmetic(false, isEvaluator(program ?? '', words));
    const isSameShell = program !== undefined && SAME_SHELL.has(program);
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
      if (isSameShell) after = reached;
    }
    return after;
  }

  #collectInnerScript(script: ShellWord, isInput: boolean, depth: number, from: Directories): Outcome {
    if (isInput && this.#inputs.has(script)) return unchanged(from);
    if (isInput) this.#inputs.add(script);
    return this.collectScript(script.text, depth, from);
  }
}
