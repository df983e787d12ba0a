import { HOOK_RULE, type PermissionDecision, type PermissionRule } from '../agent/ports/approver.ts';
import {
  askAboutServer,
  type CallKind,
  type CallLevel,
  denialReason,
  kindOf,
  levelOf,
  questionReason,
  ruleOf,
  serverReason,
} from './call-levels.ts';
import {
  allowedBeforehand,
  askAboutLimits,
  checkReadOnly,
  isUnlisted,
  secretsNote,
  UNLISTED,
  writtenNote,
  writtenScript,
} from './decide-command.ts';
import { denyPaths, findQuestion, PROTECTIONS } from './decide-paths.ts';
import { type CallToDecide, type DecisionSettings, placesOf } from './decision-input.ts';
import { describeRule } from './describe-rule.ts';
import { contextOf, offerRules, ruleAllows } from './permission-rules.ts';
import { checkCommand } from './shell/shell-policy.ts';

/** A call with the facts that several rules need. */
interface CallFacts extends CallLevel {
  readonly call: CallToDecide;
  readonly settings: DecisionSettings;
  readonly sessionRules: readonly PermissionRule[];
  readonly kind: CallKind;
  /** The name of the setting that the level comes from. */
  readonly setting: string;
  readonly command: ReturnType<typeof checkCommand> | undefined;
  readonly limits: ReturnType<typeof askAboutLimits>;
  readonly script: ReturnType<typeof writtenScript>;
}

/** A rule of `decide`. `answer` and `when` describe it for docs/check.md. */
interface DecisionRule {
  readonly name: string;
  readonly answer: PermissionDecision['type'];
  readonly when: string;
  /** The decision about a call to which no earlier rule applies; `undefined`: this one does not apply either. */
  readonly decide: (facts: CallFacts) => PermissionDecision | undefined;
}

