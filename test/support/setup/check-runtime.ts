import { isDevelopmentRuntime } from './development-runtime.ts';

/** Stops before the first test if vitest runs on an old Node, because the failures would not name the cause. */
export default function checkRuntime(): void {
  if (!isDevelopmentRuntime(process.versions.node)) {
    throw new Error(
      `The tests need Node.js 22.18 or newer, but this is ${process.versions.node}. To install the project's own version, run npm rebuild node.`,
    );
  }
}
