import type { LanguageModel } from '../../block/language-model';
import type { Conversation } from '../../conversation/conversation';
import { type CoreItem, type CoreItemStatus, type CoreState, originalGoalId, type PinKind } from '../../core/core';
import type { JournalWriter } from '../../journal/journal-access';
import type { JournalState } from '../../journal/journal-state';
import { OperationRefused } from '../../journal/operation-refused';
import type { OriginalGoal } from '../../journal/overlay';
import { goalsFirst, newProposals, proposalKey, proposalsByStructure } from '../../language/proposals';
import { proposalsFromModel } from '../../prompts/core-proposals';

/** A goal, constraint or decision for the core that was not pinned by the user. */
export interface ItemProposal {
  readonly kind: PinKind;
  readonly text: string;
  readonly rationale: string | null;
  /** The name of the model or other source of the proposal. */
  readonly proposedBy: string;
}

export type ProposalOutcome =
  | { readonly kind: 'proposed'; readonly item: CoreItem }
  /** The core already has an item with the same text, in any state; nothing was added. */
  | { readonly kind: 'known'; readonly item: CoreItem };

/** Maximum number of new proposals at once; the next request returns further ones. */
const mostProposals = 20;

/** A goal, constraint or decision pinned by the user. */
export interface Pin {
  readonly kind: PinKind;
  readonly text: string;
  readonly rationale: string | null;
  /** The entry that it was taken from; null if it was typed. */
  readonly entryId: string | null;
}

export type AgentProposalOutcome =
  | ProposalOutcome
  /** Agents have proposed this many items in these minutes; nothing was added. */
  | { readonly kind: 'too-many'; readonly proposed: number; readonly minutes: number };

/** An agent in a loop must not bury what a person has not read, nor fill the journal. */
const proposalRates = [
  { minutes: 1, most: 5 },
  { minutes: 60, most: 20 },
] as const;

/** Number of agents' proposals that wait for the person. With one more, the oldest goes. */
const mostWaiting = 12;

/** The parts of a workbench that the core editor reads. */
interface CoreSource {
  readonly conversation: Conversation;
  /** The active items of the protected core; null if there are none. */
  readonly core: CoreState | null;
  readonly originalGoal: OriginalGoal | null;
  /** Ids of the entries that the user excluded. */
  readonly excluded: ReadonlySet<string>;
}

/** Pins, proposes, changes and orders the items of the protected core. */
export class CoreEditor {
  constructor(
    private readonly source: CoreSource,
    private readonly writer: JournalWriter,
  ) {}

  /** Adds a goal, a constraint or a decision to the protected core, verbatim. It is active, as the user asked for it. */
  async pin(
    kind: PinKind,
    text: string,
    entryId: string | null,
    rationale: Pin['rationale'] = null,
  ): Promise<CoreItem> {
    if (text.trim() === '') throw new OperationRefused('The text to pin is empty.');
    const timestamp = this.writer.now();
    const item: CoreItem = { id: this.writer.newId(), kind, text, rationale, timestamp, entryId, status: 'active' };
    let pinned = item;
    await this.writer.append((lastSeq, state) => {
      refuseDoublePin(state, item);
      const proposed = state.items.find((known) => known.status === 'proposed' && isSameItem(known, item));
      if (!proposed) return [{ kind: 'pin', seq: lastSeq + 1, time: timestamp, item }];
      pinned = proposed;
      return [{ kind: 'core-change', seq: lastSeq + 1, time: timestamp, itemId: proposed.id, status: 'active' }];
    });
    return { ...pinned, status: 'active' };
  }

  /** Adds a proposal to the core, which the user confirms or refuses. Known items are not proposed again. */
  async proposeItem(proposal: ItemProposal): Promise<ProposalOutcome> {
    const item = this.#proposed(proposal);
    if (item.text === '') throw new OperationRefused('The text to propose is empty.');
    let outcome: ProposalOutcome = { kind: 'proposed', item };
    await this.writer.append((lastSeq, { items }) => {
      const known = items.find((other) => proposalKey(other) === proposalKey(item));
      if (!known) return [{ kind: 'pin', seq: lastSeq + 1, time: item.timestamp, item }];
      outcome = { kind: 'known', item: known };
      return [];
    });
    return outcome;
  }

  /** The same for an agent, within limits: it may propose in a loop. */
  async proposeByAgent(proposal: ItemProposal): Promise<AgentProposalOutcome> {
    const item = this.#proposed(proposal);
    if (item.text === '') throw new OperationRefused('The text to propose is empty.');
    let outcome: AgentProposalOutcome = { kind: 'proposed', item };
    await this.writer.append((lastSeq, { items }) => {
      const time = item.timestamp;
      const known = items.find((other) => proposalKey(other) === proposalKey(item));
      const ofAgents = items.filter(isOfAgent);
      const tooMany = known ? null : tooManySince(ofAgents, time);
      if (known) outcome = { kind: 'known', item: known };
      else if (tooMany) outcome = tooMany;
      if (known || tooMany) return [];
      const waiting = ofAgents.filter(({ status }) => status === 'proposed');
      const leaving = waiting.slice(0, Math.max(0, waiting.length + 1 - mostWaiting));
      return [
        ...leaving.map(({ id }, index) => ({
          ...({ kind: 'core-change', seq: lastSeq + 1 + index, time, itemId: id, status: 'superseded' } as const),
        })),
        { kind: 'pin', seq: lastSeq + 1 + leaving.length, time, item },
      ];
    });
    return outcome;
  }

