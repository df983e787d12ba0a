import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { conversation, generated, ok, results, type Said } from '../../../support/stories/builders.ts';

/** Prompt of the user; the scenario that answers it is named `hello`. */
export const PROMPT = 'create hello.txt with a greeting';
export const TOOLS: Conversation['tools'] = ['read_file', 'write_file'].map((name) => ({ name, input: 'json' }));

const CALL = generated('hello', 0);
const BUSY: readonly Said[] = [PROMPT, [CALL]];
const CLAUDE = "You are Claude Code, Anthropic's official CLI for Claude.";

function request(system: readonly string[], messages: readonly Said[], more: Partial<Conversation> = {}) {
  return { ...conversation(...messages), system, ...more };
}

/** A request with system texts and the prompt. */
const asks = (...system: readonly string[]) => request(system, [PROMPT]);
/** A request with a user text that contains the prompt. */
const says = (text: string, ...system: readonly string[]) => request(system, [text]);

type Auxiliary = readonly [name: string, purpose: 'title' | 'summary' | 'background', Conversation];

/**
 * Each row is a purpose and a name, with the texts of the request below: `system` texts, and one of these:
 * - `user`: the only text of the user, which is the prompt by default, with or without tools
 * - `behind`: an instruction behind the whole history, with tools
 * - `amid`: an instruction beside tool results, in the middle of the work, with tools
 * Lines that are indented more continue a text.
 */
