import { EDIT_FILE } from './files/edit-file.ts';
import { READ_FILE } from './files/read-file.ts';
import { WRITE_FILE } from './files/write-file.ts';
import { LIST_FILES } from './search/list-files.ts';
import { SEARCH_FILES } from './search/search-files.ts';
import { RUN_SHELL } from './shell/run-shell.ts';
import { UPDATE_TASKS } from './update-tasks.ts';

/**
 * The definitions of our tools, in the order in which they are described to the model. The build replaces this module by
 * its values, so that a session loads no tool and no schema before the first call.
 */
export const TOOL_DEFINITIONS = {
  read_file: READ_FILE.definition,
  write_file: WRITE_FILE.definition,
  edit_file: EDIT_FILE.definition,
  run_shell: RUN_SHELL.definition,
  list_files: LIST_FILES.definition,
  search_files: SEARCH_FILES.definition,
  update_tasks: UPDATE_TASKS.definition,
};