  #proposed({ kind, text, rationale, proposedBy }: ItemProposal): CoreItem {
    return {
      id: this.writer.newId(),
      kind,
      text: text.trim(),
      rationale,
      timestamp: this.writer.now(),
      entryId: null,
      status: 'proposed',
      proposedBy,
    };
  }

  /**
   * Searches the conversation for candidates and adds them to the core as proposals: from its structure, or from
   * verbatim quotations by a model. Returns the number of new proposals.
   */
  async propose(asked?: { readonly model: LanguageModel; readonly signal: AbortSignal }): Promise<number> {
    const { conversation, core, excluded } = this.source;
    const entries = conversation.entries.filter(({ id }) => !excluded.has(id));
    const found = asked
      ? await proposalsFromModel(entries, core, asked.model, asked.signal)
      : proposalsByStructure(entries);
    const proposedBy = asked?.model.model ?? 'structure';
    const timestamp = this.writer.now();
    let added = 0;
    await this.writer.append((lastSeq, { items }) => {
      const proposals = goalsFirst(newProposals(found, items)).slice(0, mostProposals);
      added = proposals.length;
      return proposals.map((proposal, index) => ({
        kind: 'pin',
        seq: lastSeq + 1 + index,
        time: timestamp,
        item: { ...proposal, id: this.writer.newId(), timestamp, status: 'proposed', proposedBy },
      }));
    });
    return added;
  }

  /** Changes an item, or under `originalGoalId` the original goal. */
  async change(itemId: string, status: CoreItemStatus): Promise<void> {
    if (itemId === originalGoalId && this.source.originalGoal !== null) return await this.#decideOriginalGoal(status);
    await this.writer.append((lastSeq, state) => {
      if (!state.items.some((item) => item.id === itemId)) throw new OperationRefused('This item is not in the core.');
      return [{ kind: 'core-change', seq: lastSeq + 1, time: this.writer.now(), itemId, status }];
    });
  }

  /** Marks the original goal done, so that it leaves the core, or says that it still holds. */
  async #decideOriginalGoal(status: CoreItemStatus): Promise<void> {
    if (status !== 'done' && status !== 'active') {
      throw new OperationRefused('The original goal can only be marked done or made active again.');
    }
    await this.writer.append((lastSeq) => [
      { kind: 'core-change', seq: lastSeq + 1, time: this.writer.now(), itemId: originalGoalId, status },
    ]);
  }

  /** Rewords an item of the core; its place and its status stay. */
  async edit(itemId: string, text: string, rationale: string | null): Promise<void> {
    if (text.trim() === '') throw new OperationRefused('The text of an item cannot be empty.');
    await this.writer.append((lastSeq, { items }) => {
      const item = items.find(({ id }) => id === itemId);
      if (!item) throw new OperationRefused('This item is not in the core.');
      if (item.text === text && item.rationale === rationale) return [];
      if (item.text !== text) refuseDoublePin({ items: items.filter(({ id }) => id !== itemId) }, { ...item, text });
      return [{ kind: 'core-edit', seq: lastSeq + 1, time: this.writer.now(), itemId, text, rationale }];
    });
  }

  /** Puts items of one kind into this order; other items keep their places. */
  async order(itemIds: readonly string[]): Promise<void> {
    await this.writer.append((lastSeq, { items }) => {
      const known = itemIds.flatMap((id) => items.find((item) => item.id === id) ?? []);
      if (new Set(known).size !== itemIds.length || new Set(known.map(({ kind }) => kind)).size !== 1) {
        throw new OperationRefused('Only items of one kind can be reordered.');
      }
      return [{ kind: 'core-order', seq: lastSeq + 1, time: this.writer.now(), itemIds }];
    });
  }
}

/** Proposals that Strata itself finds name their entry; those of agents do not. */
function isOfAgent({ proposedBy, entryId }: CoreItem): boolean {
  return proposedBy !== undefined && entryId === null;
}

function tooManySince(ofAgents: readonly CoreItem[], now: string): AgentProposalOutcome | null {
  for (const { minutes, most } of proposalRates) {
    const since = Date.parse(now) - minutes * 60_000;
    const proposed = ofAgents.filter(({ timestamp }) => Date.parse(timestamp) > since).length;
    if (proposed >= most) return { kind: 'too-many', proposed, minutes };
  }
  return null;
}

function refuseDoublePin({ items }: Pick<JournalState, 'items'>, pinned: CoreItem): void {
  const isThere = items.some((item) => item.status === 'active' && isSameItem(item, pinned));
  if (isThere) throw new OperationRefused('This item is already pinned.');
}

function isSameItem(a: CoreItem, b: CoreItem): boolean {
  return a.kind === b.kind && a.text.trim() === b.text.trim();
}
