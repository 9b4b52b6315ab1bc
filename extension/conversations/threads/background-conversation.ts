import { commonPrefixLength } from '../../engine/conversation/common-prefix';
import type { Conversation } from '../../engine/conversation/conversation';
import { countAhead, uncountedIn } from '../../engine/conversation/counting-ahead';
import type { Entry } from '../../engine/conversation/entry';
import { type CounterName, type TokenLedger, textLength } from '../../engine/conversation/tokens';
import type { Background } from '../../engine/run/background';
import { rebuildingRun } from '../../engine/run/prepare/portable-run';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import { findStrategy } from '../../engine/run/prepare/registry';
import type { RunInput } from '../../engine/run/prepare/run-input';
import { wordingOf } from '../../engine/wording/localizable-text';
import { inSlices, othersHadTheirTurn } from '../../platform/files/in-slices';
import { oneByOne } from '../../platform/files/in-turn';
import { ThreadEnded } from '../../platform/threads/thread-ended';
import type { ThreadLink } from '../../platform/threads/thread-link';
import type { CompactingContract, CopiedConversation, PortableInput, PortableTools } from './messages';
import { answerTo, portableTools } from './portable-tools';

/** Maximum length of text that is counted on this thread, in UTF-16 units; takes some milliseconds. */
const countedAtOnce = 20_000;

/** Amount copied to the thread before yielding: text in UTF-16 units, and entries. */
const slice = { length: 262_144, entries: 500 };

export type CompactingLink = ThreadLink<CompactingContract>;

export interface LinkSource {
  /** The thread of this conversation. Throws `ThreadEnded` if there can be none. */
  linkFor(conversation: BackgroundConversation): CompactingLink;
  /** A thread ended with pending work. Returns whether the work is done on this thread instead, and reports that. */
  lost(error: ThreadEnded): boolean;
  /** A message for logs. */
  notice(message: string): void;
}

/** Counts and prepares for one conversation in a thread. For runs the thread keeps a copy, so only new entries are sent. */
export class BackgroundConversation implements Background {
  /** The thread that has the copy. */
  #link: CompactingLink | null = null;
  #entries: Entry[] = [];
  #places = new Map<Entry, number>();
  /** The newest context that was checked completely. Counting the rest of it takes no time. */
  #counted: { readonly entries: readonly Entry[]; readonly ledger: TokenLedger | null } = { entries: [], ledger: null };
  /** Serializes sending. */
  readonly #inTurn = oneByOne();

  constructor(
    private readonly links: LinkSource,
    /** Names the copy. */
    readonly copy: number,
  ) {}