const RULES: readonly DecisionRule[] = [
  {
    name: 'path',
    answer: 'deny',
    when: 'The call uses a path that is blocked, or one outside the allowed directories that it may not use.',
    decide: ({ call, settings }) => denyPaths(call, settings.pathRules),
  },
  {
    name: 'blocked command',
    answer: 'deny',
    when: 'A part of the command is on the list of blocked commands, or removes a protected directory.',
    decide: ({ command }) =>
      command?.type === 'blocked' ? { type: 'deny', rule: command.rule, reason: command.reason } : undefined,
  },
  {
    name: 'command while planning',
    answer: 'allow',
    when: 'In the mode `plan`, which denies commands, this one certainly only reads.',
    decide: whilePlanning,
  },
  {
    name: 'denied',
    answer: 'deny',
    when: 'The user has denied the tool, or the permission mode denies calls of this kind.',
    decide: (facts) =>
      facts.level === 'denied' ? { type: 'deny', rule: facts.setting, reason: denialReason(facts) } : undefined,
  },
  {
    name: 'plan',
    answer: 'ask',
    when: 'In the mode `plan`, the model presents its plan.',
    decide: ({ call, settings }) =>
      call.effect.plan !== undefined && settings.mode === 'plan'
        ? { type: 'ask', rule: 'plan', reason: 'Nothing is changed before you approve the plan.' }
        : undefined,
  },
  {
    name: 'unlisted command',
    answer: 'deny',
    when: '`safety.allow_unlisted_commands` is false, and the command is neither listed nor only reads.',
    decide: ({ call, settings }) => (isUnlisted(call, settings) ? UNLISTED : undefined),
  },
  {
    // In full access only the block list protects the user, so a command that hides what it runs must not pass it.
    name: 'unreadable command',
    answer: 'ask',
    when: 'The command hides what it runs, so that the list of blocked commands cannot be applied.',
    decide: ({ command }) =>
      command?.type === 'unclear' ? { type: 'ask', rule: 'unreadable command', reason: command.reason } : undefined,
  },
  {
    name: 'protected file',
    answer: 'ask',
    when: 'The call replaces a file that is write-protected or belongs to another user.',
    decide: ({ call: { effect } }) =>
      effect.protection === undefined
        ? undefined
        : { type: 'ask', rule: 'protected file', reason: PROTECTIONS[effect.protection] },
  },
  {
    name: 'path that asks',
    answer: 'ask',
    when: 'In every mode but `full-access`, the call uses a file with secrets, a guarded path, or a path outside the workspace.',
    decide: ({ call, settings }) =>
      settings.mode === 'full-access' ? undefined : findQuestion(call, settings.pathRules),
  },
  {
    name: 'server',
    answer: 'ask',
    when: 'In every mode but `full-access`, the call starts a server of the project for the first time, or its tool is not the one that you allowed.',
    decide: ({ call, settings }) => (settings.mode === 'full-access' ? undefined : askAboutServer(call.effect.mcp)),
  },
  {
    name: 'network',
    answer: 'ask',
    when: 'The command needs the network, or servers that are not granted, which the sandbox denies.',
    decide: (facts) => (facts.limits?.rule === 'network' ? beyondLimits(facts) : undefined),
  },
  {
    name: 'local sockets',
    answer: 'ask',
    when: 'The command needs sockets of this machine, which the sandbox denies.',
    decide: beyondLimits,
  },
  {
    name: 'automatic',
    answer: 'allow',
    when: 'The level of the tool, or else of the mode, is `automatic`, and the user has turned off the sandbox or it limits the command.',
    decide: ({ level, limits, setting }) =>
      level === 'automatic' && limits === undefined ? { type: 'allow', rule: setting } : undefined,
  },
  {
    name: 'read-only command',
    answer: 'allow',
    when: 'The mode would ask, the workspace is trusted, and the command certainly only reads, in the sandbox.',
    decide: (facts) => {
      const use = readOnlyUseOf(facts);
      return use?.type === 'allow' && use.inView === undefined ? use : undefined;
    },
  },
  {
    name: 'no sandbox',
    answer: 'ask',
    when: 'The level is `automatic`, but there is no sandbox and the user has not turned it off.',
    // A command that wants more than the sandbox allows has been asked about before.
    decide: ({ level, limits }) => (level === 'automatic' && limits ? { type: 'ask', ...limits } : undefined),
  },
  {
    // Without a sandbox every command asks, so no rule answers for one, and none is offered.
    name: 'every use',
    answer: 'ask',
    when: 'The level of the tool is `ask_always`, or there is no sandbox. No grant answers this question.',
    decide: (facts) => (facts.level === 'ask_always' || facts.limits !== undefined ? question(facts) : undefined),
  },
  {
    name: 'allowed command',
    answer: 'allow',
    when: '`safety.allowed_commands` lists every part of the command, which runs no file that the model has written.',
    decide: ({ call, settings, script }) => {
      const allowed = script === undefined ? allowedBeforehand(call, settings) : undefined;
      return allowed && { type: 'allow', rule: `safety.allowed_commands: ${allowed.join(' and ')}` };
    },
  },
  {
    name: 'grant of the user',
    answer: 'allow',
    when: 'The user has allowed such calls, for this session or for later ones, and the model has not changed the file that it runs since.',
    decide: ({ call, settings, sessionRules, script }) => {
      // The sandbox limits also what the model has written; any other rule is about what was there before.
      const isUsable = ({ type }: PermissionRule, index: number): boolean =>
        type === 'sandboxed_commands' || script === undefined || index >= script.rules;
      const context = contextOf(settings, sessionRules.filter(isUsable));
      const granted = context.rules.findLast((rule) => ruleAllows(rule, call, context));
      return granted && { type: 'allow', rule: describeRule(granted, settings.pathRules) };
    },
  },
  {
    name: 'view of the workspace',
    answer: 'allow',
    when: 'The workspace is trusted, and the command reads. The sandbox keeps it from more: it sees the workspace read-only, without secrets, network and your other files.',
    decide: (facts) => {
      const use = readOnlyUseOf(facts);
      return use?.type === 'allow' ? use : undefined;
    },
  },
];

/** The rule for all calls to which no other one applies. */
const QUESTION = {
  name: 'question',
  answer: 'ask',
  when: 'No other rule applies. The question offers to allow such calls for the session.',
  decide: (facts: CallFacts): PermissionDecision => ({
    ...question(facts),
    ...(facts.settings.offersRules !== false && offerRules(facts.call, contextOf(facts.settings, facts.sessionRules))),
  }),
} as const satisfies DecisionRule;

/** The rules, in their order: the first one that applies to a call decides. */
export const DECISION_RULES: readonly DecisionRule[] = [...RULES, QUESTION];