const REQUESTS_OF_AGENTS = String.raw`
title Claude Code: title of a session
  system: ${CLAUDE}
  system: Generate a concise, sentence-case title (3-7 words) that captures the main topic or goal of this coding
    session.
title Claude Code: topic of a message
  system: ${CLAUDE}
  system: Analyze if this message indicates a new conversation topic. If it does, extract a 2-3 word title.
title Claude Code: title of a conversation
  user: Please write a 5-10 word title for the following conversation:\n\nUser: ${PROMPT}
summary Claude Code: line for the list of sessions
  system: Summarize this coding conversation in under 50 characters.\nCapture the main task and current status.
title Claude Code: name of a session
  system: Generate a short kebab-case name (2-4 words) that captures the main topic of this conversation. Use words.
summary Claude Code: compaction
  behind: Your task is to create a detailed summary of the conversation so far, paying close attention to requests.
summary Claude Code: compaction of the recent part
  behind: Your task is to create a detailed summary of the RECENT portion of the conversation.
summary Claude Code: compaction amid the work
  amid: CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\n- Do NOT use Read, Bash.\n\nYour task is to create
    a detailed summary of the conversation so far.
summary Claude Code: compaction without tools
  system: You are a helpful AI assistant tasked with summarizing conversations.
background Claude Code: suggestion of the next prompt
  behind: [SUGGESTION MODE: Suggest what the user might naturally type next into Claude Code.]\n\nFIRST: Look.
background Claude Code: recap
  behind: The user stepped away and is coming back. Recap in under 40 words, 1-2 plain sentences, no markdown.
background Claude Code: memory extraction
  behind: You are now acting as the memory extraction subagent. Analyze the most recent ~4 messages above.
background Claude Code: memory consolidation
  behind: # Dream: Memory Consolidation\n\nYou are performing a dream — a reflective pass over your memory files.
background Claude Code: session notes
  behind: IMPORTANT: This message and these instructions are NOT part of the actual user conversation. Do NOT include
summary Anthropic SDK: compaction of its tool runner
  amid: You have been working on the task described above but have not yet completed it. Write a continuation summary
background a memory agent: told by its system text
  system: You are a memory extraction agent.
  user with tools: Extract memories from this conversation:\nUser: ${PROMPT}
summary Codex: compaction
  behind: You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another LLM that will
    resume it.
title Codex: title of a task
  user: You are a helpful assistant. You will be presented with a user prompt, and your job is to provide a short
    title for a task that will be created from that prompt.\nUser prompt:\n${PROMPT}
background qwen-code: memory extraction
  behind: You are now acting as the managed memory extraction agent. Analyze the most recent messages above.
summary opencode: summary
  system: Summarize what was done in this conversation. Write like a pull request description.\n\nRules:\n- 2-3
summary opencode: compaction anew, with tools
  behind: Update the anchored summary below using the conversation history above.\n<previous-summary>
summary opencode: older compaction
  behind: Provide a detailed prompt for continuing our conversation above. Focus on information that would be helpful
summary pi: compaction
  system: You are a context summarization assistant. Your task is to read a conversation between a user and an AI
    coding
  user: <conversation>\n[User]: ${PROMPT}\n</conversation>\n\nThe messages above are a conversation to summarize.
title Copilot: title
  system: You are an expert in crafting pithy titles for chatbot conversations. You are presented with a chat request
  user: Please write a brief title for the following request:\n\n${PROMPT}
title Continue: title
  user: Given the following... please reply with a title for the chat that is 3-4 words in length, all words used
    should be directly related to the content of the chat, no additional text or explanation.\n\n${PROMPT}
summary Cline: compaction
  amid: <explicit_instructions type="summarize_task">\nThe current conversation is rapidly running out of context.
    Now, your urgent task is to create a comprehensive detailed summary of the conversation so far.
summary Cline: compaction without its tag
  amid: The current conversation is rapidly running out of context. Now, your urgent task is to create a comprehensive
    detailed summary of the conversation so far.
title Droid: title
  user: Generate a short title for this session based on the first message:\n${PROMPT}
title goose: name of a session
  system: Reply with only a description in four words or less
  user: Here are the first few user messages:\n${PROMPT}\n\nBased on the conversation so far, provide a concise
    description of this session in 4 words or less.
title Crush: title
  system: you will generate a short title based on the first message a user begins a conversation with\n\n<rules>
  user: Generate a concise title for the following content:\n\n${PROMPT}
title Aider: commit message
  system: You are an expert software engineer that generates concise, one-line Git commit messages based on the provided
    diffs.\nReview the provided context and diffs which are about to be committed to a git repo.
title gptme: name of a conversation
  user: Generate a descriptive name for this conversation.\n\nThe name should be 3-6 words: ${PROMPT}
summary Aider: summary of the history
  system: *Briefly* summarize this partial conversation about programming.\nInclude less detail about older parts.
  user: # USER\n${PROMPT}
title LibreChat: title
  user: Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the
    title itself.\n\nConversation:\nUser: ${PROMPT}
title Open WebUI: title
  user: ### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Chat
    History:\n<chat_history>\nUSER: ${PROMPT}\n</chat_history>
background Open WebUI: tags
  user: ### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history, along with
    subtopics.\n### Chat History:\n<chat_history>\nUSER: ${PROMPT}\n</chat_history>
title Vercel AI chatbot: title
  system: \n\n    - you will generate a short title based on the first message a user begins a conversation with\n   
    - short
title OpenAI Agents SDK: title
  system: Generate a title for a conversation between an airline customer support assistant and a user.
title a chat application: title agent
  system: You are a Title Generation Agent.\n\nYour task is to generate
title a chat application: titles
  system: You generate concise conversation titles.\n\nGiven the first message
title a chat application: name
  user: Based on the chat history, give this conversation a name.\n${PROMPT}
summary a person who asks for a summary
  user: Summarize our conversation so far.\n${PROMPT}
`;

function* readRequests(table: string): Generator<Auxiliary> {
  for (const [, purpose, name = '', texts = ''] of table.matchAll(
    /^(title|summary|background) (.+)\n((?: {2}.*\n)*)/gm,
  )) {
    const lines = [...texts.replaceAll(/\n {4}/g, ' ').matchAll(/^ {2}([\w ]+): (.*)/gm)];
    const said = lines.map(([, key, text = '']) => [key, text.replaceAll(String.raw`\n`, '\n')] as const);
    const system = said.filter(([key]) => key === 'system').map(([, text]) => text);
    const [key, text] = said.find(([key]) => key !== 'system') ?? ['user', PROMPT];
    yield [name, purpose as Auxiliary[1], requestOf(key, text, system)];
  }
}

