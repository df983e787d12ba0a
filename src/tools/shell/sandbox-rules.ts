import type { ComputeDigest } from '../../agent/ports/digest.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import type { PathPlatform } from '../../policy/paths/path-policy.ts';
import { buildSandboxRules, type SandboxRules, type SandboxSettings } from '../../policy/sandbox/rules.ts';
import { createRealPathOf } from '../files/resolve-path.ts';

/** The part of the machine that the sandbox depends on. */
interface SandboxMachine {
  readonly fileSystem: FileSystem;
  readonly platform: PathPlatform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly digest: ComputeDigest;
}

/** The rules of the sandbox in the workspace, from the settings and the files of this machine. */
export function readSandboxRules(
  settings: SandboxSettings,
  workspace: string,
  { fileSystem, platform, environment, home, digest }: SandboxMachine,
): Promise<SandboxRules> {
  const places = { workspace, platform, home, digest, environment, searchPath: environment['PATH'] ?? '' };
  return buildSandboxRules({ ...settings, ...places }, createRealPathOf(fileSystem, platform), fileSystem);
}