/** A decision with the name of the rule of `DECISION_RULES`, or of the hook, that made it. */
type DecisionOfRule = PermissionDecision & { readonly decidedBy: string };

/**
 * Allows, denies or asks about a planned call: the answer of the first of `DECISION_RULES` that applies, after which a
 * hook of the host may be stricter, or answer the question. Pure.
 */
export function decide(
  call: CallToDecide,
  settings: DecisionSettings,
  sessionRules: readonly PermissionRule[],
): DecisionOfRule {
  const decision = withHost(call, applyRules(call, settings, sessionRules));
  const { sandbox } = settings;
  const isLimited = sandbox !== undefined && (call.effect.command ?? call.effect.program) !== undefined;
  return decision.type === 'ask' && isLimited ? { ...decision, sandbox } : decision;
}

/** The decision after the verdict of the host's hook, which may be stricter than the rules, and may answer their question. */
function withHost({ effect: { host } }: CallToDecide, decision: DecisionOfRule): DecisionOfRule {
  if (host === undefined || decision.type === 'deny') return decision;
  const { verdict, reason } = host;
  if (decision.type === verdict) return decision;
  const byHook = { rule: HOOK_RULE, decidedBy: HOOK_RULE };
  return verdict === 'allow' ? { type: verdict, ...byHook } : { type: verdict, reason, ...byHook };
}

function applyRules(
  call: CallToDecide,
  settings: DecisionSettings,
  sessionRules: readonly PermissionRule[],
): DecisionOfRule {
  const { command, workingDirectory, links } = call.effect;
  const kind = kindOf(call);
  const level = levelOf(call.toolName, kind, settings);
  const script = writtenScript(call, settings);
  const facts: CallFacts = {
    ...level,
    call,
    settings,
    sessionRules,
    kind,
    setting: ruleOf(level.source, call.toolName, settings.mode),
    command:
      command === undefined
        ? undefined
        : checkCommand(command, settings.blockList, placesOf(settings.pathRules, workingDirectory, links)),
    limits: askAboutLimits(call, settings, sessionRules, script),
    script,
  };
  for (const rule of RULES) {
    const decision = rule.decide(facts);
    if (decision !== undefined) return { ...decision, decidedBy: rule.name };
  }
  return { ...QUESTION.decide(facts), decidedBy: QUESTION.name };
}

/** In plan mode, a command that certainly only reads runs, as it would without a question in other modes. */
function whilePlanning({ call, settings, level }: CallFacts): PermissionDecision | undefined {
  const isPlanned = settings.mode === 'plan' && level === 'denied' && settings.levels[call.toolName] !== 'denied';
  if (!isPlanned || call.effect.command === undefined) return undefined;
  const { allowList: _allowList, ...others } = settings;
  const asked = applyRules(call, { ...others, mode: 'ask', levels: {}, confirmedTools: [] }, []);
  return asked.type === 'allow' ? asked : undefined;
}

/** Checks whether a command only reads; a setting of the user for the tool takes precedence. */
function readOnlyUseOf({ source, kind, call, settings }: CallFacts): ReturnType<typeof checkReadOnly> {
  return source === 'safety.permission_mode' && kind === 'execute' ? checkReadOnly(call, settings) : undefined;
}

/** The question about a command that wants more than the sandbox allows. */
function beyondLimits({ limits, call, settings }: CallFacts): PermissionDecision | undefined {
  if (limits?.beyond !== true) return undefined;
  const { hosts } = call.effect;
  const offersMore = hosts && settings.offersRules !== false ? ([{ type: 'hosts', hosts }] as const) : undefined;
  return { type: 'ask', rule: limits.rule, reason: limits.reason, ...(offersMore && { offersMore }) };
}

function question(facts: CallFacts): Extract<PermissionDecision, { type: 'ask' }> {
  const { kind, call, settings, setting, script } = facts;
  const use = readOnlyUseOf(facts);
  const doubt = use?.type === 'unknown' ? use : undefined;
  const asked = call.effect.mcp?.server;
  const about = asked === undefined ? questionReason(kind, call.toolName, settings.sandbox) : serverReason(asked);
  const secrets = doubt?.namesSecret ? '' : secretsNote(call, settings);
  const reason = `${about}${doubt?.reason ?? ''}${secrets}${writtenNote(call, settings, script)}`;
  return { type: 'ask', rule: setting, reason };
}
