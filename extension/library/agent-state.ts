import { AIMessage } from '@langchain/core/messages';
import { Command, ReducedValue, StateSchema } from '@langchain/langgraph';
import * as z from 'zod/v4';
import type { LineJournal } from '../conversations/checkpoints/line-journal';
import { type AddedLines, savedLines, withAdded } from '../conversations/checkpoints/saved-journals';
import { type SavedReply, savedReply, withReply, withSavedReplies } from '../conversations/checkpoints/saved-replies';
import { type ThreadBranch, ThreadBranches, type ThreadPlace } from '../conversations/checkpoints/thread-branches';
import { Troubles } from '../conversations/troubles';
import type { Recorder } from '../middleware/requests/record-request';
import type { IncomingRequest, RecordedRequest } from '../middleware/requests/recording';
import type { Conversations } from './conversations';

/** The default name of the middleware. */
export const middlewareName = 'StrataMiddleware';

/** The part of an agent's state in which a middleware of this name stores journals. Names that begin with `_` are private to a middleware: neither input nor output has them. */
export function journalsIn(middleware: string): string {
  return `_${middleware}`;
}

/** A separate part of the state for what providers reported about replies, because it changes with each reply. */
export function repliesIn(middleware: string): string {
  return `${journalsIn(middleware)}Replies`;
}

/** Whether the state of an agent has journals. They are not read if the agent has a store too. */
export function hasJournals(middleware: string, state: Readonly<Record<string, unknown>>): boolean {
  const journals = state[journalsIn(middleware)];
  return Array.isArray(journals) && journals.length > 0;
}

export function stateSchemaOf(middleware: string) {
  return new StateSchema({
    [journalsIn(middleware)]: reduced(withAdded),
    [repliesIn(middleware)]: reduced(withReply),
  });
}

function reduced(reducer: (value: unknown, added: unknown) => unknown) {
  return new ReducedValue(
    z.unknown().default(() => []),
    { inputSchema: z.unknown(), reducer },
  );
}

/** The conversations of an agent whose journals are in its own state, which a checkpointer stores. */
export class StateJournals {
  readonly branches = new ThreadBranches();
  #troubles: Troubles | null = null;

  constructor(private readonly middleware: string) {}

  /** `state`: the agent's state when the model is called. */
  call(place: CallPlace, state: Readonly<Record<string, unknown>>): StateCall {
    return new StateCall(this, place, state[journalsIn(this.middleware)], state[repliesIn(this.middleware)]);
  }

  /** The command that adds lines of a journal and the report about a reply to the state; null if there is neither. */
  saving(added: AddedLines, reply: SavedReply | null): Command | null {
    if (added.lines.length === 0 && reply === null) return null;
    return new Command({
      update: {
        ...(added.lines.length === 0 ? {} : { [journalsIn(this.middleware)]: added }),
        ...(reply === null ? {} : { [repliesIn(this.middleware)]: reply }),
      },
    });
  }

  /** Reports once which part of a journal cannot be used. */
  tell({ key, journal }: ThreadBranch, conversations: Conversations): void {
    this.#troubles ??= new Troubles((message) => conversations.notify(message));
    if (journal.issues.length === 0) return;
    this.#troubles.tell(`${unusableText(key, journal)}${journal.isSaved ? '' : keptHere}`);
  }
}

type CallPlace = Omit<ThreadPlace, 'scope'>;

/** One call of a model. */
export class StateCall {
  #branch: ThreadBranch | null = null;
  #scope: string | undefined;

  constructor(
    private readonly journals: StateJournals,
    private readonly place: CallPlace,
    /** The journals in the agent's state. */
    private readonly saved: unknown,
    /** The reports about replies in the agent's state. */
    private readonly replies: unknown,
  ) {}

  recorder(conversations: Conversations): Recorder {
    return {
      keep: (request) => this.#keep(conversations, request),
      windowOf: (model) => conversations.windowOf(model),
      now: () => conversations.now(),
      notify: (message) => conversations.notify(message),
    };
  }

  #keep(conversations: Conversations, request: IncomingRequest): Promise<RecordedRequest> {
    const { scope } = request.identity ?? {};
    const saved = savedLines(this.saved, scope);
    const entries = withSavedReplies(request.received.entries, this.replies);
    const branch = this.journals.branches.of({ ...this.place, scope }, entries, saved);
    this.#branch = branch;
    this.#scope = scope;
    this.journals.tell(branch, conversations);
    const received = { ...request.received, entries };
    const identity = { conversation: branch.key, scope, branch: branch.name };
    return conversations.keep({ ...request, received, identity });
  }

  /** The answer, with the additions to the journal. A structured answer has no place for them, so they are saved with the next answer. */
  answered<A>(answer: A): A | Command {
    if (this.#branch === null || !AIMessage.isInstance(answer)) return answer;
    const added = { scope: this.#scope ?? null, ...this.#branch.added() };
    const reply = savedReply(this.#branch.conversation.conversation.agentContext.at(-1));
    return this.journals.saving(added, reply) ?? answer;
  }
}

/** A notice about the part of a checkpoint's journal that cannot be used, with the reason. */
export function unusableText(thread: string, { issues }: LineJournal): string {
  return `The journal in the checkpoint of the thread ${thread} cannot be used as a whole: ${issues.join(' ')}`;
}

const keptHere = ' What is compacted, undone or pinned in this thread from now on is kept in this process alone.';
