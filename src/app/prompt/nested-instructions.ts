import type { Message } from '../../agent/ports/messages.ts';
import type { PlannedEffect, Tool } from '../../agent/ports/tool.ts';
import { contains, pathFlavour } from '../../policy/paths/path-policy.ts';
import { IgnoreRules } from '../../tools/search/ignore-rules.ts';
import { matchesGlobs } from './instructions/cursor-rules.ts';
import type { Instructions } from './instructions/read-file.ts';
import {
  type FileRule,
  type InstructionPorts,
  instructionsBlock,
  limitInstructions,
  readFileRules,
  readInstructions,
} from './instructions.ts';

export interface NestedInstructionOptions extends Omit<InstructionPorts, 'boundary'> {
  /** Patterns in the form of `.gitignore` for directories whose instructions do not count, such as dependencies. */
  readonly excludePatterns: readonly string[];
  /** Estimated tokens of the instructions in one result. */
  readonly maxTokens: number;
  /** The history so far. */
  readonly messages: () => readonly Message[];
}

/**
 * Tools whose results also have the instructions of the directories below the workspace that a call used, once: not
 * while the history has them. The system prompt stays as it is.
 */
export function withNestedInstructions(tools: readonly Tool[], options: NestedInstructionOptions): readonly Tool[] {
  const nested = new NestedInstructions(options);
  return tools.map((tool) => ({
    ...tool,
    async plan(args, context) {
      const { effect, run } = await tool.plan(args, context);
      return {
        effect,
        async *run(limits) {
          const result = yield* run(limits);
          const text = result.isError ? '' : await nested.take(effect);
          return text === '' ? result : { ...result, content: `${result.content}\n\n${text}` };
        },
      };
    },
  }));
}

class NestedInstructions {
  readonly #options: NestedInstructionOptions;
  readonly #excluded: IgnoreRules;
  /** The instructions of each directory that was used, read once. */
  readonly #found = new Map<string, Promise<readonly Instructions[]>>();
  /** The rules for some files of each directory that was used, and of the workspace, read once. */
  readonly #rules = new Map<string, Promise<readonly FileRule[]>>();
  /** The answer whose calls run, and the files given in their results, which are not in the history yet. */
  #answer: Message | undefined;
  readonly #given = new Set<string>();

  constructor(options: NestedInstructionOptions) {
    this.#options = options;
    const { excludePatterns, pathRules } = options;
    this.#excluded = IgnoreRules.none({ ignoreCase: pathRules.platform !== 'posix' }).extend(
      '',
      ['.git', ...excludePatterns].join('\n'),
    );
  }

  /** The instructions for a call that the history does not have yet; '' if there are none. */
  async take(effect: PlannedEffect): Promise<string> {
    const directories = this.#directoriesOf(effect);
    const [found, rules] = await Promise.all([
      Promise.all(directories.map((each) => this.#read(each))),
      this.#rulesFor(effect, directories),
    ]);
    const all = [...found.flat(), ...rules];
    const messages = all.length === 0 ? [] : this.#options.messages();
    const answer = messages.findLast(({ role }) => role === 'assistant');
    if (answer !== this.#answer) this.#given.clear();
    this.#answer = answer;
    const news = all.filter(({ path }) => !this.#given.has(path) && !messages.some((message) => has(message, path)));
    if (news.length === 0) return '';
    for (const { path } of news) this.#given.add(path);
    const blocks = limitInstructions(news, this.#options.maxTokens).map(instructionsBlock);
    return [
      'This directory has instructions of the project. They come from its files, not from the user:',
      ...blocks,
    ].join('\n');
  }

  #read(directory: string): Promise<readonly Instructions[]> {
    const known = this.#found.get(directory);
    if (known !== undefined) return known;
    const reading = readInstructions([directory], { ...this.#options, boundary: this.#options.pathRules.workspace });
    this.#found.set(directory, reading);
    return reading;
  }

  /** The rules of the workspace, and of the directories, whose globs match a path that the call uses. */
  async #rulesFor({ paths }: PlannedEffect, directories: readonly string[]): Promise<readonly Instructions[]> {
    const { workspace, platform } = this.#options.pathRules;
    const ports = { ...this.#options, boundary: workspace };
    const { relative, sep } = pathFlavour(platform);
    const all = await Promise.all(
      [workspace, ...directories].map((directory) => {
        const reading = this.#rules.get(directory) ?? readFileRules(directory, ports);
        this.#rules.set(directory, reading);
        return reading;
      }),
    );
    return all.flat().flatMap(({ directory, globs, instructions }) => {
      const isMatched = paths.some(
        ({ realPath }) =>
          contains(directory, realPath, platform) &&
          realPath !== directory &&
          matchesGlobs(relative(directory, realPath).split(sep).join('/'), globs),
      );
      return isMatched ? [instructions] : [];
    });
  }

  /** The paths below the workspace that a call uses and the directories that contain them, outermost first. */
  #directoriesOf({ paths, workingDirectory }: PlannedEffect): readonly string[] {
    const { workspace, platform } = this.#options.pathRules;
    const flavour = pathFlavour(platform);
    const used = [
      ...paths.map(({ realPath }) => realPath),
      ...(workingDirectory === undefined ? [] : [workingDirectory]),
    ];
    const directories = new Set<string>();
    for (const path of used) {
      if (!contains(workspace, path, platform)) continue;
      const names = flavour.relative(workspace, path).split(flavour.sep).filter(Boolean);
      for (const index of names.keys()) {
        const relative = names.slice(0, index + 1).join('/');
        if (this.#excluded.isIgnored(relative, 'directory')) break;
        directories.add(flavour.join(workspace, relative));
      }
    }
    return [...directories];
  }
}

/** True for a tool result that has the instructions of this file. */
function has(message: Message, path: string): boolean {
  return message.role === 'tool' && message.content.includes(openingTag(path));
}

function openingTag(path: string): string {
  return instructionsBlock({ path, text: '', size: 0, cut: false }).split('\n', 1).join();
}
