import type { Background } from '../../engine/run/background';
import type { ThreadEnded } from '../../platform/threads/thread-ended';
import { ThreadLink } from '../../platform/threads/thread-link';
import { BackgroundConversation, type CompactingLink, type LinkSource } from './background-conversation';

interface LinkTimes {
  /** Milliseconds without work after which the thread ends and frees its memory. */
  readonly idleMs: number;
  /** Maximum milliseconds between messages from a thread with pending work, except while it waits for a model's answer. */
  readonly silentMs: number;
}

export interface CompactingThreadsOptions {
  /** The built program. */
  readonly program: string | URL;
  /** Maximum memory per thread in megabytes. Default: Node's limit. */
  readonly maxMemory?: number;
  /** For logs: a thread could not be started, or ended unexpectedly. */
  readonly onNotice: (message: string) => void;
  /** Maximum number of threads. Default: 2. */
  readonly most?: number;
  readonly times?: Partial<LinkTimes>;
}

/** Memory for new objects, in megabytes. Node's 48 for each thread would mostly hold texts that were counted already. */
const maxYoungGenerationSizeMb = 12;

/** A slow machine needs some seconds per megabyte. */
const usualTimes: LinkTimes = { idleMs: 30_000, silentMs: 180_000 };

/** Counts tokens and prepares compactions in threads, so that the main thread stays responsive. */
export class CompactingThreads implements LinkSource {
  readonly #links: CompactingLink[] = [];
  readonly #linkOf = new WeakMap<BackgroundConversation, CompactingLink>();
  /** Drops the copy of a conversation that was garbage-collected. */
  readonly #gone = new FinalizationRegistry<number>((copy) => {
    // A thread that has ended has no copies.
    for (const link of this.#links) link.request('forget', { copy }).catch(() => undefined);
  });
  #lastCopy = 0;
  /** Set when a thread could not be started; no further one is tried. */
  #notStarted: ThreadEnded | null = null;

  constructor(private readonly options: CompactingThreadsOptions) {}

  /** For one conversation. */
  background(): Background {
    this.#lastCopy += 1;
    const conversation = new BackgroundConversation(this, this.#lastCopy);
    this.#gone.register(conversation, this.#lastCopy);
    return conversation;
  }

  linkFor(conversation: BackgroundConversation): CompactingLink {
    if (this.#notStarted) throw this.#notStarted;
    const known = this.#linkOf.get(conversation);
    if (known?.isAlive) return known;
    const link = this.#leastBusy();
    this.#linkOf.set(conversation, link);
    return link;
  }

  #leastBusy(): CompactingLink {
    const { most = 2, times, program, maxMemory } = this.options;
    this.#links.splice(0, this.#links.length, ...this.#links.filter(({ isAlive }) => isAlive));
    const [idlest] = this.#links.toSorted((a, b) => a.load - b.load);
    if (idlest && (idlest.load === 0 || this.#links.length >= most)) return idlest;
    const limits = {
      maxYoungGenerationSizeMb,
      ...(maxMemory === undefined ? {} : { maxOldGenerationSizeMb: maxMemory }),
    };
    const link: CompactingLink = new ThreadLink({ program, limits, ...usualTimes, ...times });
    this.#links.push(link);
    return link;
  }

  lost(error: ThreadEnded): boolean {
    const wasKnown = this.#notStarted !== null;
    if (error.end === 'not-started') this.#notStarted = error;
    // Work that ran out of memory or did not end would do the same on this thread and block it.
    const isDoneHere = error.end === 'not-started' || error.end === 'died';
    if (isDoneHere && !wasKnown) this.notice(`${error.message} What it did is done on the main thread instead.`);
    return isDoneHere;
  }

  notice(message: string): void {
    this.options.onNotice(message);
  }

  /** Ends the threads. The next work starts new ones. */
  dispose(): void {
    for (const link of this.#links.splice(0)) void link.dispose();
  }
}
