import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { assistant, conversation, generated, results, type TestMessage, user } from '../builders.ts';

/** Prompt of the user; the scenario that answers it is named `hello`. */
export const PROMPT = 'create hello.txt with a greeting';
export const TOOLS: Conversation['tools'] = ['read_file', 'write_file'].map((name) => ({ name, input: 'json' }));

const CALL = generated('hello', 0);
const BUSY = [user(PROMPT), assistant(CALL)];
const CLAUDE = "You are Claude Code, Anthropic's official CLI for Claude.";

function request(system: readonly string[], messages: readonly TestMessage[], more: Partial<Conversation> = {}) {
  return { ...conversation(...messages), system, ...more };
}

/** A request with system texts and the prompt. */
const asks = (...system: readonly string[]) => request(system, [user(PROMPT)]);
/** A request with a user text that contains the prompt. */
const says = (text: string, ...system: readonly string[]) => request(system, [user(text)]);
/** A request with the whole history and an instruction behind it, with the tools of the agent. */
const behind = (instruction: string, system = CLAUDE) =>
  request([system], [...BUSY, results([CALL.id]), assistant('done'), user(instruction)], { tools: TOOLS });
/** A request with an instruction beside tool results, in the middle of the work. */
const amid = (instruction: string) => request([CLAUDE], [...BUSY, results([CALL.id], [instruction])], { tools: TOOLS });

