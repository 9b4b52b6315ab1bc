import type { CompactionPlan, PlannedTurn } from '../../block/plan';
import type { ContextMessage } from '../../conversation/context';
import type { Entry } from '../../conversation/entry';
import { costOfCounting, costOfOne, type LongWork } from '../../conversation/long-work';
import {
  type ActiveBlock,
  blockKey,
  messageOfBlock,
  messageOfEntry,
  placingCounted,
  project,
} from '../../conversation/projection';
import { activeBlocks, foldJournal } from '../../journal/journal-state';
import { overlayOf } from '../../journal/overlay';
import { type PortableText, portableText, rebuiltText } from '../../wording/localizable-text';
import type { PreparedRun } from './prepared-run';
import type { RunInput } from './run-input';

/** A prepared run without its messages: plain data, no larger than its blocks, for a receiver with the conversation. */
export interface PortableRun extends Omit<PreparedRun, 'before' | 'after' | 'plans' | 'notes' | 'failures'> {
  readonly notes: readonly PortableText[];
  readonly failures: readonly PortableText[];
  readonly plans: readonly PortablePlan[];
}

interface PortablePlan extends Omit<CompactionPlan, 'turns' | 'reason' | 'note'> {
  readonly reason: PortableText;
  readonly note?: PortableText;
  readonly turns: readonly { readonly user: MessageName | null; readonly replaced: readonly MessageName[] }[];
}

/** The key of a message, with the seq of the compaction that removed its text, if one did. */
type MessageName = string | { readonly key: string; readonly pruned: number };

export function portableRun({ before: _b, after: _a, plans, notes, failures, ...rest }: PreparedRun): PortableRun {
  return {
    ...rest,
    notes: notes.map(portableText),
    failures: failures.map(portableText),
    plans: plans.map(portablePlan),
  };
}

function portablePlan({ turns, reason, note, ...rest }: CompactionPlan): PortablePlan {
  return {
    ...rest,
    reason: portableText(reason),
    ...(note === undefined ? {} : { note: portableText(note) }),
    turns: turns.map(({ user, replaced }) => ({ user: user && nameOf(user), replaced: replaced.map(nameOf) })),
  };
}

function nameOf({ key, pruned }: ContextMessage): MessageName {
  return pruned === undefined ? key : { key, pruned: pruned.seq };
}

type Surroundings = Pick<RunInput, 'conversation' | 'state' | 'ledger' | 'now'>;

/** The run as `prepareRun` returns it for this input. Its records get the current time. */
export function* rebuildingRun(
  { plans, records, notes, failures, ...rest }: PortableRun,
  { conversation, state, ledger, now }: Surroundings,
): LongWork<PreparedRun> {
  const stamped = records.map((record) => ({ ...record, time: now() }));
  const after = foldJournal(stamped, state);
  const overlay = overlayOf(after, conversation);
  yield* placingCounted(conversation.agentContext, overlay.blocks, ledger);
  const entries = new Map(conversation.agentContext.map((entry) => [entry.id, entry]));
  const blocks = new Map(activeBlocks(after).map((block) => [block.seq, block]));
  const messages = new MessagesByName(entries, blocks, ledger);
  const rebuilt: CompactionPlan[] = [];
  for (const plan of plans) rebuilt.push(yield* messages.plan(plan));
  return {
    ...rest,
    before: project(conversation, overlayOf(state, conversation), ledger),
    after: project(conversation, overlay, ledger),
    records: stamped,
    notes: notes.map(rebuiltText),
    failures: failures.map(rebuiltText),
    plans: rebuilt,
  };
}

/** Cost of a message whose text a block removed: it is created again, and its replacement line is counted. */
const costOfMessage = costOfOne + 80 * costOfCounting;

class MessagesByName {
  readonly #blocks: ReadonlyMap<string, ActiveBlock>;

  constructor(
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly blocksBySeq: ReadonlyMap<number, ActiveBlock>,
    private readonly ledger: RunInput['ledger'],
  ) {
    this.#blocks = new Map([...blocksBySeq].map(([seq, block]) => [blockKey(seq), block]));
  }

  *plan({ turns, reason, note, ...rest }: PortablePlan): LongWork<CompactionPlan> {
    const rebuilt: PlannedTurn[] = [];
    for (const turn of turns) {
      rebuilt.push(this.#turn(turn));
      yield (turn.replaced.length + 1) * costOfMessage;
    }
    return {
      ...rest,
      reason: rebuiltText(reason),
      ...(note === undefined ? {} : { note: rebuiltText(note) }),
      turns: rebuilt,
    };
  }

  #turn({ user, replaced }: PortablePlan['turns'][number]): PlannedTurn {
    return { user: user === null ? null : this.#message(user), replaced: replaced.map((name) => this.#message(name)) };
  }

  #message(name: MessageName): ContextMessage {
    const { key, pruned } = typeof name === 'string' ? { key: name, pruned: undefined } : name;
    const block = this.#blocks.get(key);
    if (block) return messageOfBlock(block, this.ledger);
    const entry = this.entries.get(key);
    if (!entry) throw new Error(`A plan names the message ${key}, which is not in the context.`);
    return messageOfEntry(entry, pruned === undefined ? null : (this.blocksBySeq.get(pruned) ?? null), this.ledger);
  }
}
