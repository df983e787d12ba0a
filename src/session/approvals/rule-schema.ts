import * as z from 'zod';
import type { PermissionRule } from '../../agent/ports/approver.ts';

const text = z.string();

/** One of the variants of a tagged union. The compiler requires all of them. */
export const variants = <Union extends { readonly type: string }>(
  schemas: {
    readonly [Type in Union['type']]: z.ZodType<
      Extract<Union, { readonly type: Type }>,
      Extract<Union, { readonly type: Type }>
    >;
  },
): z.ZodType<Union, Union> => z.union(Object.values<z.ZodType<Union, Union>>(schemas));

/** A permission rule, as the session logs and the stored approvals have it. */
export const rule = variants<PermissionRule>({
  edit_read_files: z.looseObject({ type: z.literal('edit_read_files') }),
  write_directory: z.looseObject({ type: z.literal('write_directory'), directory: text }),
  exact_command: z.looseObject({ type: z.literal('exact_command'), command: text, workingDirectory: text }),
  reads_of_tool: z.looseObject({ type: z.literal('reads_of_tool'), toolName: text }),
  file_operations: z.looseObject({ type: z.literal('file_operations'), directory: text }),
});
