import type { PermissionLevel, PermissionMode } from '../agent/ports/approver.ts';
import type { SandboxState } from '../agent/ports/shell.ts';
import type { PathUse, PlannedEffect, ToolEffect } from '../agent/ports/tool.ts';
import type { PathRules } from './paths/path-policy.ts';
import type { Places } from './shell/directories.ts';
import type { AllowList } from './shell/rules/allowed-commands.ts';
import type { BlockList } from './shell/shell-policy.ts';

/** Facts that `ybs check` can assume: the user trusts the workspace; commands run in the sandbox. */
export const ASSUMPTIONS = ['trusted', 'sandboxed'] as const;

export type Assumption = (typeof ASSUMPTIONS)[number];

/** A planned call that needs a decision. `toolEffect` is the strongest effect that the tool can have. */
export interface CallToDecide {
  readonly toolName: string;
  readonly toolEffect: ToolEffect;
  readonly effect: PlannedEffect;
}

/** The user's settings for the session. */
export interface DecisionSettings {
  readonly mode: PermissionMode;
  readonly pathRules: PathRules;
  readonly blockList: BlockList;
  /** Absent: no command is allowed beforehand. */
  readonly allowList?: AllowList;
  /** The levels of tools, by name, which hold in every mode. */
  readonly levels: Readonly<Partial<Record<string, PermissionLevel>>>;
  /** The tools that ask in every mode but full access. */
  readonly confirmedTools: readonly string[];
  /** False: commands that are not in the allow list are denied, unless they only read. */
  readonly allowsUnlisted?: boolean;
  /**
   * The files that this session has written, by real path, each with the number of session rules at that time. A rule of
   * commands does not apply to a command that runs a file written after it. Absent: none.
   */
  readonly written?: ReadonlyMap<string, number>;
  /** False: nobody is asked, as in `ybs check`, so that a question needs no answers for later calls. */
  readonly offersRules?: boolean;
  /** State of this session. Absent: the workspace is not trusted, and there is no sandbox. */
  readonly assumptions?: readonly Assumption[];
  /** The sandbox of commands. Absent: not known, so that the permission mode alone decides. */
  readonly sandbox?: SandboxState | undefined;
}

/**
 * The directories that decide what a command in `workingDirectory` (a real path) removes. A command without a directory
 * of its own counts as run in the workspace.
 */
export function placesOf(
  { workspace, home, platform }: PathRules,
  workingDirectory: string = workspace,
  links: readonly PathUse[] = [],
): Places {
  const real = new Map(links.map(({ requested, realPath }) => [requested, realPath]));
  return { workspace, workingDirectory, home, platform, links: real };
}
