import type { Completion, LanguageModel, Prompt } from '../../engine/block/language-model';
import type { Summary, SummaryRequest } from '../../engine/block/summary';
import type { Conversation } from '../../engine/conversation/conversation';
import type { Entry } from '../../engine/conversation/entry';
import type { CounterName } from '../../engine/conversation/tokens';
import type { PortableRun } from '../../engine/run/prepare/portable-run';
import type { RunInput, RunProgress } from '../../engine/run/prepare/run-input';

/** A compacting thread has copies of conversations, which only grow. */
export interface CompactingContract {
  readonly requests: {
    readonly count: { params: CountOrder; result: readonly number[] };
    readonly entries: { params: EntriesOrder; result: undefined };
    readonly prepare: { params: PrepareOrder; result: PortableRun };
    /** Drops a copy. */
    readonly forget: { params: { readonly copy: number }; result: undefined };
  };
  readonly progress: RunProgress;
  readonly question: Question;
  readonly answer: Answered;
}

/** Counts texts. The thread keeps none of them. */
interface CountOrder {
  readonly counter: CounterName;
  readonly texts: readonly string[];
}

/** Adds entries to a copy. */
export interface EntriesOrder {
  readonly copy: number;
  readonly entries: readonly Entry[];
  /** Counts by part, entry after entry; -1 if not counted. */
  readonly counts: readonly number[];
  /** The counter of a new copy. Ignored once the copy exists. */
  readonly counter: CounterName;
}

export interface PrepareOrder {
  readonly copy: number;
  readonly counter: CounterName;
  readonly conversation: CopiedConversation;
  readonly input: PortableInput;
  readonly tools: PortableTools;
}

/** Entries by index in the copy. */
export interface CopiedConversation extends Omit<Conversation, 'entries' | 'agentContext'> {
  readonly entries: Uint32Array;
  readonly agentContext: Uint32Array;
}

/** A run's input without what cannot be copied to a thread. All that is left must be plain data. */
export type PortableInput = Omit<
  RunInput,
  'conversation' | 'tools' | 'ledger' | 'signal' | 'now' | 'clock' | 'onProgress'
> & { readonly hasProgress: boolean };

export type ModelIdentity = Pick<LanguageModel, 'name' | 'model' | 'concurrency'>;

/** The tools of a run, as the thread rebuilds them. The owner answers their questions. */
export interface PortableTools {
  readonly summarizer:
    | { readonly kind: 'transparent' }
    | { readonly kind: 'model'; readonly identity: ModelIdentity; readonly maxPromptTokens: number }
    | { readonly kind: 'asked'; readonly name: string; readonly model: string | null; readonly concurrency: number };
  readonly hasWithoutModel: boolean;
  readonly model: ModelIdentity | null;
  readonly embedder: { readonly kind: 'local' } | { readonly kind: 'asked'; readonly name: string };
}

/** A summary request with entries by index in the copy. */
export interface PortableRequest extends Omit<SummaryRequest, 'turns' | 'countTokens'> {
  readonly turns: readonly (Omit<SummaryRequest['turns'][number], 'user' | 'entries'> & {
    readonly user: number | null;
    readonly entries: readonly number[];
  })[];
}

export type Question =
  | { readonly kind: 'summarize'; readonly request: PortableRequest; readonly hasText: boolean }
  | {
      readonly kind: 'complete';
      /** The summarizer's model, or the model beside it. */
      readonly of: 'summarizer' | 'model';
      readonly prompt: Prompt;
      readonly maxTokens: number;
      readonly hasText: boolean;
    }
  | { readonly kind: 'embed'; readonly texts: readonly string[] };

export type Answered = Summary | Completion | readonly (readonly number[])[];
