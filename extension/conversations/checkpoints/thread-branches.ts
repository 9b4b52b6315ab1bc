import type { Entry } from '../../engine/conversation/entry';
import { hasReply } from '../requests/continuation';
import { keyedBeginning } from '../requests/identity';
import { memoryRecorded } from '../shelves/recorded';
import {
  type ConversationShelf,
  type MemoryShelf,
  memoryShelf,
  type ShelvedConversation,
  usualShelf,
} from '../shelves/shelf';
import { weakly } from '../weakly';
import { LineJournal } from './line-journal';
import type { SavedLines } from './saved-journals';

type RequestEntries = readonly Pick<Entry, 'id' | 'role'>[];

/** The state of an agent that a request comes from. */
export interface ThreadPlace {
  /** Stores the state. Threads of different checkpointers are always different. */
  readonly checkpointer: object;
  /** Tenant. Absent: the agent has none. */
  readonly scope: string | undefined;
  readonly thread: string;
  /** Place of the agent in the run of another agent; empty for the outermost. */
  readonly within: string;
}

/** One history of a thread. A run that continues from an older checkpoint begins another one. */
export class ThreadBranch {
  readonly conversation = memoryRecorded();
  readonly journal: LineJournal;
  /** Number of lines of the journal that were found in the state. */
  #found: number;
  /** The last message of the newest request. */
  #newest: string | null = null;
  /** Number of lines that were saved with the answer to that request; null before the answer. */
  #answered: number | null = null;

  constructor(
    readonly id: string,
    /** Names the conversation in messages. */
    readonly key: string,
    readonly name: string,
    saved: SavedLines,
    /** Place of the agent, as in `ThreadPlace`. */
    public within: string,
  ) {
    this.journal = new LineJournal(saved, { agent: 'strata', id, file: '' });
    this.#found = saved.lines.length;
  }

  get shelved(): ShelvedConversation {
    return { conversation: this.conversation, journal: this.journal };
  }

