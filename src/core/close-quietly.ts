/**
 * Tells a source that nobody listens any more. Not awaited, because a source that hangs only answers when its own wait
 * ends; what it throws has nobody left to hear it.
 */
export function closeQuietly(source: AsyncIterator<unknown, unknown, void> | undefined): void {
  (async () => source?.return?.())().catch(() => {});
}
