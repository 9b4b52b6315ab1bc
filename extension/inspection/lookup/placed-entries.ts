import type { ContextMessage } from '../../engine/conversation/context';
import type { AgentCompaction } from '../../engine/conversation/conversation';
import type { Entry } from '../../engine/conversation/entry';
import { referenceOf } from '../../engine/conversation/reference';
import { shortTime } from '../../engine/memory/observation-lines';
import type { Inspection } from '../inspection';
import { textOfEntry } from './passages';

/** An entry with the reference that blocks and tools use for it, and its place in the context. */
export interface PlacedEntry {
  /** See `referenceOf`: entries that say the same have the same. */
  readonly ref: string;
  readonly entry: Entry;
  /** Why the model is not sent the original text; null if it is. */
  readonly absentBecause: string | null;
}

/** Reads the text of the entry only if the reference is asked for. */
class Placed implements PlacedEntry {
  constructor(
    readonly entry: Entry,
    readonly absentBecause: string | null,
  ) {}

  get ref(): string {
    return referenceOf(this.entry);
  }
}

/** The entries of a session in order, each with what replaces it. Without entries that the user excluded. */
export function placedEntries({ session, context, excluded }: Inspection): PlacedEntry[] {
  const { entries, agentContext, agentCompactions } = session.conversation;
  const overs = new Map([...beneathAgent(agentCompactions), ...beneathBlocks(context.messages)]);
  const sent = new Map(agentContext.map((entry) => [entry.id, entry]));
  return entries.flatMap((entry) => {
    const asSent = sent.get(entry.id);
    const isSent = asSent !== undefined && (asSent === entry || textOfEntry(asSent) === textOfEntry(entry));
    const over = overs.get(entry.id);
    const absentBecause = isSent && !over?.isOfStrata ? null : (over?.name ?? notOnTheWay(entry));
    return excluded.has(entry.id) ? [] : [new Placed(entry, absentBecause)];
  });
}

interface Over {
  readonly name: string;
  readonly isOfStrata: boolean;
}

function beneathAgent(compactions: readonly AgentCompaction[]): [string, Over][] {
  return compactions.flatMap(({ kind, timestamp, replacedEntryIds }) => {
    const act = kind === 'cleared' ? 'emptied by the agent at' : 'beneath the agent’s own compaction of';
    const over = { name: `${act} ${shortTime(timestamp)}`, isOfStrata: false };
    return replacedEntryIds.map((id): [string, Over] => [id, over]);
  });
}

function beneathBlocks(messages: readonly ContextMessage[]): [string, Over][] {
  return messages.flatMap(({ block, pruned, entryIds }) => {
    const over = block ?? pruned;
    if (!over) return [];
    const name = `${pruned ? 'pruned by' : 'beneath'} compaction #${over.seq} (${over.strategy})`;
    return entryIds.map((id): [string, Over] => [id, { name, isOfStrata: true }]);
  });
}

function notOnTheWay({ role }: Entry): string {
  return role === 'system' ? 'an earlier system prompt' : 'not sent: an abandoned branch, or left out by the agent';
}
