import { type CoreState, coreText } from '../core/core';
import { measure } from './accounting';
import { type Block, blockForm, type Context, type ContextMessage } from './context';
import type { Conversation } from './conversation';
import { type Entry, entryKind, type Part } from './entry';
import { sameFromStart } from './same-start';
import type { TokenLedger } from './tokens';

/** A block that is in force, as the journal's fold yields it. */
export interface StandingBlock extends Block {
  /** Every entry beneath it, also those beneath the blocks that it swallowed. */
  readonly entryIds: readonly string[];
  readonly text: string;
  readonly timestamp: string;
  /** Whether it stands where the first of its entries stood, or the last. */
  readonly place: 'first' | 'last';
}

/** What a journal adds to the conversation: the blocks that stand, in the order they were made, and the core. */
export interface Overlay {
  readonly blocks: readonly StandingBlock[];
  readonly core: CoreState | null;
}

export const emptyOverlay: Overlay = { blocks: [], core: null };

/**
 * The context: what the agent would send, with every block in the place of the first entry it stands for and the core
 * after the system prompt. A pure fold in time linear in the entries.
 */
export function project(conversation: Conversation, overlay: Overlay, ledger: TokenLedger): Context {
  const messages = NewestPlacement.of(ledger).place(conversation.agentContext, overlay.blocks);
  const core = coreMessage(overlay.core, ledger);
  const all = core ? withCore(messages, core) : messages;
  const changed = core !== null || messages.some((message) => message.block ?? message.pruned);
  return { messages: all, tokens: measure(conversation, all, changed, ledger) };
}

/**
 * The blocks that can stand: those whose entries the agent would still send, all of them. After the agent compacted
 * or went back by itself, a block over some of them would say again what its summary says, or tell of an abandoned
 * branch. Such a block rests; what lies beneath it comes through. Pruned results are pruned each for itself.
 */
export function wholeBlocks(entries: readonly Entry[], blocks: readonly StandingBlock[]): StandingBlock[] {
  if (blocks.length === 0) return [];
  const present = new Set(entries.map((entry) => entry.id));
  const whole = blocks.filter((block) => prunes(block) || block.entryIds.every((id) => present.has(id)));
  return withoutOverlaps(whole);
}

/**
 * A later block stands over an earlier one as a whole or not at all. Where an agent went back and forth again, two
 * blocks can share some of their entries; then the earlier one rests, so that nothing is told twice.
 */
function withoutOverlaps(blocks: readonly StandingBlock[]): StandingBlock[] {
  const covered = new Set<string>();
  const standing: StandingBlock[] = [];
  for (const block of [...blocks].reverse()) {
    if (prunes(block)) {
      standing.push(block);
      continue;
    }
    const shared = block.entryIds.filter((id) => covered.has(id)).length;
    if (shared > 0 && shared < block.entryIds.length) continue;
    standing.push(block);
    for (const id of block.entryIds) covered.add(id);
  }
  return standing.reverse();
}

function prunes(block: Block): boolean {
  return blockForm(block.metadata.summary_type).covers === 'results';
}

/** The messages of these entries, with every block in the place of the first or the last entry it stands for. */
export function placeBlocks(
  entries: readonly Entry[],
  blocks: readonly StandingBlock[],
  ledger: TokenLedger,
): ContextMessage[] {
  const owners = ownersOf(blocks);
  const cache = MessageCache.of(ledger);
  const places = placesOf(entries, owners);
  const messages: ContextMessage[] = [];
  for (const entry of entries) {
    const owner = owners.get(entry.id);
    if (!owner) messages.push(cache.get(entry, () => entryMessage(entry, ledger)));
    else if (prunes(owner)) messages.push(cache.pruned(entry, owner, () => prunedMessage(entry, owner, ledger)));
    else if (places.get(owner) === entry) messages.push(cache.get(owner, () => blockMessage(owner, ledger)));
  }
  return messages;
}

/** What was placed last with a ledger: a context that only goes on differs from it at its end. */
class NewestPlacement {
  static readonly #ofLedger = new WeakMap<TokenLedger, NewestPlacement>();
  #entries: readonly Entry[] = [];
  #blocks: readonly StandingBlock[] = [];
  /** Entries beneath a block. */
  #owned: { has(id: string): boolean } = new Map();
  #messages: readonly ContextMessage[] = [];
  private constructor(private readonly ledger: TokenLedger) {}

  static of(ledger: TokenLedger): NewestPlacement {
    const known = NewestPlacement.#ofLedger.get(ledger) ?? new NewestPlacement(ledger);
    NewestPlacement.#ofLedger.set(ledger, known);
    return known;
  }