function requestOf(key: string | undefined, text: string, system: readonly string[]): Conversation {
  const ofAgent = system.length === 0 ? [CLAUDE] : system;
  if (key === 'behind') return request(ofAgent, [...BUSY, ok(CALL.id), ['done'], text], { tools: TOOLS });
  if (key === 'amid') return request(ofAgent, [...BUSY, results([CALL.id], [text])], { tools: TOOLS });
  return request(system, [text], { tools: key === 'user with tools' ? TOOLS : [] });
}

/** Auxiliary requests of agents: the agent and the purpose in words, the purpose, the request. */
export const REAL_REQUESTS: readonly Auxiliary[] = [
  ...readRequests(REQUESTS_OF_AGENTS),
  [
    'Gemini CLI, qwen-code: compression',
    'summary',
    request(
      ['\nYou are the component that summarizes internal chat history into a given structure.\n\nWhen it grows'],
      [...BUSY, ok(CALL.id), 'First, reason in your scratchpad. Then, generate the <state_snapshot>.'],
    ),
  ],
  [
    'opencode, Kilo: title',
    'title',
    request(
      ['You are a title generator. You output ONLY a thread title. Nothing else.\n\n<task>\nGenerate a brief title'],
      ['Generate a title for this conversation:\n', PROMPT],
    ),
  ],
  [
    'opencode: title without its system text',
    'title',
    request([], ['Generate a title for this conversation:\n', PROMPT]),
  ],
  [
    'opencode: compaction',
    'summary',
    request(
      ['You are an anchored context summarization assistant for coding sessions.'],
      [...BUSY, ok(CALL.id), ['x'], 'Create a new anchored summary from the conversation history.'],
    ),
  ],
  [
    'Zed: title',
    'title',
    request(
      [],
      [
        PROMPT,
        ['done'],
        'Generate a concise 3-7 word title for this conversation, omitting punctuation. Go straight to it.',
      ],
    ),
  ],
  ...['claude-haiku-4-5', 'gpt-5-mini', 'gpt-5-nano', 'gemini-3.1-flash-lite'].map(
    (model) => ['a small model with a small task', 'title', { ...asks('Extract the topic of it.'), model }] as const,
  ),
];

/** Requests of people and applications that resemble auxiliary requests; each contains the prompt. */
export const ORDINARY_REQUESTS: readonly (readonly [string, Conversation])[] = [
  ['a name in a system text', asks('Your name is Bob and you keep the conversation friendly')],
  ['a customer with a name', asks('You are a clerk. Greet the customer by name at the start of the chat.')],
  ['a small model that keeps to its topic', { ...asks('Stay on topic.'), model: 'gpt-5-mini' }],
  ['a model of MiniMax with a small task', { ...asks('Find the topic.'), model: 'minimax-m3' }],
  ['a model of Gemini with a small task', { ...asks('Find the topic.'), model: 'gemini-3.1-pro-preview' }],
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
  ['a tool call for a summary', request([CLAUDE], [`Summarize the repository, then ${PROMPT}`], { tools: TOOLS })],
  [
    'a title with tools at hand',
    request([CLAUDE], [`Generate a title for this conversation: ${PROMPT}`], { tools: TOOLS }),
  ],
  [
    'an agent that has a memory',
    request(['You are an agent with a memory tool. Extract what matters.'], [PROMPT], { tools: TOOLS }),
  ],
  [
    'an agent that speaks of compaction',
    request([`${CLAUDE}\nThe conversation is compacted when it grows too long.`], [PROMPT], { tools: TOOLS }),
  ],
];
