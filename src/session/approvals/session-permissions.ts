import path from 'node:path';
import { FileSystemError } from '../../agent/errors.ts';
import type { PermissionLevel, PermissionMode, PermissionRule } from '../../agent/ports/approver.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { SessionState } from '../../agent/session-state.ts';
import type { UserActions } from '../audit/user-actions.ts';
import type { KeptFor } from '../log/unions.ts';
import { type RunObserver, writtenPaths } from '../observe-events.ts';
import { ApprovalStore, type ApprovalStoreOptions } from './approval-store.ts';

type NoteAction = UserActions['note'];

/** Makes settings as strict as the policy of an administrator. */
type LimitSettings = <Settings extends Pick<SessionPermissions, 'mode' | 'levels'>>(settings: Settings) => Settings;

/**
 * The files of the rules that hold in later sessions, because an answer said so. `automatic`: those of all other rules;
 * absent if only such answers are kept.
 */
interface ApprovalStores extends Readonly<Record<KeptFor, ApprovalStore>> {
  readonly automatic?: ApprovalStore;
}

/** The permissions of one session: its mode, the levels of tools that the user sets, and the rules of the answers. */
export class SessionPermissions {
  readonly #session: { state: SessionState };
  readonly #stores: ApprovalStores | undefined;
  /** The rules that hold in later sessions, as JSON. */
  readonly #kept = new Map<string, KeptFor>();
  readonly #note: NoteAction;
  readonly #limit: LimitSettings;
  #levels: Readonly<Partial<Record<string, PermissionLevel>>> = {};
  #mode: PermissionMode;
  /** The mode until the end of the run, after a plan was approved. */
  #runMode: PermissionMode | undefined;
  /** The mode that the user has chosen with the approval of a plan. */
  #chosenMode: PermissionMode | undefined;
  #offersPlan: boolean;
  /** The last mode that an event has reported. */
  #toldMode: PermissionMode;

  /**
   * `note` gets each change of the user, and `limit` makes the settings as strict as an administrator wants them. With
   * `stores`, rules are kept for the next sessions: all of them, or those with which an answer says so.
   */
  constructor(
    session: { state: SessionState },
    mode: PermissionMode,
    { note, limit = (settings) => settings }: { readonly note: NoteAction; readonly limit?: LimitSettings },
    stores?: ApprovalStores,
  ) {
    this.#note = note;
    this.#limit = limit;
    this.#session = session;
    this.#mode = mode;
    this.#toldMode = this.mode;
    this.#offersPlan = mode === 'plan';
    this.#stores = stores;
  }

  /** The mode in which the next call is decided. */
  get mode(): PermissionMode {
    return this.#limit({ mode: this.#runMode ?? this.#mode, levels: {} }).mode;
  }

  /** True once the session has been in plan mode. */
  get offersPlan(): boolean {
    return this.#offersPlan;
  }

  /**
   * Decides the next calls in another mode, even during a run, and returns it: that of an administrator, if it is
   * stricter. An event after the next one of a run reports it.
   */
  setMode(mode: PermissionMode): PermissionMode {
    this.#mode = mode;
    this.#runMode = undefined;
    this.#offersPlan ||= mode === 'plan';
    return this.mode;
  }

  /** Leaves the plan mode until the end of the run, because the user has approved a plan, and returns the mode. */
  leavePlanMode(): PermissionMode {
    this.#runMode = this.#chosenMode ?? 'ask';
    return this.mode;
  }

  /** Ends rules of this session, but not those that are kept for the next ones. Returns their number. */
  dropRules(isDropped: (rule: PermissionRule) => boolean): number {
    const before = this.rules;
    this.#setRules(before.filter((rule) => !isDropped(rule)));
    return before.length - this.rules.length;
  }

  /** See `keptApprovals`. */
  get keeps(): boolean | undefined {
    return this.#stores && this.#stores.automatic !== undefined;
  }

  /** The sessions besides this one in which a rule holds. */
  keptFor(rule: PermissionRule): KeptFor | undefined {
    return this.#kept.get(JSON.stringify(rule));
  }

  /** The levels that replace those of the configuration, by tool. */
  get levels(): Readonly<Partial<Record<string, PermissionLevel>>> {
    return this.#levels;
  }

  get rules(): readonly PermissionRule[] {
    return this.#session.state.rules;
  }

  applyTo<Settings extends Pick<SessionPermissions, 'mode' | 'levels'>>(settings: Settings): Settings {
    return this.#limit({ ...settings, mode: this.mode, levels: { ...settings.levels, ...this.#levels } });
  }

  /** Gives a tool another level until the end of the session. Throws `NotSavedError`. */
  async setLevel(toolName: string, level: PermissionLevel): Promise<void> {
    await this.#note({ action: '/permissions', detail: `${toolName} ${level}` });
    this.#levels = { ...this.#levels, [toolName]: level };
  }

  /** Removes the levels that the session has for these tools, so that those of the configuration apply. */
  dropLevels(tools: readonly string[]): void {
    this.#levels = Object.fromEntries(Object.entries(this.#levels).filter(([tool]) => !tools.includes(tool)));
  }

  /** Adds the rules that earlier sessions have kept. Throws `FileSystemError`. */
  async restore(): Promise<void> {
    for (const [keptFor, store] of this.#eachStore()) {
      const rules = await store.load();
      for (const rule of rules) this.#kept.set(JSON.stringify(rule), keptFor);
      this.#setRules([...this.rules, ...rules]);
    }
  }