  place(entries: readonly Entry[], blocks: readonly StandingBlock[]): readonly ContextMessage[] {
    const hasSameBlocks = sameFromStart(this.#blocks, blocks) === Math.max(this.#blocks.length, blocks.length);
    const longer = hasSameBlocks ? this.#goOn(entries) : null;
    if (!hasSameBlocks) this.#owned = ownersOf(blocks);
    this.#messages = longer ?? placeBlocks(entries, blocks, this.ledger);
    this.#blocks = blocks;
    this.#entries = entries;
    return this.#messages;
  }

  /** Where no block owns what differs at the end, each entry there is one message. */
  #goOn(entries: readonly Entry[]): readonly ContextMessage[] | null {
    const same = sameFromStart(this.#entries, entries);
    const [gone, added] = [this.#entries.slice(same), entries.slice(same)];
    const isOwned = ({ id }: Entry) => this.#owned.has(id);
    if (gone.some(isOwned) || added.some(isOwned)) return null;
    const kept = this.#messages.slice(0, this.#messages.length - gone.length);
    return kept.concat(placeBlocks(added, [], this.ledger));
  }
}

/** At which entry each block stands. */
function placesOf(entries: readonly Entry[], owners: ReadonlyMap<string, StandingBlock>): Map<StandingBlock, Entry> {
  const places = new Map<StandingBlock, Entry>();
  for (const entry of entries) {
    const owner = owners.get(entry.id);
    if (owner && (owner.place === 'last' || !places.has(owner))) places.set(owner, entry);
  }
  return places;
}

/** The block that an entry lies beneath: the newest, since a later block swallows the earlier ones whole. */
function ownersOf(blocks: readonly StandingBlock[]): Map<string, StandingBlock> {
  const owners = new Map<string, StandingBlock>();
  for (const block of blocks) for (const id of block.entryIds) owners.set(id, block);
  return owners;
}

/**
 * One message object for each entry and for each block, so that what did not change can be told by identity and costs
 * nothing again. Counts belong to a ledger, and so do the messages.
 */
class MessageCache {
  static readonly #ofLedger = new WeakMap<TokenLedger, MessageCache>();
  readonly #messages = new WeakMap<Entry | StandingBlock, ContextMessage>();
  readonly #pruned = new WeakMap<Entry, ContextMessage>();

  static of(ledger: TokenLedger): MessageCache {
    const cache = MessageCache.#ofLedger.get(ledger) ?? new MessageCache();
    MessageCache.#ofLedger.set(ledger, cache);
    return cache;
  }

  get(source: Entry | StandingBlock, make: () => ContextMessage): ContextMessage {
    const known = this.#messages.get(source);
    if (known) return known;
    const message = make();
    this.#messages.set(source, message);
    return message;
  }

  /** An entry is pruned by one block at a time. */
  pruned(entry: Entry, by: StandingBlock, make: () => ContextMessage): ContextMessage {
    const known = this.#pruned.get(entry);
    if (known?.pruned?.seq === by.seq) return known;
    const message = make();
    this.#pruned.set(entry, message);
    return message;
  }
}

function entryMessage(entry: Entry, ledger: TokenLedger): ContextMessage {
  return {
    key: entry.id,
    role: entry.role,
    kind: entryKind(entry),
    entryIds: [entry.id],
    parts: entry.parts,
    tokens: ledger.ofEntry(entry),
    timestamp: entry.timestamp,
    injected: entry.injected === true,
  };
}

export const coreKey = 'core';

export function blockKey(seq: number): string {
  return `block:${seq}`;
}

function blockMessage(block: StandingBlock, ledger: TokenLedger): ContextMessage {
  const parts = [{ type: 'text', text: block.text } as const];
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

/** The call keeps its result, and the result its outcome; only what it said is gone. */
function prunedMessage(entry: Entry, block: StandingBlock, ledger: TokenLedger): ContextMessage {
  const parts = entry.parts.map((part) => prunedPart(part, block.text));
  return { ...entryMessage(entry, ledger), parts, tokens: ledger.ofParts(parts), pruned: identityOf(block) };
}

export function prunedPart(part: Part, text: string): Part {
  return part.type === 'tool_result' ? { ...part, text } : part;
}

/** A block's text begins with its tag on a line of its own. */
export function blockText(summaryType: string, body: string): string {
  return `${blockForm(summaryType).tag}\n${body.trim()}`;
}

function coreMessage(core: CoreState | null, ledger: TokenLedger): ContextMessage | null {
  if (!core) return null;
  const parts = [{ type: 'text', text: coreText(core) } as const];
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

function withCore(messages: readonly ContextMessage[], core: ContextMessage): ContextMessage[] {
  const afterSystem = messages.findIndex((message) => message.kind !== 'system');
  const at = afterSystem === -1 ? messages.length : afterSystem;
  return [...messages.slice(0, at), core, ...messages.slice(at)];
}