/** Auxiliary requests of agents: the agent and the purpose in words, the purpose, the request. */
export const REAL_REQUESTS: readonly (readonly [string, 'title' | 'summary' | 'background', Conversation])[] = [
  [
    'Claude Code: title of a session',
    'title',
    asks(
      CLAUDE,
      'Generate a concise, sentence-case title (3-7 words) that captures the main topic or goal of this coding session.',
    ),
  ],
  [
    'Claude Code: topic of a message',
    'title',
    asks(CLAUDE, 'Analyze if this message indicates a new conversation topic. If it does, extract a 2-3 word title.'),
  ],
  [
    'Claude Code: title of a conversation',
    'title',
    says(`Please write a 5-10 word title for the following conversation:\n\nUser: ${PROMPT}`),
  ],
  [
    'Claude Code: line for the list of sessions',
    'summary',
    asks('Summarize this coding conversation in under 50 characters.\nCapture the main task and current status.'),
  ],
  [
    'Claude Code: name of a session',
    'title',
    asks('Generate a short kebab-case name (2-4 words) that captures the main topic of this conversation. Use words.'),
  ],
  [
    'Claude Code: compaction',
    'summary',
    behind('Your task is to create a detailed summary of the conversation so far, paying close attention to requests.'),
  ],
  [
    'Claude Code: compaction of the recent part',
    'summary',
    behind('Your task is to create a detailed summary of the RECENT portion of the conversation.'),
  ],
  [
    'Claude Code: compaction amid the work',
    'summary',
    amid(
      'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\n- Do NOT use Read, Bash.\n\nYour task is to create a ' +
        'detailed summary of the conversation so far.',
    ),
  ],
  [
    'Claude Code: compaction without tools',
    'summary',
    asks('You are a helpful AI assistant tasked with summarizing conversations.'),
  ],
  [
    'Claude Code: suggestion of the next prompt',
    'background',
    behind('[SUGGESTION MODE: Suggest what the user might naturally type next into Claude Code.]\n\nFIRST: Look.'),
  ],
  [
    'Claude Code: recap',
    'background',
    behind('The user stepped away and is coming back. Recap in under 40 words, 1-2 plain sentences, no markdown.'),
  ],
  [
    'Claude Code: memory extraction',
    'background',
    behind('You are now acting as the memory extraction subagent. Analyze the most recent ~4 messages above.'),
  ],
  [
    'Claude Code: memory consolidation',
    'background',
    behind('# Dream: Memory Consolidation\n\nYou are performing a dream — a reflective pass over your memory files.'),
  ],
  [
    'Claude Code: session notes',
    'background',
    behind(
      'IMPORTANT: This message and these instructions are NOT part of the actual user conversation. Do NOT include',
    ),
  ],
  [
    'Anthropic SDK: compaction of its tool runner',
    'summary',
    amid(
      'You have been working on the task described above but have not yet completed it. Write a continuation summary',
    ),
  ],
  [
    'a memory agent: told by its system text',
    'background',
    request(
      ['You are a memory extraction agent.'],
      [user(`Extract memories from this conversation:\nUser: ${PROMPT}`)],
      { tools: TOOLS },
    ),
  ],
  [
    'Codex: compaction',
    'summary',
    behind(
      'You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another LLM that will resume it.',
    ),
  ],
  [
    'Codex: title of a task',
    'title',
    says(
      'You are a helpful assistant. You will be presented with a user prompt, and your job is to provide a short title ' +
        `for a task that will be created from that prompt.\nUser prompt:\n${PROMPT}`,
    ),
  ],
  [
    'Gemini CLI, qwen-code: compression',
    'summary',
    request(
      ['\nYou are the component that summarizes internal chat history into a given structure.\n\nWhen it grows'],
      [...BUSY, results([CALL.id]), user('First, reason in your scratchpad. Then, generate the <state_snapshot>.')],
    ),
  ],
  [
    'qwen-code: memory extraction',
    'background',
    behind('You are now acting as the managed memory extraction agent. Analyze the most recent messages above.'),
  ],
  [
    'opencode, Kilo: title',
    'title',
    request(
      ['You are a title generator. You output ONLY a thread title. Nothing else.\n\n<task>\nGenerate a brief title'],
      [user('Generate a title for this conversation:\n'), user(PROMPT)],
    ),
  ],
  [
    'opencode: title without its system text',
    'title',
    request([], [user('Generate a title for this conversation:\n'), user(PROMPT)]),
  ],
  [
    'opencode: summary',
    'summary',
    asks('Summarize what was done in this conversation. Write like a pull request description.\n\nRules:\n- 2-3'),
  ],
  [
    'opencode: compaction',
    'summary',
    request(
      ['You are an anchored context summarization assistant for coding sessions.'],
      [
        ...BUSY,
        results([CALL.id]),
        assistant('x'),
        user('Create a new anchored summary from the conversation history.'),
      ],
    ),
  ],
  [
    'opencode: compaction anew, with tools',
    'summary',
    behind('Update the anchored summary below using the conversation history above.\n<previous-summary>'),
  ],
  [
    'opencode: older compaction',
    'summary',
    behind(
      'Provide a detailed prompt for continuing our conversation above. Focus on information that would be helpful',
    ),
  ],
  [
    'pi: compaction',
    'summary',
    says(
      `<conversation>\n[User]: ${PROMPT}\n</conversation>\n\nThe messages above are a conversation to summarize.`,
      'You are a context summarization assistant. Your task is to read a conversation between a user and an AI coding',
    ),
  ],
  [
    'Copilot: title',
    'title',
    says(
      `Please write a brief title for the following request:\n\n${PROMPT}`,
      'You are an expert in crafting pithy titles for chatbot conversations. You are presented with a chat request',
    ),
  ],
  [
    'Continue: title',
    'title',
    says(
      'Given the following... please reply with a title for the chat that is 3-4 words in length, all words used should ' +
        `be directly related to the content of the chat, no additional text or explanation.\n\n${PROMPT}`,
    ),
  ],
  [
    'Cline: compaction',
    'summary',
    amid(
      '<explicit_instructions type="summarize_task">\nThe current conversation is rapidly running out of context. Now, ' +
        'your urgent task is to create a comprehensive detailed summary of the conversation so far.',
    ),
  ],
  [
    'Cline: compaction without its tag',
    'summary',
    amid(
      'The current conversation is rapidly running out of context. Now, your urgent task is to create a comprehensive ' +
        'detailed summary of the conversation so far.',
    ),
  ],
  ['Droid: title', 'title', says(`Generate a short title for this session based on the first message:\n${PROMPT}`)],
  [
    'goose: name of a session',
    'title',
    says(
      `Here are the first few user messages:\n${PROMPT}\n\nBased on the conversation so far, provide a concise ` +
        'description of this session in 4 words or less.',
      'Reply with only a description in four words or less',
    ),
  ],
  [
    'Crush: title',
    'title',
    says(
      `Generate a concise title for the following content:\n\n${PROMPT}`,
      'you will generate a short title based on the first message a user begins a conversation with\n\n<rules>',
    ),
  ],
  [
    'Aider: summary of the history',
    'summary',
    says(
      `# USER\n${PROMPT}`,
      '*Briefly* summarize this partial conversation about programming.\nInclude less detail about older parts.',
    ),
  ],
  [
    'Zed: title',
    'title',
    request(
      [],
      [
        user(PROMPT),
        assistant('done'),
        user('Generate a concise 3-7 word title for this conversation, omitting punctuation. Go straight to it.'),
      ],
    ),
  ],
  [
    'LibreChat: title',
    'title',
    says(
      'Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the ' +
        `title itself.\n\nConversation:\nUser: ${PROMPT}`,
    ),
  ],
  [
    'Open WebUI: title',
    'title',
    says(
      '### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Chat History:\n' +
        `<chat_history>\nUSER: ${PROMPT}\n</chat_history>`,
    ),
  ],
  [
    'Open WebUI: tags',
    'background',
    says(
      '### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history, along with subtopics.\n' +
        `### Chat History:\n<chat_history>\nUSER: ${PROMPT}\n</chat_history>`,
    ),
  ],
  [
    'Vercel AI chatbot: title',
    'title',
    asks(
      '\n\n    - you will generate a short title based on the first message a user begins a conversation with\n    - short',
    ),
  ],
  [
    'OpenAI Agents SDK: title',
    'title',
    asks('Generate a title for a conversation between an airline customer support assistant and a user.'),
  ],
  ['a chat application: title agent', 'title', asks('You are a Title Generation Agent.\n\nYour task is to generate')],
  ['a chat application: titles', 'title', asks('You generate concise conversation titles.\n\nGiven the first message')],
  ['a chat application: name', 'title', says(`Based on the chat history, give this conversation a name.\n${PROMPT}`)],
  [
    'a small model with a small task',
    'title',
    { ...asks('Extract the topic of the message.'), model: 'claude-haiku-4-5' },
  ],
  ['a person who asks for a summary', 'summary', says(`Summarize our conversation so far.\n${PROMPT}`)],
];

