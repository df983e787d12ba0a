import { KILL_CASES, runKillCase } from './kill-cases.ts';

// Runs the kill cases in a process of its own, so that another user can be the one who runs them.
const results = await Promise.allSettled(KILL_CASES.map((killCase) => runKillCase(killCase)));
const problems = results.flatMap((result, index) =>
  result.status === 'fulfilled' ? [] : [`${KILL_CASES[index]?.name}: ${result.reason}`],
);
console.log(JSON.stringify({ user: process.getuid?.(), cases: results.length, problems }));
