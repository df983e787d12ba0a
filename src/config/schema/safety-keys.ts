import * as z from 'zod';
import { PERMISSION_LEVELS, PERMISSION_MODES } from '../../agent/ports/approver.ts';
import { BLOCKED_COMMANDS } from '../blocked-commands.ts';
import { TOOL_NAME } from '../checks.ts';
import { commands, hosts, integer, key, strings } from './key-schema.ts';

export const safetyKeys = z
  .strictObject({
    permission_mode: key(z.enum(PERMISSION_MODES).default('ask'), 'ignored', 'Actions that run without approval.'),
    permissions: z
      .record(
        z.string().regex(TOOL_NAME, 'is not the name of a tool'),
        key(
          z.enum(PERMISSION_LEVELS),
          'tighten',
          'Permission level of one tool, in every mode: run without a question, offer an answer for the session, ask about each call, or never run. Blocked paths and commands, guarded files and the mode read-only precede it. An unknown level is read as ask_always.',
        ),
      )
      .prefault({}),
    require_confirmation: key(
      strings(),
      'add',
      'Tools that ask in every mode, also full-access, even where the mode or their level would allow the call.',
    ),
    approval_timeout_seconds: key(
      integer(1, 86_400).default(300),
      'lower',
      'The time for the answer to a question, in seconds; without an answer the call is denied.',
    ),
    persist_approvals: key(
      z.boolean().default(false),
      'ignored',
      'Keep the rules that you allow at a question (a, f, w, p) for later sessions in the same directory; /approvals lists and clears them.',
    ),
    sandbox_enabled: key(
      z.boolean().default(true),
      'ignored',
      'Run commands in the sandbox of the operating system; see sandbox.md. Without it, and unless this is false, every command asks.',
    ),
    environment: key(
      strings(),
      'ignored',
      'Variables of your environment that commands get besides those listed in sandbox.md, such as NODE_OPTIONS; one that holds a secret is written as secret:NAME.',
    ),
    sandbox_home: key(
      z.enum(['read-only', 'hidden']).default('hidden'),
      'ignored',
      'What commands in the sandbox see of your home directory: all but secrets, or only programs.',
    ),
    sandbox_local_sockets: key(
      z.boolean().default(false),
      'ignored',
      'Let commands in the sandbox open sockets of this machine, which tsx, Chromium and gpg-agent need; see sandbox.md.',
    ),
    sandbox_hosts: key(
      hosts().default([]),
      'ignored',
      'Servers that commands in the sandbox may reach, through a proxy of ybs: names, or *. before a name; see sandbox.md.',
      'a list of strings',
    ),
    sandbox_allowed_paths: key(
      strings('./'),
      'ignored',
      'Directories that the tools may use, relative to the workspace or with ~; the workspace itself is always allowed.',
    ),
    restrict_to_project_directory: key(
      z.boolean().default(true),
      'ignored',
      'Deny changes outside the workspace and the allowed paths; false leaves them to your answers. Protected directories stay denied.',
    ),
    require_approval_outside_project: key(
      z.boolean().default(true),
      'ignored',
      'Ask about each use of a path outside the workspace and the allowed paths; false treats it like one inside.',
    ),
    sandbox_readable_paths: key(
      strings(),
      'ignored',
      'Files and directories outside of the workspace that commands in the sandbox may read, also in a hidden home directory.',
    ),
    sandbox_blocked_paths: key(
      strings(
        '~/.ssh',
        '~/.aws',
        '~/.gnupg',
        '~/.config',
        '~/.kube',
        '~/.docker',
        '~/.netrc',
        '~/.npmrc',
        '~/.pypirc',
        '~/.git-credentials',
      ),
      'add',
      'Files and directories that no tool may use, even inside an allowed directory.',
    ),
    allowed_commands: key(
      commands(),
      'ignored',
      'Commands that run without a question, compared word by word; see check.md.',
      'a list of commands',
    ),
    allow_unlisted_commands: key(
      z.boolean().default(true),
      'disable',
      'What happens to commands that are not in allowed_commands and do more than read: true lets the permission mode decide, false denies them.',
    ),
    blocked_commands: key(
      commands(...BLOCKED_COMMANDS),
      'add',
      'Commands that never run, compared word by word, besides those of the default; see check.md.',
      'a list of commands',
    ),
    replace_blocked_commands: key(
      z.boolean().default(false),
      'ignored',
      'Let blocked_commands replace the default list instead of adding to it.',
    ),
  })
  .prefault({});
