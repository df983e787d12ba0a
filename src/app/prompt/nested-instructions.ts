import type { Message } from '../../agent/ports/messages.ts';
import type { PlannedEffect, Tool } from '../../agent/ports/tool.ts';
import { contains, pathFlavour } from '../../policy/paths/path-policy.ts';
import { IgnoreRules } from '../../tools/search/ignore-rules.ts';
import {
  type InstructionPorts,
  type Instructions,
  instructionsBlock,
  limitInstructions,
  readInstructions,
} from './instructions.ts';

/** Ports and limits of nested instructions. */
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
    const all = (await Promise.all(this.#directoriesOf(effect).map((each) => this.#read(each)))).flat();
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
