import { type CoreState, coreText } from '../core/core';
import { measure } from './accounting';
import type { Block } from './block';
import { beginning, commonPrefixLength, longer } from './common-prefix';
import { blockForm, type Context, type ContextMessage, coversResults } from './context';
import type { Conversation } from './conversation';
import { type Entry, marksOf, type Part } from './entry';
import { entryKind } from './entry-kind';
import { atOnce, costOfCounting, costOfOne, type LongWork } from './long-work';
import { oncePer } from './once-per';
import type { TokenLedger } from './tokens';

/** A block that is in force, from the journal's fold. */
export interface ActiveBlock extends Block {
  /** All entries beneath the block, including those beneath swallowed blocks. */
  readonly entryIds: readonly string[];
  readonly text: string;
  /** Texts of single results, by the id of their entry; a result without one has `text`. */
  readonly resultTexts?: Readonly<Record<string, string>>;
  readonly timestamp: string;
  /** Whether the block takes the place of its first entry or its last. */
  readonly place: 'first' | 'last';
}

/** The additions of a journal to a conversation: the active blocks in the order of their creation, and the core. */
export interface Overlay {
  readonly blocks: readonly ActiveBlock[];
  readonly core: CoreState | null;
}

export const emptyOverlay: Overlay = { blocks: [], core: null };

/** The context that the agent itself would send: without blocks and without a core. */
export function projectAlone(conversation: Conversation, ledger: TokenLedger): Context {
  return project(conversation, emptyOverlay, ledger);
}

/**
 * Projects a conversation to its context: the agent's messages, with each block in the place of its first entry and the
 * core after the system prompt. Pure, and linear in the number of entries.
 */
export function project(conversation: Conversation, overlay: Overlay, ledger: TokenLedger): Context {
  const { messages, blocks, pruned } = placementCache(ledger).place(conversation.agentContext, overlay.blocks);
  const core = coreMessage(overlay.core, ledger);
  const all = core ? insertCore(withoutForkedCore(messages, conversation), core) : messages;
  const isChanged = core !== null || blocks + pruned > 0;
  return { messages: all, tokens: measure(conversation, all, isChanged, ledger), blocks, isChanged };
}

/** A core that came with a fork gives way to the present one. */
function withoutForkedCore(messages: readonly ContextMessage[], { fork }: Conversation): readonly ContextMessage[] {
  return fork === undefined ? messages : messages.filter(({ kind }) => kind !== 'core');
}

/** The parts of a message that are sent to a provider. */
export type SentMessage = Pick<ContextMessage, 'role' | 'parts'>;

/** The messages of `project` for callers that need no sizes: no text is counted, and an entry stands for itself. */
export function projectSent({ agentContext }: Conversation, { blocks, core }: Overlay): readonly SentMessage[] {
  const messages = blocks.length === 0 ? agentContext : atOnce(placing(agentContext, blocks, sentMessages));
  return core ? insertCore(messages, { role: 'system', parts: coreParts(core) }) : messages;
}

/** Whether all entries of a block are present. Each pruned result is judged on its own. */
export function isWhole(block: ActiveBlock, present: ReadonlySet<string>): boolean {
  return isPruning(block) || block.entryIds.every((id) => present.has(id));
}

/**
 * A later block covers an earlier one completely or not at all. If an agent went back and forth, two blocks may share
 * only some entries; then the earlier one rests, so that nothing occurs twice.
 */
export function withoutOverlaps(blocks: readonly ActiveBlock[]): ActiveBlock[] {
  const covered = new Set<string>();
  const inForce: ActiveBlock[] = [];
  for (const block of [...blocks].reverse()) {
    if (isPruning(block)) {
      inForce.push(block);
      continue;
    }
    const shared = block.entryIds.filter((id) => covered.has(id)).length;
    if (shared > 0 && shared < block.entryIds.length) continue;
    inForce.push(block);
    for (const id of block.entryIds) covered.add(id);
  }
  return inForce.reverse();
}

function isPruning(block: Block): boolean {
  return coversResults(block.metadata.summary_type);
}

/** The messages of these entries, with each block in the place of its first or last entry. */
export function placeBlocks(
  entries: readonly Entry[],
  blocks: readonly ActiveBlock[],
  ledger: TokenLedger,
): ContextMessage[] {
  return atOnce(placingCounted(entries, blocks, ledger));
}

/** `project` takes little time afterwards: messages are made and counted once. */
export function placingCounted(
  entries: readonly Entry[],
  blocks: readonly ActiveBlock[],
  ledger: TokenLedger,
): LongWork<ContextMessage[]> {
  return placing(entries, blocks, {
    ofEntry: (entry, pruning) => messageOfEntry(entry, pruning, ledger),
    ofBlock: (block) => messageOfBlock(block, ledger),
  });
}

