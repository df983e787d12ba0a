// A small coding agent for tests of `ybs test --agent`: node sample-agent.mjs PROMPT. It speaks OpenAI's chat completions
// with Node.js alone and has two tools. A prompt with an option, such as --early, asks for a mistake.
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';

const prompt = process.argv.at(-1);
const [mistake] = /--[a-z]+/.exec(prompt) ?? [];

const parameters = (...names) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
});
const tools = [
  ['read_file', 'Read a file', parameters('path')],
  ['write_file', 'Write a file', parameters('path', 'content')],
].map(([name, description, schema]) => ({ type: 'function', function: { name, description, parameters: schema } }));

/** Runs one tool call and returns its result. */
function runTool(name, args) {
  if (name === 'read_file') return readFileSync(args.path, 'utf8');
  mkdirSync(path.dirname(args.path), { recursive: true });
  writeFileSync(args.path, args.content);
  return `${args.path} is written`;
}

async function ask(messages) {
  // The module loads in a fraction of the time of fetch.
  const sent = request(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.OPENAI_API_KEY}`, 'content-type': 'application/json' },
  });
  sent.end(JSON.stringify({ model: 'any', messages, tools }));
  const [response] = await once(sent, 'response');
  const body = (await response.setEncoding('utf8').toArray()).join('');
  if (response.statusCode !== 200) throw new Error(body);
  return JSON.parse(body).choices[0].message;
}

if (mistake === '--silent') process.exit();
if (mistake === '--sleep') {
  writeFileSync('sleeping', String(process.pid));
  await new Promise((resolve) => setTimeout(resolve, 600_000));
}
if (mistake === '--environment') writeFileSync('environment.json', JSON.stringify({ ...process.env, prompt }));
const messages = [{ role: 'user', content: prompt }];
for (;;) {
  const message = await ask(messages);
  messages.push(message);
  if (message.tool_calls === undefined) {
    console.log(message.content);
    break;
  }
  for (const { id, function: call } of message.tool_calls) {
    messages.push({ role: 'tool', tool_call_id: id, content: runTool(call.name, JSON.parse(call.arguments)) });
  }
  if (mistake === '--early') break;
}
if (mistake === '--outside') await fetch('http://192.0.2.1/', { signal: AbortSignal.timeout(2_000) });
if (mistake === '--crash') {
  console.error('the agent broke');
  process.exit(7);
}