  /**
   * Removes these rules, also those that are kept. `described` names them for the audit. Throws `FileSystemError` and
   * `NotSavedError`.
   */
  async forget(rules: readonly PermissionRule[], described: string): Promise<void> {
    await this.#note({ action: '/approvals', detail: `clear ${described}` });
    this.#setRules(this.rules.filter((rule) => !rules.includes(rule)));
    for (const [, store] of this.#eachStore()) await store.remove(rules);
  }

  /**
   * Keeps the rules that the answers of a run add, and reports changes of the mode. Before the model writes a file, the
   * kept rules about commands that run it are removed, so that they do not hold in a session that knows nothing of the
   * write.
   */
  observe(): RunObserver {
    this.#runMode = undefined;
    this.#chosenMode = undefined;
    const warnings: AgentEvent[] = [];
    const warn = (message: string) => (error: unknown) => {
      if (!(error instanceof FileSystemError)) throw error;
      warnings.push({ type: 'warning', code: 'approval_not_kept', message: `${message}: ${error.message}.` });
    };
    const planned = new Map<string, readonly string[]>();
    const startWrite = async (callId: string): Promise<void> => {
      const files = planned.get(callId) ?? [];
      if (files.length === 0) return;
      const message = 'The approvals of commands that run a file of this run are still kept for later sessions';
      for (const [keptFor, store] of this.#eachStore()) {
        if (keptFor === 'directory') await store.removeThoseThatRun(files).catch(warn(message));
      }
    };
    return {
      before: async (event) => {
        if (event.type === 'tool_call') {
          planned.set(event.call.id, writtenPaths(event.effect));
          if (event.permission?.type === 'allow') await startWrite(event.call.id);
          const plan = event.permission?.type === 'ask' ? event.effect?.plan : undefined;
          if (plan !== undefined) return [{ type: 'plan', callId: event.call.id, text: plan }];
        }
        if (event.type === 'approval_decision') {
          if (event.decision.type === 'once') this.#chosenMode = event.decision.mode;
          if (event.decision.type === 'once' || event.decision.type === 'session') await startWrite(event.callId);
          if (event.added !== undefined) {
            const keep = event.decision.type === 'session' ? event.decision.keep : undefined;
            await this.#keep(event.added, keep).catch(warn('The approval was not kept for later sessions'));
          }
        }
        return event.type === 'run_end' ? undefined : this.#changedMode();
      },
      end: async () => {
        const automatic = this.#runMode !== undefined;
        this.#runMode = undefined;
        return [...warnings, ...this.#changedMode(automatic)];
      },
    };
  }

  /** The event of a mode that no event has reported. */
  #changedMode(automatic = false): readonly AgentEvent[] {
    const { mode } = this;
    if (mode === this.#toldMode) return [];
    this.#toldMode = mode;
    return [{ type: 'permission_mode', mode, ...(automatic && { automatic }) }];
  }

  #eachStore(): readonly (readonly [KeptFor, ApprovalStore])[] {
    if (this.#stores === undefined) return [];
    const { automatic, directory, everywhere } = this.#stores;
    return [
      ...(automatic === undefined ? [] : [['directory', automatic] as const]),
      ['directory', directory],
      ['everywhere', everywhere],
    ];
  }

  /** Keeps a rule where the answer says so, or else in this directory if the user keeps all. */
  async #keep(rule: PermissionRule, keep: KeptFor | undefined): Promise<void> {
    const store = this.#stores?.[keep ?? 'automatic'];
    if ((await store?.add(rule)) === true) this.#kept.set(JSON.stringify(rule), keep ?? 'directory');
  }

  #setRules(rules: readonly PermissionRule[]): void {
    this.#session.state = { ...this.#session.state, rules };
  }
}

/** In place of a workspace, in the file of the rules that hold in every directory. */
const EVERYWHERE = '*';

interface KeptRulesPorts extends Omit<ApprovalStoreOptions, 'directory'> {
  readonly home: string;
  /** True for a rule that may hold in every directory. */
  readonly mayKeepEverywhere: (rule: PermissionRule) => boolean;
  readonly redactor: { readonly redact: (text: string) => string };
}

/**
 * Creates the permissions of a session. Rules without a secret that `mayKeep` accepts hold in later ones as `keeps` says;
 * see `keptApprovals`.
 */
export function openPermissions(
  session: { state: SessionState },
  mode: PermissionMode,
  keeps: boolean | undefined,
  ports: KeptRulesPorts & { readonly note: NoteAction; readonly limit?: LimitSettings },
): SessionPermissions {
  return new SessionPermissions(session, mode, ports, keeps === undefined ? undefined : openStores(keeps, ports));
}

/** The rules that a new session would have. Throws `FileSystemError`. */
export async function keptRules(keeps: boolean | undefined, ports: KeptRulesPorts): Promise<readonly PermissionRule[]> {
  if (keeps === undefined) return [];
  const { automatic, directory, everywhere } = openStores(keeps, ports);
  const stores = [...(automatic === undefined ? [] : [automatic]), directory, everywhere];
  return (await Promise.all(stores.map((store) => store.load()))).flat();
}

function openStores(keeps: boolean, ports: KeptRulesPorts): ApprovalStores {
  const { home, redactor, mayKeep, mayKeepEverywhere } = ports;
  const hasSecret = (rule: PermissionRule): boolean =>
    Object.values(rule)
      .flat()
      .some((text) => redactor.redact(text) !== text);
  const store = (name: string, workspace: string, accepts: ApprovalStoreOptions['mayKeep']): ApprovalStore => {
    const directory = path.join(home, '.config', 'ybs', name);
    return new ApprovalStore({ ...ports, directory, workspace, mayKeep: (rule) => accepts(rule) && !hasSecret(rule) });
  };
  return {
    ...(keeps && { automatic: store('approvals', ports.workspace, mayKeep) }),
    directory: store('saved', ports.workspace, mayKeep),
    everywhere: store('saved', EVERYWHERE, mayKeepEverywhere),
  };
}