/** Makes the messages of entries and blocks. */
interface MessageMaker<Message> {
  /** `pruning`: the block that removed the text of the entry's result. */
  ofEntry(entry: Entry, pruning: ActiveBlock | null): Message;
  ofBlock(block: ActiveBlock): Message;
}

const sentMessages: MessageMaker<SentMessage> = {
  ofEntry: (entry, pruning) => (pruning === null ? entry : { role: entry.role, parts: prunedParts(entry, pruning) }),
  ofBlock: (block) => ({ role: blockForm(block.metadata.summary_type).role, parts: blockParts(block) }),
};

function* placing<Message>(
  entries: readonly Entry[],
  blocks: readonly ActiveBlock[],
  make: MessageMaker<Message>,
): LongWork<Message[]> {
  const owners = ownersOf(blocks);
  const places = placesOf(entries, owners);
  const messages: Message[] = [];
  for (const entry of entries) {
    const owner = owners.get(entry.id);
    if (!owner || isPruning(owner)) messages.push(make.ofEntry(entry, owner ?? null));
    else if (places.get(owner) === entry) messages.push(make.ofBlock(owner));
    else continue;
    yield owner ? owner.text.length * costOfCounting + costOfOne : costOfOne;
  }
  return messages;
}

/** The message of an entry; without the text of its result where a block removed it. */
export function messageOfEntry(entry: Entry, pruning: ActiveBlock | null, ledger: TokenLedger): ContextMessage {
  const cache = messageCache(ledger);
  if (pruning === null) return cache.get(entry, () => entryMessage(entry, ledger));
  return cache.pruned(entry, pruning, () => prunedMessage(entry, pruning, ledger));
}

export function messageOfBlock(block: ActiveBlock, ledger: TokenLedger): ContextMessage {
  return messageCache(ledger).get(block, () => blockMessage(block, ledger));
}

/** Messages with blocks in place of what they replace. */
interface Placement {
  readonly messages: readonly ContextMessage[];
  /** Number of blocks among the messages. */
  readonly blocks: number;
  /** Number of results without their text. */
  readonly pruned: number;
}

/** Reuses the newest placement of a ledger: a growing context differs from it only at its end. */
class PlacementCache {
  #entries: readonly Entry[] = [];
  #blocks: readonly ActiveBlock[] = [];
  /** Ids of entries beneath a block. */
  #owned: { has(id: string): boolean } = new Map();
  #placed: Placement = { messages: [], blocks: 0, pruned: 0 };

  constructor(private readonly ledger: TokenLedger) {}

