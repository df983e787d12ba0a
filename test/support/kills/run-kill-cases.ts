import { KILL_CASES, runKillCase } from './kill-cases.ts';

// Runs the kill cases in a separate process, so that it can belong to another user.
const results = await Promise.allSettled(KILL_CASES.map((killCase) => runKillCase(killCase)));
const problems = results.flatMap((result, index) =>
  result.status === 'fulfilled' ? [] : [`${KILL_CASES[index]?.name}: ${result.reason}`],
);
console.log(JSON.stringify({ user: process.getuid?.(), cases: results.length, problems }));
