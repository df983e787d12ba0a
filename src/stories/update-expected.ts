import type { PlayableStory } from './play/play-story.ts';

/**
 * The reason why `--update` may not write the expected files of a story, or `undefined`. It never writes a directory
 * that has another purpose: one with the story itself or a workspace, or one that several stories share.
 */
export function updateRefusal(playable: PlayableStory, stories: readonly PlayableStory[]): string | undefined {
  const { expectedPath, expected, story, file } = playable;
  if (stories.some((other) => contains(expectedPath, other.file))) return 'it contains a story';
  const workspaceOf = stories.find(({ workspace = '' }) => workspace !== '' && overlap(expectedPath, workspace));
  if (workspaceOf !== undefined) return `it belongs to the workspace of ${workspaceOf.name}`;
  const sharing = stories.find((other) => other !== playable && overlap(expectedPath, other.expectedPath));
  const fix = 'Name another directory in story.expected.';
  if (sharing !== undefined) return `${sharing.name} expects it, too. ${fix}`;
  const isAlone = /(?:^|[/\\])scenario\.(?:json|ya?ml)$/.test(file);
  if (isAlone || expected !== undefined || story.expected !== undefined) return undefined;
  return `every story in this directory would expect it. ${fix}`;
}

function overlap(left: string, right: string): boolean {
  return contains(left, right) || contains(right, left);
}

/** True if `path` is the directory or lies in it. Both are absolute. */
function contains(directory: string, path: string): boolean {
  const segments = (text: string) => `${text.replaceAll('\\', '/').replace(/\/+$/, '')}/`;
  return segments(path).startsWith(segments(directory));
}
