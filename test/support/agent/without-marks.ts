/**
 * The text of a screen without the marks at the start of the lines of ybs, including those of a palette of `<style>`.
 */
export function withoutMarks(screen: string): string {
  return screen.replaceAll(/^(?:<cyan>▌<\/cyan>|▌) ?/gm, '');
}
