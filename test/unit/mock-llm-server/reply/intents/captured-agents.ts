import type { OfferedTool } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { type AgentFixture, offers } from './agents.ts';

const CLINE = offers(`
  read_files files!:objects
  search_codebase queries!:strings
  run_commands commands!:strings
  fetch_web_content requests!:objects
  editor path! old_text:either=string|null new_text! insert_line:either=integer|null
  ask_question question! options!:strings
  spawn_agent systemPrompt! task!
  team_spawn_teammate agentId! rolePrompt!
  team_shutdown_teammate agentId! reason
  team_status
  team_task action!:enum=create|list|claim|complete|block title description dependsOn:strings assignee status:enum=pending|in_progress|blocked|completed taskId summary reason
  team_run_task agentId! task! taskId runMode:enum=sync|async continueConversation:boolean
  team_cancel_run runId! reason
  team_list_runs status:enum=queued|running|completed|failed|cancelled|interrupted agentId includeCompleted:boolean
  team_await_runs runId
  team_send_message toAgentId! subject! body! taskId
  team_broadcast subject! body! taskId
  team_read_mailbox unreadOnly:boolean
  team_mission_log kind!:enum=progress|handoff|blocked|decision|done|error summary! taskId evidence:strings nextAction
  team_cleanup
  team_create_outcome title! requiredSections!:strings
  team_attach_outcome_fragment outcomeId! section! sourceRunId content!
  team_review_outcome_fragment fragmentId! approved!:boolean
  team_finalize_outcome outcomeId!
  team_list_outcomes
`);

const CONTINUE = offers(`
  Read filepath!
  Write filepath! content!
  List dirpath!
  Bash command! timeout:number
  Fetch url!
  Checklist checklist!
  CheckBackgroundJob job_id!
  AskQuestion question! options!:strings defaultAnswer
  Edit file_path! old_string! new_string! replace_all:boolean
  Exit
  Skills skill_name!
`);

/** The tools of an agent, which with some models offers another one in the place of the tool with this name. */
function variantOf(tools: readonly OfferedTool[], name: string, other: string): readonly OfferedTool[] {
  return tools.flatMap((tool) => (tool.name === name ? offers(other) : [tool]));
}

