import { UsageError } from '../../agent/errors.ts';
import type { ToolDefinition } from '../../agent/ports/tool.ts';
import { SessionDriver } from '../../app/driver/session-driver.ts';
import { partOf, tokensOf } from '../../app/prompt/prompt-parts.ts';
import type { Settings } from '../../app/settings.ts';
import { escapeLine } from '../../terminal/output.ts';
import { escapeForTerminal } from '../../text/escape.ts';
import { report, type SubcommandRequest, type Uses } from './subcommand.ts';

/**
 * `ybs prompt`: prints the system prompt and the tools as a new conversation here would send them, part by part with
 * estimated tokens, or as one line of JSON. Sends nothing and stores nothing. Returns the exit code.
 */
export async function promptCommand(
  request: Pick<SubcommandRequest, 'options'>,
  ports: Uses<{ wiring: 'loadSettings' | 'openSession'; user: 'write' }>,
): Promise<number> {
  const { wiring } = ports;
  const settings = await wiring.loadSettings(request.options);
  const driver = new SessionDriver({ openSession: (approver) => wiring.openSession(withoutModel(settings), approver) });
  try {
    const agent = await driver.agent();
    // In this protocol, the system prompt describes the tools, and the API gets none.
    const inText = settings.config.llm.tool_protocol === 'xnl';
    const protocol = inText ? partOf('tool_protocol', await describeTools(agent.tools)) : [];
    const parts = [...agent.promptParts, ...protocol].map(({ name, text }) => ({ name, tokens: tokensOf(text), text }));
    const tools = (inText ? [] : agent.tools).map(({ name, description, parameters }) => {
      return { name, tokens: tokensOf(JSON.stringify([name, description, parameters])), description, parameters };
    });
    const tokens = [...parts, ...tools].reduce((total, part) => total + part.tokens, 0);
    const blocks = [
      ...parts.map((part) => `=== ${part.name}: ${part.tokens} tokens\n${part.text}`),
      ...tools.map((tool) => `=== tool ${escapeLine(tool.name)}: ${tool.tokens} tokens\n${tool.description}\n`),
    ];
    return await report(request, ports, {
      json: () => ({ tokens, parts, tools }),
      text: () => `${escapeForTerminal(blocks.join('\n'))}\n=== all: ${tokens} tokens`,
    });
  } finally {
    await driver.close();
  }
}

async function describeTools(tools: readonly ToolDefinition[]): Promise<string> {
  return tools.length === 0 ? '' : (await import('../../providers/xnl/prompt.ts')).protocolPrompt(tools);
}

/** The settings without a session on disk and without a model, which is not asked. */
function withoutModel(settings: Settings): Settings {
  const { name, embedded } = settings.model;
  return {
    ...settings,
    autoSave: false,
    model: {
      ...{ name, embedded },
      async open() {
        return {
          identity: { provider: name, wire: 'none', model: name },
          stream() {
            throw new UsageError('ybs prompt sends nothing to a model.');
          },
        };
      },
      openSmall: async () => undefined,
      close: () => settings.model.close(),
    },
  };
}