/** Requests of people and applications that resemble auxiliary requests; each contains the prompt. */
export const ORDINARY_REQUESTS: readonly (readonly [string, Conversation])[] = [
  ['a name in a system text', asks('Your name is Bob and you keep the conversation friendly')],
  ['a customer with a name', asks('You are a clerk. Greet the customer by name at the start of the chat.')],
  ['a small model that keeps to its topic', { ...asks('Stay on topic.'), model: 'gpt-5-mini' }],
  ['a small model that names itself', { ...asks('You code. Find the topic in the text.'), model: 'gpt-5-mini' }],
  ['summaries when somebody asks', asks('You summarize each conversation topic when asked.')],
  ['a summary when it is over', asks('Create a summary of the conversation at the end, not before.')],
  ['a title if need be', asks('Write a title for this chat if the user wants one.')],
  ['an instruction behind others', asks('You are a coding assistant in a chat.\nBe kind. Use tools. Think first.')],
  ['titles of other things', asks('You are a librarian. You give titles of books, names of authors and summaries.')],
  ['a writer of blog posts', asks('Generate a title for each blog post that the user pastes into the chat.')],
  ['a question for the title', says(`${PROMPT} and what is the title of this conversation?`)],
  ['a question first', says(`What is the title of this conversation? Then ${PROMPT}`)],
  ['a title for something else', says(`Write a title for my essay about the history of chat, then ${PROMPT}`)],
  ['a title that is somewhere', says(`Write a story in which a thread title appears in every chat, and ${PROMPT}`)],
  ['a chat application', says(`Suggest a title for the chat app that I build, and ${PROMPT}`)],
  ['a session of another kind', says(`Generate a title for the yoga session tomorrow and ${PROMPT}`)],
  ['a summary of something else', says(`Summarize this article about conversation design and ${PROMPT}`)],
  ['a summary, done already', says(`I like the summary of the conversation. Now ${PROMPT}`)],
  ['words about an instruction', says(`The text says "create a summary of the conversation". Please ${PROMPT}`)],
  ['a topic', says(`New topic: ${PROMPT}`)],
  ['memories', says(`Extract the memories of my grandmother from this book and ${PROMPT}`)],
  ['a file for a title', says(`${PROMPT}, with a title, a name and a summary of our session in it`)],
  [
    'a tool call for a summary',
    request([CLAUDE], [user(`Summarize the repository, then ${PROMPT}`)], { tools: TOOLS }),
  ],
  [
    'a title with tools at hand',
    request([CLAUDE], [user(`Generate a title for this conversation: ${PROMPT}`)], { tools: TOOLS }),
  ],
  [
    'an agent that has a memory',
    request(['You are an agent with a memory tool. Extract what matters.'], [user(PROMPT)], { tools: TOOLS }),
  ],
  [
    'an agent that speaks of compaction',
    request([`${CLAUDE}\nThe conversation is compacted when it grows too long.`], [user(PROMPT)], { tools: TOOLS }),
  ],
];
