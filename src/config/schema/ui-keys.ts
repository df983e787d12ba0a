import * as z from 'zod';
import { integer, key } from './key-schema.ts';

/** The keys of the text output. */
export function uiKeys() {
  return z
    .strictObject({
      color: key(
        z.boolean().default(true),
        'applied',
        'Use colours, and render answers as Markdown, if the terminal has colours and NO_COLOR is not set.',
      ),
      show_token_usage: key(z.boolean().default(true), 'applied', 'Show the token usage of each run.'),
      show_tool_calls: key(
        z.boolean().default(true),
        'ignored',
        'Show the calls of tools with their output and results. Questions and failures are always shown.',
      ),
      show_command_preview: key(
        z.boolean().default(true),
        'ignored',
        'Show the commands that run without a question. A question always shows the whole command.',
      ),
      stream_responses: key(
        z.boolean().default(true),
        'applied',
        'Show an answer while it arrives; false shows it when it is complete.',
      ),
      enter_during_run: key(
        z.enum(['steer', 'queue']).default('steer'),
        'ignored',
        'The use of Enter for a message during a run of a chat: `steer` gives it to the next request, `queue` lets it ' +
          'wait for the end of the run. Ctrl-Q, or Ctrl-Enter in a browser, does the other.',
      ),
      bell: key(
        z.enum(['bell', 'notification']).default('bell'),
        'ignored',
        'How a chat says that it waits for you: with the bell, or with a notification of the terminal (OSC 9).',
      ),
      bell_seconds: key(
        integer(0, 86_400).default(30),
        'ignored',
        'Ring the bell when a chat waits for you again after at least this many seconds; 0 never rings it.',
      ),
    })
    .prefault({});
}
