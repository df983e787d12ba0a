import { EXIT_CODES } from '../../app/exit.ts';
import { isUndecided } from '../../config/trust/describe-trust.ts';
import type { RunSubcommand, Subcommand } from './subcommand.ts';

/** Every subcommand but `test`, in the order of the help. */
export const SUBCOMMANDS: readonly Subcommand[] = [
  {
    form: 'init',
    description: 'ask for provider, model and key, try the connection, and write your configuration',
    load: async () => (await import('./setup/init-command.ts')).initCommand,
  },
  {
    form: 'config [key]',
    description: 'show the configuration, or one key or section of it, with the origin of each value',
    load: async () => (await import('./setup/config-command.ts')).configCommand,
  },
  {
    form: 'config set <key> <value…>',
    description: 'set a key in your configuration file; null removes it',
    load: async () => (await import('./setup/config-command.ts')).configSetCommand,
  },
  {
    form: 'models',
    description: 'list the models that the provider offers',
    load: async () => (await import('./models-command.ts')).modelsCommand,
  },
  {
    form: 'auth status',
    description: 'report whether the configured model can be used; hosts call it with --json',
    load: async () => (await import('./setup/auth-command.ts')).authStatusCommand,
  },
  {
    form: 'prompt',
    description: 'print the system prompt and the tools as a model would get them',
    load: async () => (await import('./prompt-command.ts')).promptCommand,
  },
  {
    form: 'tools new <name> [directory]',
    description: 'write an external tool that works, to change it',
    load: async () => (await import('./tools-command.ts')).newToolCommand,
  },
  {
    form: 'tools check <file> [json]',
    description: 'check an external tool: its description, and one call',
    load: async () => (await import('./tools-command.ts')).checkToolCommand,
  },
  {
    form: 'mcp list',
    description: 'list the servers of the Model Context Protocol and their known tools',
    load: async () => (await import('./mcp-command.ts')).listServersCommand,
  },
  {
    form: 'mcp check <name>',
    description: 'start a server, list its tools, and end it; the exit code is 1 if that fails',
    load: async () => (await import('./mcp-command.ts')).checkServerCommand,
  },
  {
    form: 'mcp import <file>',
    description: 'add the servers in a file of another agent or editor to your configuration; also --yes (docs/mcp.md)',
    load: async () => (await import('./import-servers-command.ts')).importServersCommand,
  },
  {
    form: 'mcp login <name>',
    description: 'log in to a server over HTTP in the browser; --scope asks for more rights',
    load: async () => (await import('./mcp-command.ts')).loginCommand,
  },
  {
    form: 'mcp logout <name>',
    description: 'remove the token of a server',
    load: async () => (await import('./mcp-command.ts')).logoutCommand,
  },
  {
    form: 'skills check <directory>',
    description: 'check a skill, or each skill in a directory, against the format of Agent Skills',
    load: async () => (await import('./skills-command.ts')).checkSkillsCommand,
  },
  {
    form: 'eval <story…>',
    description: 'compare versions of the settings: play stories many times with each of them',
    load: async () => (await import('./stories/eval-command.ts')).evalCommand,
  },
  {
    form: 'story from <file…>',
    description: 'write recordings of another tool as a story: aimock, vcrpy, HAR, WireMock, a proxy log',
    load: async () => (await import('./stories/story-from-command.ts')).storyFromCommand,
  },
  {
    form: 'check [command]',
    description: 'show whether a command would run, ask or be denied, and why; also --read and --write',
    load: async () => (await import('./safety/check-command.ts')).checkCommandLine,
  },
  {
    form: 'undo [session]',
    description: 'put the files back that the last run of a session wrote, by default of the last session here',
    load: async () => (await import('./sessions/undo-command.ts')).undoCommand,
  },
  {
    form: 'completion <shell>',
    description: 'print the script that completes the command line in bash, zsh or fish',
    load: async () => (await import('./setup/completion-command.ts')).createCompletionCommand(SUBCOMMANDS),
  },
  {
    form: 'trust [path]',
    description: 'let the configuration, tools and git of a project take effect; also --list and --revoke',
    load: async () => (await import('./safety/trust-command.ts')).trustCommand,
  },
  {
    form: 'audit [session]',
    description: 'list every decision about a call of a session, by default of the last session here',
    load: async () => (await import('./sessions/audit-command.ts')).auditCommand,
  },
  {
    form: 'record <name> [prompt]',
    description: 'run a prompt and write the run as a story in scenarios/<name>, which ybs test plays',
    load: async () => (await import('./stories/record-command.ts')).recordCommand,
  },
  {
    form: 'acp',
    description: 'serve an editor over the Agent Client Protocol, on standard input and output',
    load: async () => (await import('./serving/acp-command.ts')).acpCommand,
  },
  {
    form: 'web',
    description: 'serve a page with the chat on this machine, for a browser',
    load: async () => asksForTrust((await import('./serving/web-command.ts')).webCommand),
  },
  {
    form: 'app',
    description: 'open the page of the chat in its own window',
    async load() {
      const [{ appCommand }, { runVisible, withProfile }] = await Promise.all([
        import('./serving/web-command.ts'),
        import('../../node/run-visible.ts'),
      ]);
      return (request, ports) => {
        const { projects = new Set() } = ports.machine;
        return appCommand(request, { ...ports, runVisible: runVisible(projects), withProfile });
      };
    },
  },
  {
    form: 'doctor',
    description: 'check the configuration, the provider, the terminal, git and the disk',
    load: async () => (await import('./setup/doctor-command.ts')).doctorCommand,
  },
];

/** The option `subcommand` names the first fixed word of a form. */
export function subcommandName({ form }: Subcommand): string {
  return form.split(' ', 1)[0] ?? form;
}

/**
 * A subcommand that serves a session: at a terminal it asks first whether an undecided project is trusted, as a chat
 * does.
 */
function asksForTrust(run: RunSubcommand): RunSubcommand {
  return async (request, ports) => {
    const { wiring, user } = ports;
    const settings = user.interactive ? await wiring.loadSettings(request.options) : undefined;
    if (settings !== undefined && isUndecided(settings.trust)) {
      const { askForTrust } = await import('../ask-for-trust.ts');
      if ((await askForTrust(request.options, settings, wiring, user)) === undefined) return EXIT_CODES.aborted;
    }
    return run(request, ports);
  };
}
