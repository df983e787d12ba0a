import type { Intent } from './intent.ts';

/**
 * A new file in the patch format that Codex and opencode take; nothing for what the format cannot say to the byte:
 * every line of it ends with a line feed, and an edit needs to know the rest of its lines.
 */
export function patchFor(intent: Intent): string | undefined {
  if (intent.intent !== 'write_file' || !/^[^\r\0]*[^\r\0\n]\n$|^[^\r\0]*\n\n$/.test(intent.content)) return undefined;
  if (/[\r\n]/.test(intent.path)) return undefined;
  const lines = intent.content.slice(0, -1).split('\n');
  return ['*** Begin Patch', `*** Add File: ${intent.path}`, ...lines.map((line) => `+${line}`), '*** End Patch'].join(
    '\n',
  );
}
