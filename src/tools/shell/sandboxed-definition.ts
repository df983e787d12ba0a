import type { ToolDefinition } from '../../ports/tool.ts';

const LIMITS = `
Commands run in a sandbox: no network, files outside the workspace read-only, secrets hidden, and /tmp empty at each call.`;
const NETWORK = 'True for a command that needs the network, such as npm install. The user is asked each time.';

/** The definition of `run_shell` where commands run in the sandbox: with its limits, and the argument that lifts one. */
export function sandboxedDefinition(definition: ToolDefinition): ToolDefinition {
  const { description, parameters } = definition;
  const { properties = {} } = parameters;
  const network = { type: 'boolean', description: NETWORK };
  return {
    ...definition,
    description: `${description}${LIMITS}`,
    parameters: { ...parameters, properties: { ...(typeof properties === 'object' && properties), network } },
  };
}