  async count({ agentContext }: Conversation, ledger: TokenLedger, signal: AbortSignal): Promise<void> {
    const added = agentContext.slice(commonPrefixLength(this.#counted.entries, agentContext));
    const unchecked = this.#counted.ledger === ledger ? added : agentContext;
    if (uncountedIn(unchecked, ledger).length <= countedAtOnce) {
      this.#counted = { entries: agentContext, ledger };
      return;
    }
    try {
      await this.#inTurn(() => this.#countInThread(agentContext, ledger, signal));
      this.#counted = { entries: agentContext, ledger };
    } catch (error) {
      signal.throwIfAborted();
      if (!this.#lost(error)) this.links.notice(`Tokens could not be counted in a thread: ${wordingOf(error)}`);
    }
  }

  /** The thread does not keep the texts that it counts, because most conversations are compacted long after they are counted, or never. */
  async #countInThread(entries: readonly Entry[], ledger: TokenLedger, signal: AbortSignal): Promise<void> {
    const link = this.#linkNow();
    const counter = counterOf(ledger);
    const count = (texts: readonly string[]) => link.request('count', { counter, texts }, { signal });
    await countAhead(uncountedIn(entries, ledger), ledger, count, signal);
  }

  async prepare(input: RunInput): Promise<PreparedRun | null> {
    const { strategy, tools, signal } = input;
    const portable = portableTools(tools);
    const group = findStrategy(strategy)?.group;
    if (portable === null || group === undefined || group === 'custom') return null;
    try {
      return await this.#prepare(input, portable);
    } catch (error) {
      signal.throwIfAborted();
      if (this.#lost(error)) return null;
      throw error;
    }
  }

  async #prepare(input: RunInput, tools: PortableTools): Promise<PreparedRun> {
    const { conversation, ledger, signal, onProgress } = input;
    const everything = new Set([...conversation.agentContext, ...conversation.entries]);
    const [link, copied, known] = await this.#inTurn(async () => {
      const link = await this.#send([...everything], ledger);
      return [link, this.#copied(conversation), this.#entries] as const;
    });
    const entryAt = (place: number) => {
      const entry = known[place];
      if (!entry) throw new Error(`A compacting thread named entry ${place}, which is unknown.`);
      return entry;
    };
    const run = await link.request(
      'prepare',
      { ...this.#copyFor(ledger), conversation: copied, input: portableInput(input), tools },
      {
        signal,
        onQuestion: (asked, onText, signal) =>
          answerTo(asked, input.tools, { signal, onText, entryAt, countTokens: ledger.countText }),
        ...(onProgress ? { onProgress } : {}),
      },
    );
    await othersHadTheirTurn();
    return await inSlices(rebuildingRun(run, input), { signal });
  }

  /** Adds these entries to the copy. */
  async #send(entries: readonly Entry[], ledger: TokenLedger): Promise<CompactingLink> {
    const link = this.#linkNow();
    const sending: Promise<void>[] = [];
    for (const some of slicesOf(entries.filter((entry) => !this.#places.has(entry)))) {
      const sent = this.#sendSlice(link, some, ledger);
      // A failure is handled below, after all slices are sent.
      sent.catch(() => undefined);
      sending.push(sent);
      await othersHadTheirTurn();
    }
    await Promise.all(sending);
    return link;
  }

  async #sendSlice(link: CompactingLink, entries: readonly Entry[], ledger: TokenLedger): Promise<void> {
    for (const entry of entries) {
      this.#places.set(entry, this.#entries.length);
      this.#entries.push(entry);
    }
    const parts = entries.flatMap((entry) => entry.parts);
    const counts = parts.map((part) => (ledger.has(part) ? ledger.ofPart(part) : -1));
    // Without a signal: entries stay in the copy even if the caller has aborted.
    await link.request('entries', { ...this.#copyFor(ledger), entries, counts });
  }

  #copyFor(ledger: TokenLedger): { copy: number; counter: CounterName } {
    return { copy: this.copy, counter: counterOf(ledger) };
  }

  /** A new thread has no copy yet. */
  #linkNow(): CompactingLink {
    const link = this.links.linkFor(this);
    if (link !== this.#link) {
      this.#link = link;
      this.#entries = [];
      this.#places = new Map();
    }
    return link;
  }

  #copied({ entries, agentContext, ...rest }: Conversation): CopiedConversation {
    const placesOf = (some: readonly Entry[]) => Uint32Array.from(some, (entry) => this.#places.get(entry) ?? 0);
    return { ...rest, entries: placesOf(entries), agentContext: placesOf(agentContext) };
  }

  #lost(error: unknown): boolean {
    if (error instanceof ThreadEnded) return this.links.lost(error);
    if (!(error instanceof DOMException) || error.name !== 'DataCloneError') return false;
    this.links.notice(`A conversation could not be copied to a thread: ${error.message}`);
    return true;
  }
}

/** The editor counts on several threads, with functions that have no name, as `o200k` does. */
function counterOf({ countText: { counter = 'o200k' } }: TokenLedger): CounterName {
  return counter;
}

function* slicesOf(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let some: Entry[] = [];
  let length = 0;
  for (const entry of entries) {
    some.push(entry);
    length += lengthOf(entry);
    if (length < slice.length && some.length < slice.entries) continue;
    yield some;
    some = [];
    length = 0;
  }
  if (some.length > 0) yield some;
}

function lengthOf({ parts }: Entry): number {
  return parts.reduce((total, part) => total + textLength(part), 0);
}

function portableInput(input: RunInput): PortableInput {
  const { conversation: _c, tools: _t, ledger: _l, signal: _s, now: _n, clock: _k, onProgress, ...plain } = input;
  return { ...plain, hasProgress: onProgress !== undefined };
}
