import { isDevelopmentRuntime } from './development-runtime.ts';

/** Stops before the first test when an old Node runs vitest, because the failures would not name the cause. */
export default function checkRuntime(): void {
  if (!isDevelopmentRuntime(process.versions.node)) {
    throw new Error(
      `The tests need Node.js 22.12 or newer, this is ${process.versions.node}. The project brings its own: run npm rebuild node.`,
    );
  }
}