/** Tools of real agents as captured from their requests, without most descriptions, and their statements of a directory. */
export const CAPTURED_AGENTS = {
  'Claude Code 2.1.329': {
    system: ' - Primary working directory: /w/p',
    tools: offers(`
      Agent description! prompt! subagent_type model:enum=sonnet|opus|haiku|fable effort:enum=low|medium|high|xhigh|max run_in_background:boolean isolation:enum=worktree|remote
      Bash command! timeout:number description run_in_background:boolean dangerouslyDisableSandbox:boolean
      Edit file_path! old_string! new_string! replace_all:boolean
      ListAgents channel q cursor
      Read file_path! offset:integer limit:integer pages allow_large:boolean
      ReportFindings level:enum=low|medium|high|xhigh|max findings!:objects
      ScheduleWakeup delaySeconds:number reason prompt stop:boolean noop:boolean
      Skill skill! args
      ToolSearch query! max_results!:number
      Workflow script name description title args:free scriptPath resumeFromRunId
      DeferredToolPlaceholder
      Write file_path! content!
    `),
  },
  'Codex 0.169.0': {
    system: '  <cwd>/w/p</cwd>',
    tools: offers(`
      exec_command cmd! justification login:boolean max_output_tokens:number prefix_rule:strings sandbox_permissions:enum=use_default|require_escalated shell tty:boolean workdir yield_time_ms:number
      write_stdin chars max_output_tokens:number session_id!:number yield_time_ms:number
      request_user_input questions!:objects
      view_image path!
      multi_agent_v1.close_agent target!
      multi_agent_v1.resume_agent id!
      multi_agent_v1.send_input interrupt:boolean items:objects message target!
      multi_agent_v1.spawn_agent fork_context:boolean items:objects message model reasoning_effort
      multi_agent_v1.wait_agent targets!:strings timeout_ms:number
      get_goal
      create_goal objective! token_budget:integer
      update_goal status!:enum=complete|blocked|paused
    `),
  },
  'Codex 0.169.0, gpt-5.5': {
    system: '  <cwd>/w/p</cwd>',
    tools: offers(`
      exec_command cmd! justification login:boolean max_output_tokens:number prefix_rule:strings sandbox_permissions:enum=use_default|require_escalated shell tty:boolean workdir yield_time_ms:number
      write_stdin chars max_output_tokens:number session_id!:number yield_time_ms:number
      request_user_input questions!:objects
      apply_patch (text)
      view_image path!
      get_goal
      create_goal objective! token_budget:integer
      update_goal status!:enum=complete|blocked|paused
    `),
  },
  'Codex 0.169.0, gpt-6-sol': {
    system: '  <cwd>/w/p</cwd>',
    tools: offers(`
      functions.exec (text)
      functions.wait cell_id! max_tokens:number terminate:boolean yield_time_ms:number
      functions.request_user_input questions!:objects
      functions.request_user_input_async questions!:objects
      clock.sleep duration_ms!:number
      collaboration.followup_task message! target!
      collaboration.interrupt_agent target!
      collaboration.list_agents path_prefix
      collaboration.send_message message! target!
      collaboration.spawn_agent fork_turns message! model reasoning_effort task_name!
      collaboration.wait_agent timeout_ms:number
    `),
  },
  'Gemini CLI 0.61.0': {
    system: '- **Workspace Directories:**\n  - /w/p',
    tools: offers(`
      update_topic title summary strategic_intent! wait_for_previous:boolean
      list_directory dir_path! ignore:strings file_filtering_options:object
      read_file file_path! start_line:integer end_line:integer
      grep_search pattern! dir_path include_pattern exclude_pattern names_only:boolean max_matches_per_file:integer total_max_matches:integer
      glob pattern! dir_path case_sensitive:boolean respect_git_ignore:boolean respect_gemini_ignore:boolean
      replace file_path! instruction! old_string! new_string! allow_multiple:boolean
      write_file file_path! content! — Writes the complete content to a file, automatically creating missing parent directories. Overwrites existing files. The user has the ability to modify 'content' before it is saved. Best for new or small files; use 'replace' for targeted edits to large files to minimize token usage and simplify reviews.
      web_fetch prompt!
      run_shell_command command! description dir_path is_background:boolean delay_ms:integer
      list_background_processes wait_for_previous:boolean
      read_background_output pid!:integer lines:integer delay_ms:integer wait_for_previous:boolean
      google_web_search query!
      enter_plan_mode reason
      invoke_agent agent_name! prompt! wait_for_previous:boolean
      activate_skill name!:enum=skill-creator|antigravity-support
    `),
  },
  'pi 0.87.1': {
    system: '<cwd>\n/w/p\n</cwd>',
    tools: offers(`
      read path! offset:number limit:number
      bash command! timeout:number
      edit path! edits!:objects
      write path! content! — Write content to a file. Creates the file if it doesn't exist, overwrites if it does. Automatically creates parent directories.
    `),
  },
  'opencode 1.18.33': {
    system: '  Working directory: /w/p',
    tools: offers(`
      bash command! timeout:integer workdir —    - If the command will create new directories or files, first use \`ls\` to verify the parent directory exists and is the correct location
      edit filePath! oldString! newString! replaceAll:boolean
      glob pattern! path
      grep pattern! path include
      read filePath! offset:integer limit:integer
      skill name!
      task description! prompt! subagent_type! task_id command
      todowrite todos!:objects
      webfetch url! format:enum=text|markdown|html timeout:number
      write content! filePath!
    `),
  },
  'opencode 1.18.33, gpt-5': {
    system: '  Working directory: /w/p',
    tools: offers(`
      apply_patch patchText!
      bash command! timeout:integer workdir —    - If the command will create new directories or files, first use \`ls\` to verify the parent directory exists and is the correct location
      glob pattern! path
      grep pattern! path include
      read filePath! offset:integer limit:integer
      skill name!
      task description! prompt! subagent_type! task_id command
      todowrite todos!:objects
      webfetch url! format:enum=text|markdown|html timeout:number
    `),
  },
  'Qwen Code 0.24.4': {
    system: "I'm currently working in the directory: /w/p",
    tools: offers(`
      agent description! prompt! subagent_type fork_turns:free fork_tools:strings fork_profile run_in_background:boolean isolation:enum=worktree working_dir
      edit file_path! old_string! new_string! replace_all:boolean
      get_goal
      glob pattern! path
      grep_search pattern! glob path limit:integer
      list_agents
      notebook_edit notebook_path! cell_id new_source cell_type:enum=code|markdown edit_mode:enum=replace|insert|delete
      read_file file_path! offset:types=integer|null limit:types=integer|null pages:types=string|null
      run_shell_command command! is_background:boolean timeout:integer description directory
      skill skill! args
      tool_call name! arguments!:object
      tool_search query! max_results:integer
      update_goal status!:enum=complete|blocked reason! blockerKind:enum=authority|external|repeated|infeasible
      write_file file_path! content! record_as_artifact:boolean
    `),
  },
  'Copilot CLI 1.0.102': {
    system: '* Current working directory: /w/p',
    tools: offers(`
      bash command! description! shellId mode:enum=sync|async detach:boolean initial_wait:number
      read_bash shellId! delay!:number
      stop_bash shellId!
      list_bash
      view path! view_range:array forceReadLargeFiles:boolean
      create path! file_text! — Parent directories must exist before creating the file
      edit path! old_str new_str
      fetch_copilot_cli_documentation
      skill skill!
      sql description! query!
      session_store_sql description! query! source:enum=cloud|local
      read_agent agent_id! wait:boolean timeout:number since_turn:integer
      list_agents include_completed:boolean scope:enum=siblings|children|all
      write_agent agent_id agent_ids:strings scope:enum=siblings|children message!
      grep pattern! paths:either=string|array output_mode:enum=content|files_with_matches|count glob type -i:boolean -A:number -B:number -C:number -n:boolean head_limit:number multiline:boolean
      glob pattern! paths:either=string|array
      task description! prompt! agent_type!:enum=explore|task|general-purpose|code-review|research|security-review name! model reasoning_effort context_tier:enum=default|long_context mode:enum=sync|background
    `),
  },
  'Continue 1.5.47': { system: 'Working directory: /w/p', tools: CONTINUE },
  'Continue 1.5.47, claude': {
    system: 'Working directory: /w/p',
    tools: variantOf(CONTINUE, 'Edit', 'MultiEdit file_path! edits!:objects'),
  },
  'Cline 3.0.65': { system: '4. Working Directory: /w/p', tools: CLINE },
  'Cline 3.0.65, openai-native': {
    system: '4. Working Directory: /w/p',
    tools: variantOf(CLINE, 'editor', 'apply_patch input!'),
  },
  'Droid 0.215.0': {
    system: '% pwd\n/w/p',
    tools: offers(`
      Read file_path! offset:number limit:number image_quality:enum=default|high
      LS directory_path ignorePatterns:strings
      Execute summary! command! timeout:number riskLevelReason! riskLevel!:enum=low|medium|high fireAndForget:boolean
      Edit file_path! old_str! new_str! change_all:boolean
      Grep pattern! path glob_pattern output_mode:enum=file_paths|content case_insensitive:boolean type context_before:number context_after:number context:number line_numbers:boolean head_limit:number multiline:boolean fixed_string:boolean
      Glob patterns!:either=string|array excludePatterns:either=string|array folder
      Create file_path! content!
      TaskOutput task_id! block:boolean timeout:number
      TaskStop task_id!
      ToolSearch query! max_results:integer
      Skill skill!
      GenerateImage prompt! input_image_paths:strings
      Task subagent_type! description! prompt! image_paths:strings complexity:enum=light|medium|heavy await:boolean resume
    `),
  },
  'Kilo 7.7.7': {
    system: 'Working directory: /w/p',
    tools: offers(`
      background_process action!:enum=start|list|status|logs|stop|restart command id workdir description ready:object inherit:boolean persistent:boolean
      bash command! timeout:integer workdir description —    - If the command will create new directories or files, first use \`ls\` to verify the parent directory exists and is the correct location
      board_post to! type!:enum=INFO|ASK|RESULT|HOLD|VETO body! reply_to:either=string|null
      board_read since:either=string|null limit:either=integer|null
      cancel_wakeup action!:enum=list|cancel id
      edit filePath! oldString! newString! replaceAll:boolean
      glob pattern! path
      grep pattern! path include context:integer limit:integer literal:boolean ignoreCase:boolean
      kilo_local_recall mode!:enum=search|read query sessionID limit:number
      read filePath! offset:integer limit:integer
      schedule_wakeup prompt! delay when reason
      skill name!
      task description! prompt! subagent_type! task_id command background:boolean
      todowrite todos!:objects
      webfetch url! format:enum=text|markdown|html timeout:number
      write content! filePath!
    `),
  },
} as const satisfies Record<string, AgentFixture>;

export type CapturedAgent = keyof typeof CAPTURED_AGENTS;
