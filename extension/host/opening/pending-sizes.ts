import * as vscode from 'vscode';
import type { Inspector } from '../inspector';

/** Sizes of a session in tokens, while what the agent has differs from what Strata proposes. */
interface PendingSize {
  /** Tokens of the agent's context now. */
  readonly now: number;
  /** Tokens of its context after the compactions. */
  readonly after: number;
}

const stateKey = 'strata.pendingSizes';
/** Maximum number of sessions whose agents do not have the compaction yet. The oldest are forgotten. */
const maxSizes = 100;
/** Combines a burst of changes into one update. */
const updateDelayMs = 300;
/** If a context shrank by more than this, the agent has compacted it, and the stored size is outdated. */
const shrunk = 0.9;

/** The sizes of sessions after Strata's compactions, as of when each was last open. Lists do not read journals. */
export class PendingSizes implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #sizes: Map<string, PendingSize>;

  constructor(private readonly state: vscode.Memento) {
    this.#sizes = new Map(Object.entries(state.get<Record<string, PendingSize>>(stateKey, {})));
  }

  /** Null if the agent has what Strata shows. */
  note(file: string, size: PendingSize | null): void {
    const known = this.#sizes.get(file);
    if (known?.now === size?.now && known?.after === size?.after) return;
    this.#sizes.delete(file);
    if (size) this.#sizes.set(file, size);
    for (const oldest of [...this.#sizes.keys()].slice(0, -maxSizes)) this.#sizes.delete(oldest);
    void this.state.update(stateKey, Object.fromEntries(this.#sizes));
    this.#changed.fire();
  }

  /** The size after compaction, for a session whose agent now has this many tokens. Absent if it is not known to be less. */
  afterOf(file: string, tokens: number): number | undefined {
    const known = this.#sizes.get(file);
    if (!known || tokens < known.now * shrunk) return undefined;
    // Both contexts contain what the agent did since.
    const after = known.after + Math.max(0, tokens - known.now);
    return after < tokens ? after : undefined;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** Keeps the sizes of the open session up to date. */
export function notePendingSizes(inspector: Inspector, sizes: PendingSizes): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const note = () => {
    timer = undefined;
    const { inspection } = inspector;
    if (!inspection || inspection.isCounting) return;
    const { context, contextInAgent, session } = inspection;
    const size = { now: contextInAgent.tokens.total, after: context.tokens.total };
    sizes.note(session.file, contextInAgent === context ? null : size);
  };
  const schedule = () => {
    timer ??= setTimeout(note, updateDelayMs);
  };
  return vscode.Disposable.from(inspector.onDidOpen(schedule), inspector.onDidChange(schedule), {
    dispose: () => clearTimeout(timer),
  });
}