  /** Whether a request with these lines in its state continues this branch, or repeats its newest request. */
  isOf(asked: RequestEntries, { lines }: SavedLines): boolean {
    if (!this.journal.agreesWith(lines) || lines.length < this.#found) return false;
    const place = this.placeIn(asked);
    if (place === -1) return false;
    const own = this.journal.lines.length;
    if (this.#answered === null || this.#newest === null) return true;
    // A request that is repeated belongs to another branch if something was recorded after its first answer.
    return place === asked.length - 1 ? own <= this.#answered : lines.length >= this.#answered;
  }

  /** Index of the newest request's last message; -1 if these messages do not contain it. */
  placeIn(asked: RequestEntries): number {
    return this.#newest === null ? asked.length : asked.findLastIndex(({ id }) => id === this.#newest);
  }

  /** Index of its newest message, as a rule an answer; -1 if these messages do not contain it. The agent may have changed an answer. */
  endIn(asked: RequestEntries): number {
    const end = this.conversation.conversation.agentContext.at(-1)?.id;
    return asked.findLastIndex(({ id }) => id === end);
  }

  /** Continues the branch with a request. */
  take(asked: RequestEntries, { lines }: SavedLines, within: string): this {
    this.journal.take(lines);
    this.#found = lines.length;
    this.#newest = asked.at(-1)?.id ?? null;
    this.#answered = null;
    this.within = within;
    return this;
  }

  /** The lines that the agent's state does not have yet. They are saved there with the answer. */
  added(): { readonly from: number; readonly lines: readonly string[] } {
    const { lines } = this.journal;
    this.#answered = lines.length;
    return { from: this.#found, lines: lines.slice(this.#found) };
  }
}

/** Maximum number of branches of one thread that this process keeps. Others are restored from the state. */
const mostBranches = 4;

/** The branches of threads that this process has followed. A branch that was dropped is restored from messages and state. */
export class ThreadBranches {
  /** By thread, most recently used last; within a thread, newest branch last. */
  readonly #threads = new Map<string, readonly ThreadBranch[]>();
  /** Branches in use, including dropped ones: a call may take minutes and needs its branch until then. */
  readonly #byId = new Map<string, Pick<WeakRef<ThreadBranch>, 'deref'>>();
  /** Null on a platform without weak references. A branch is then dropped with its thread. */
  readonly #released =
    typeof FinalizationRegistry === 'undefined'
      ? null
      : new FinalizationRegistry<string>((id) => this.#byId.delete(id));
  readonly #checkpointers = new WeakMap<object, number>();
  #count = 0;

  constructor(private readonly mostThreads = usualShelf) {}

  /** The branch that a request continues. */
  of(place: ThreadPlace, asked: RequestEntries, saved: SavedLines): ThreadBranch {
    const { checkpointer, scope, thread, within } = place;
    const name = JSON.stringify([this.#numberOf(checkpointer), scope ?? null, thread]);
    const known = this.#threads.get(name) ?? [];
    const branch =
      nearest(
        known.filter((one) => one.within === within && one.isOf(asked, saved)),
        asked,
      ) ??
      adopted(known, place, asked, saved) ??
      this.#restored(place, saved);
    this.#use(name, [...known.filter((one) => one !== branch), branch]);
    return branch.take(asked, saved, within);
  }

  #numberOf(checkpointer: object): number {
    const number = this.#checkpointers.get(checkpointer) ?? this.#nextNumber();
    this.#checkpointers.set(checkpointer, number);
    return number;
  }

  #nextNumber(): number {
    this.#count += 1;
    return this.#count;
  }

  #restored({ scope, thread, within }: ThreadPlace, saved: SavedLines): ThreadBranch {
    const name = String(this.#nextNumber());
    const key = within === '' ? thread : `${thread}/${within}`;
    const { id } = keyedBeginning(key, scope, '', name);
    const branch = new ThreadBranch(id, key, name, saved, within);
    this.#byId.set(id, weakly(branch));
    this.#released?.register(branch, id);
    return branch;
  }

  #use(name: string, branches: readonly ThreadBranch[]): void {
    this.#threads.delete(name);
    this.#threads.set(name, branches.slice(-mostBranches));
    this.#drop(branches.slice(0, -mostBranches));
    for (const [oldest, dropped] of this.#threads) {
      if (this.#threads.size <= this.mostThreads) break;
      this.#threads.delete(oldest);
      this.#drop(dropped);
    }
  }

  #drop(branches: readonly ThreadBranch[]): void {
    if (this.#released === null) for (const { id } of branches) this.#byId.delete(id);
  }

  /** For `createConversations`. */
  get shelf(): ConversationShelf {
    const memory: MemoryShelf = memoryShelf(this.mostThreads);
    return {
      ...memory,
      openOrCreate: async (beginning) =>
        this.#byId.get(beginning.id)?.deref()?.shelved ?? (await memory.openOrCreate(beginning)),
    };
  }
}

/** An agent within the graph of another agent starts each run with an empty state, and gets its messages from that graph. */
function adopted(
  known: readonly ThreadBranch[],
  { within }: ThreadPlace,
  asked: RequestEntries,
  { lines }: SavedLines,
) {
  if (within === '' || lines.length > 0 || !hasReply(asked)) return undefined;
  const before = known.filter((one) => agentAt(one.within) === agentAt(within) && one.placeIn(asked) !== -1);
  return nearest(before, asked);
}

/** The branch that has most of these messages; the newest one if several have equally many. */
function nearest(branches: readonly ThreadBranch[], asked: RequestEntries): ThreadBranch | undefined {
  return [...branches].sort((a, b) => a.endIn(asked) - b.endIn(asked)).at(-1);
}

/** Without the task ids, which are new in each run. */
function agentAt(within: string): string {
  return within.replace(/:[^|]*/g, '');
}
