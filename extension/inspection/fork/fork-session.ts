import { stat } from 'node:fs/promises';
import type { JournalState } from '../../engine/compaction/journal-state';
import type { Conversation } from '../../engine/conversation/conversation';
import { type Entry, textOf } from '../../engine/conversation/entry';
import type { ParsedSession, SessionBuilder } from '../../sessions/adapter';
import { linesOf } from '../../sessions/files/lines-of';
import { withFile } from '../../sessions/files/with-file';
import { ForkFile } from '../../sessions/fork/fork-file';
import { type Chance, type ForkPlace, ForkRefused } from '../../sessions/fork/fork-format';
import { type AgentId, agentNames } from '../../sessions/session';
import { type Inspection, OperationRefused } from '../inspection';
import { JournalWriteFailed } from '../journal-file';
import { carryPins } from './carry-pins';
import { asRefusal, chanceOfThisProcess, type ForkableFormat, forkableFormat } from './forkable';
import { refuseWhatSaysOtherwise, replacementFor } from './replacement';

/** A new session of the same agent, whose next request holds what was shown. */
export interface Fork {
  readonly agent: AgentId;
  readonly id: string;
  readonly file: string;
  /** Where the agent has to be started. */
  readonly cwd: string | null;
  /** The words of the command that goes on with it. */
  readonly command: readonly string[];
  /** Of the turn that the fork ends before: for editing and sending again. */
  readonly prompt: string | null;
}

export interface ForkOrder {
  /** The id of a prompt of the person: the fork holds what was said before it. Absent: everything. */
  readonly before?: string;
  readonly chance?: Chance;
}

/**
 * Writes a new session of the same agent with the projected context, or with what was said before one prompt. The
 * original is only read. Refused, with the reason, while it is not certain that the fork would be what is shown.
 */
export async function forkSession(inspection: Inspection, order: ForkOrder = {}): Promise<Fork> {
  const { session } = inspection;
  const format = forkableFormat(session.agent);
  const before = order.before === undefined ? null : promptOf(session.conversation, order.before);
  if (before === null) refuseWhileAtWork(inspection);
  try {
    return await new Forking(inspection, format, before, order.chance ?? chanceOfThisProcess).write();
  } catch (error) {
    throw asRefusal(error);
  }
}

function promptOf({ entries }: Conversation, id: string): Entry {
  const entry = entries.find((candidate) => candidate.id === id);
  if (entry?.role === 'user' && !entry.injected && !entry.summary) return entry;
  throw new OperationRefused(`There is no prompt of a person with the id ${id} in this session.`);
}

function refuseWhileAtWork({ session }: Inspection): void {
  if (!session.live || !session.awaitsReply) return;
  throw new OperationRefused(
    `${agentNames[session.agent]} is at work in this session: what it is about to say would be missing. ` +
      'Try again when it has answered.',
  );
}

class Forking {
  readonly #original: ParsedSession;
  readonly #place: ForkPlace;
  /** Reads what is written. */
  readonly #builder: SessionBuilder;
  #lines = 0;

  constructor(
    private readonly inspection: Inspection,
    private readonly format: ForkableFormat,
    private readonly before: Entry | null,
    private readonly chance: Chance,
  ) {
    const { live: _live, subagents: _subagents, ...original } = inspection.session;
    this.#original = original;
    this.#place = format.fork.place(original, chance);
    this.#builder = format.createBuilder(this.#place.file);
  }

  async write(): Promise<Fork> {
    const { agent, cwd } = this.#original;
    const { id, file } = this.#place;
    const { mode } = await stat(this.#original.file);
    await ForkFile.write(file, mode, async (fork) => {
      await this.#copy(fork);
      await this.#replace(fork);
    });
    const prompt = this.before === null ? null : textOf(this.before.parts);
    const fork = { agent, id, file, cwd, command: this.format.resume?.({ id, file }) ?? [], prompt };
    await this.#carryPins(fork);
    return fork;
  }

  async #carryPins(fork: Fork): Promise<void> {
    try {
      await carryPins(this.inspection, fork, this.#state());
    } catch (error) {
      if (!(error instanceof JournalWriteFailed)) throw error;
      throw new OperationRefused(
        `${fork.file} was written, but what is pinned is not in its journal. ${error.message}`,
      );
    }
  }

  #state(): JournalState {
    const { state } = this.inspection.journal;
    return this.before === null ? state : stateBefore(state, this.before);
  }

  async #copy(fork: ForkFile): Promise<void> {
    const outcome = await withFile(this.#original.file, async (handle) => {
      const lines = () => linesOf(handle);
      const order = { original: this.#original, place: this.#place, lines, before: this.before, chance: this.chance };
      for await (const line of this.format.fork.copy(order)) await this.#add(fork, line);
      return { kind: 'copied' } as const;
    });
    if (outcome.kind !== 'copied') throw new ForkRefused(outcome.message);
    const { conversation } = this.#builder.session();
    if (this.before === null) this.#refuseWhatDiffers(conversation);
    else if (!conversation.agentContext.some(isSaid)) throw new ForkRefused('Nothing was said before this prompt.');
  }

  async #add(fork: ForkFile, text: string): Promise<void> {
    this.#lines += 1;
    this.#builder.accept({ number: this.#lines, text });
    await fork.line(text);
  }

  /** The original may have gone on, or its copy may say something else: then nobody has seen what the fork would be. */
  #refuseWhatDiffers(copy: Conversation): void {
    if (idsOf(copy) === idsOf(this.#original.conversation)) return;
    throw new ForkRefused('The session has changed while it was copied. Nothing was written; try again.');
  }

  async #replace(fork: ForkFile): Promise<void> {
    const { ledger } = this.inspection;
    const replacement = replacementFor(this.format.fork, {
      session: this.#builder.session(),
      state: this.#state(),
      ledger,
      lines: () => fork.lines(),
      chance: this.chance,
    });
    if (replacement === null) return;
    for await (const line of replacement.records) await this.#add(fork, line);
    refuseWhatSaysOtherwise(this.#builder.session().conversation, replacement.pieces);
  }
}

function isSaid({ role, injected }: Entry): boolean {
  return role !== 'system' && !injected;
}

function idsOf({ agentContext }: Conversation): string {
  return agentContext.map(({ id }) => id).join('\n');
}

/** What the journal said when a prompt was written, by its records' times. Without a time nothing is taken over. */
export function stateBefore(state: JournalState, { timestamp }: Entry): JournalState {
  const limit = timestamp === null ? Number.NaN : Date.parse(timestamp);
  return {
    ...state,
    compactions: state.compactions.filter(({ record }) => Date.parse(record.time) < limit),
    items: state.items.filter((item) => Date.parse(item.timestamp) < limit),
  };
}
