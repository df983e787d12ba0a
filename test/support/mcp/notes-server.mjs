// A small server on the official library: notes in memory. `serveStdio` answers every revision.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const notes = [];

serveStdio(() => {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  const text = (value) => ({ content: [{ type: 'text', text: value }] });
  server.registerTool(
    'add_note',
    { description: process.env.NOTES_DESCRIPTION ?? 'Add a note.', inputSchema: z.object({ text: z.string() }) },
    ({ text: note }) => {
      notes.push(note);
      return text(`There are ${notes.length} notes.`);
    },
  );
  server.registerTool(
    'list_notes',
    { description: 'List the notes.', inputSchema: z.object({}), annotations: { readOnlyHint: true } },
    () => text(notes.join('\n') || 'There are no notes.'),
  );
  return server;
});
