/** The text of a new tool that works: it returns its input. It needs only Node.js. */
export function toolSkeleton(toolName: string): string {
  return `#!/usr/bin/env node
// A tool for ybs. It gets its arguments as JSON on standard input and prints its result as JSON.

const SCHEMA = {
  name: '${toolName}',
  description: 'Say here what the tool does and when to use it; the model reads this.',
  parameters: {
    text: { type: 'string', required: true, description: 'What the model should pass' },
  },
};

/** Returns the answer to one call; a thrown error becomes the reason of a failure. */
async function run({ text }) {
  return { success: true, result: \`${toolName} got: \${text}\` };
}

async function main() {
  if (process.argv[2] === '--schema') return SCHEMA;
  let input = '';
  for await (const piece of process.stdin.setEncoding('utf8')) input += piece;
  try {
    return await run(JSON.parse(input));
  } catch (error) {
    process.exitCode = 1;
    return { success: false, error: error.message };
  }
}

console.log(JSON.stringify(await main()));
`;
}