  place(entries: readonly Entry[], blocks: readonly ActiveBlock[]): Placement {
    const hasSameBlocks = commonPrefixLength(this.#blocks, blocks) === Math.max(this.#blocks.length, blocks.length);
    const extended = hasSameBlocks ? this.#extend(entries) : null;
    if (!hasSameBlocks) this.#owned = ownersOf(blocks);
    this.#placed = extended ?? placementOf(placeBlocks(entries, blocks, this.ledger));
    this.#blocks = blocks;
    this.#entries = entries;
    return this.#placed;
  }

  /** Extends the placement if no block covers the entries that changed. Null otherwise. */
  #extend(entries: readonly Entry[]): Placement | null {
    const same = commonPrefixLength(this.#entries, entries);
    const [gone, added] = [this.#entries.slice(same), entries.slice(same)];
    const isOwned = ({ id }: Entry) => this.#owned.has(id);
    if (gone.some(isOwned) || added.some(isOwned)) return null;
    const { messages } = this.#placed;
    const kept = beginning(messages, messages.length - gone.length);
    return { ...this.#placed, messages: longer(kept, placeBlocks(added, [], this.ledger)) };
  }
}

function placementOf(messages: readonly ContextMessage[]): Placement {
  const count = (has: (message: ContextMessage) => unknown) => messages.filter(has).length;
  return { messages, blocks: count(({ block }) => block), pruned: count(({ pruned }) => pruned) };
}

const placementCache = oncePer((ledger: TokenLedger) => new PlacementCache(ledger));

/** The entry whose place each block takes. */
function placesOf(entries: readonly Entry[], owners: ReadonlyMap<string, ActiveBlock>): Map<ActiveBlock, Entry> {
  const places = new Map<ActiveBlock, Entry>();
  for (const entry of entries) {
    const owner = owners.get(entry.id);
    if (owner && (owner.place === 'last' || !places.has(owner))) places.set(owner, entry);
  }
  return places;
}

/** The newest block over each entry: a later block swallows earlier ones completely. */
function ownersOf(blocks: readonly ActiveBlock[]): Map<string, ActiveBlock> {
  const owners = new Map<string, ActiveBlock>();
  for (const block of blocks) for (const id of block.entryIds) owners.set(id, block);
  return owners;
}

/**
 * One message object for each entry and block, so that unchanged messages can be recognised by identity. Token counts
 * belong to a ledger, and so does this cache.
 */
class MessageCache {
  readonly #messages = new WeakMap<Entry | ActiveBlock, ContextMessage>();
  readonly #pruned = new WeakMap<Entry, { readonly by: ActiveBlock; readonly message: ContextMessage }>();

  get(source: Entry | ActiveBlock, make: () => ContextMessage): ContextMessage {
    const known = this.#messages.get(source);
    if (known) return known;
    const message = make();
    this.#messages.set(source, message);
    return message;
  }

  /** An entry is pruned by at most one block at a time. Two previews can give two blocks the same seq. */
  pruned(entry: Entry, by: ActiveBlock, make: () => ContextMessage): ContextMessage {
    const known = this.#pruned.get(entry);
    if (known?.by === by) return known.message;
    const message = make();
    this.#pruned.set(entry, { by, message });
    return message;
  }
}

const messageCache = oncePer((_ledger: TokenLedger) => new MessageCache());

function entryMessage(entry: Entry, ledger: TokenLedger): ContextMessage {
  return {
    key: entry.id,
    role: entry.role,
    kind: entryKind(entry),
    entryIds: [entry.id],
    parts: entry.parts,
    tokens: ledger.ofEntry(entry),
    timestamp: entry.timestamp,
    ...marksOf(entry),
    ...(entry.block === undefined ? {} : { forked: entry.block }),
  };
}

export const coreKey = 'core';

export function blockKey(seq: number): string {
  return `block:${seq}`;
}

function blockParts({ text }: ActiveBlock): readonly Part[] {
  return [{ type: 'text', text }];
}

function blockMessage(block: ActiveBlock, ledger: TokenLedger): ContextMessage {
  const parts = blockParts(block);
  const { role, kind } = blockForm(block.metadata.summary_type);
  return {
    key: blockKey(block.seq),
    role,
    kind,
    entryIds: block.entryIds,
    parts,
    tokens: ledger.ofParts(parts),
    timestamp: block.timestamp,
    injected: false,
    block: identityOf(block),
  };
}

function identityOf({ seq, strategy, tier, metadata }: Block): Block {
  return { seq, strategy, tier, metadata };
}

/** The call keeps its result, and the result its outcome. Only the text is replaced. */
function prunedParts({ id, parts }: Entry, block: ActiveBlock): readonly Part[] {
  return parts.map((part) => prunedPart(part, block.resultTexts?.[id] ?? block.text));
}

function prunedMessage(entry: Entry, block: ActiveBlock, ledger: TokenLedger): ContextMessage {
  const parts = prunedParts(entry, block);
  return { ...entryMessage(entry, ledger), parts, tokens: ledger.ofParts(parts), pruned: identityOf(block) };
}

export function prunedPart(part: Part, text: string): Part {
  return part.type === 'tool_result' ? { ...part, text } : part;
}

/** The text of a block begins with its tag on a line of its own. Half a surrogate pair of a session file ends here. */
export function blockText(summaryType: string, body: string): string {
  return `${blockForm(summaryType).tag}\n${body.trim()}`.toWellFormed();
}

/** Counted tokens of the message with the core. */
export function tokensOfCore(core: CoreState, ledger: TokenLedger): number {
  return ledger.ofParts(coreParts(core));
}

function coreParts(core: CoreState): readonly Part[] {
  return [{ type: 'text', text: coreText(core) }];
}

function coreMessage(core: CoreState | null, ledger: TokenLedger): ContextMessage | null {
  if (!core) return null;
  const parts = coreParts(core);
  return {
    key: coreKey,
    role: 'system',
    kind: 'core',
    entryIds: [],
    parts,
    tokens: ledger.ofParts(parts),
    timestamp: null,
    injected: false,
  };
}

function insertCore<Message extends SentMessage>(messages: readonly Message[], core: Message): Message[] {
  // Standing instructions in the role `user` may share a message with the first prompt.
  const afterSystem = messages.findIndex((message) => message.role !== 'system');
  const at = afterSystem === -1 ? messages.length : afterSystem;
  return [...messages.slice(0, at), core, ...messages.slice(at)];
}
