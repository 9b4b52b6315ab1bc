import type { Caller } from '../../../extension/protocol/rpc';
import type { PreviewView, RowRange, StrategyView, SummarizerView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { Asking } from '../asking/asking.svelte';
import { TextEdit } from '../compactions/text-edit.svelte';
import type { ContextRevision, SessionState } from '../session.svelte';
import { load, messageOf } from '../shared/loadable';
import { PutBack } from '../shared/put-back.svelte';
import { PreviewRange, sameRange } from './preview-range.svelte';

/** The inputs of a preview, which is valid only as long as none of them has changed. */
interface PreviewQuestion {
  readonly strategy: string;
  readonly instructions: string;
  readonly range: RowRange | null;
  readonly targetTokens: number | null;
  readonly revision: ContextRevision;
  readonly summarizer: string | null;
}

/** `chosen`: the summarizer that the host used, which can be newer than the one that the panel knew when it asked. */
type Prepared = PreviewView & { readonly chosen?: string };

type PreviewPhase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'working' }
  | { readonly kind: 'ready'; readonly preview: PreviewView; readonly question: PreviewQuestion }
  | { readonly kind: 'applying'; readonly preview: PreviewView; readonly question: PreviewQuestion }
  | { readonly kind: 'failed'; readonly message: string };

/** `session-changed`: the agent's session has grown. `journal-changed`: a compaction, an undo or a pin changed the context. */
type PreviewStaleness = 'current' | 'settings-changed' | 'summarizer-changed' | 'session-changed' | 'journal-changed';

/** Changes to the text of one block before it is applied. */
export interface PreviewRepair {
  readonly edit: TextEdit;
  readonly putBack: PutBack;
}

/** Request a preview, review it, edit a text if needed, then apply exactly that; nothing changes before. */
export class CompactionPreview {
  isOpen = $state(false);
  /** The focus should move to the first field as soon as it is rendered. */
  wantsFocus = $state(false);
  strategies = $state.raw<readonly StrategyView[]>([]);
  strategy = $state('');
  instructions = $state('');
  /** The summarizer; null until the host has reported it. */
  summarizer = $state.raw<SummarizerView | null>(null);
  phase = $state.raw<PreviewPhase>({ kind: 'idle' });
  /** Why applying failed; the preview stays on screen. */
  failure = $state<string | null>(null);

  readonly range: PreviewRange;
  /** Size of the context at which the run stops; null: as the strategy is set. */
  targetTokens = $state<number | null>(null);
  /** Whether all strategies are offered, not only the usual ones. */
  offersAll = $state(false);
  #defaultStrategy = $state('');
  /** One per opened block; a new preview has new blocks. */
  #repairs = $state.raw<readonly PreviewRepair[]>([]);
  /** Questions about the preview on screen; null without one. */
  asking = $state.raw<Asking | null>(null);
  /** A text is being changed: the preview on screen is about to be replaced. */
  isChanging = $state(false);

  /** Number of the newest request; answers to older ones are dropped. */
  #asked = 0;

  constructor(
    private readonly session: SessionState,
    private readonly request: Caller['request'],
  ) {
    this.range = new PreviewRange(session);
  }

  /** The usual strategies, the chosen one and the one of the settings; or all. */
  readonly offered: readonly StrategyView[] = $derived.by(() =>
    this.offersAll
      ? this.strategies
      : this.strategies.filter(({ name, usual }) => usual || name === this.strategy || name === this.#defaultStrategy),
  );
  readonly chosen = $derived.by(() => this.strategies.find(({ name }) => name === this.strategy) ?? null);
  readonly shown = $derived.by(() => ('preview' in this.phase ? this.phase.preview : null));
  readonly isWorking = $derived.by(() => this.phase.kind === 'working' || this.phase.kind === 'applying');

  /** Why the preview may be out of date. */
  readonly staleness: PreviewStaleness = $derived.by(() => {
    if (!('question' in this.phase)) return 'current';
    const { strategy, instructions, range, targetTokens, revision, summarizer } = this.phase.question;
    if (strategy !== this.strategy || instructions !== this.instructions) return 'settings-changed';
    if (!sameRange(range, this.range.value) || targetTokens !== this.targetTokens) return 'settings-changed';
    if (summarizer !== this.#summarizerName) return 'summarizer-changed';
    const change = this.session.changeSince(revision);
    if (change === null) return 'current';
    return change === 'growth' ? 'session-changed' : 'journal-changed';
  });
  /** It is about the context as it is now. */
  readonly isOfContext = $derived.by(
    () => this.staleness !== 'session-changed' && this.staleness !== 'journal-changed',
  );

  /** True if the user has started to edit a text and neither saved nor discarded it. */
  readonly hasDraft = $derived.by(() => this.#repairs.some(({ edit }) => edit.isOpen));
  readonly isEdited = $derived.by(() => this.shown?.blocks.some(({ edited }) => edited) ?? false);
  readonly canApply = $derived.by(
    () =>
      this.phase.kind === 'ready' &&
      this.phase.preview.blocks.length > 0 &&
      this.staleness === 'current' &&
      !this.isChanging &&
      !this.hasDraft,
  );

  configure(strategies: readonly StrategyView[], defaultStrategy: string): void {
    this.strategies = strategies;
    this.#defaultStrategy = defaultStrategy;
    if (!strategies.some(({ name }) => name === this.strategy)) this.strategy = defaultStrategy;
  }

  repairOf(block: number): PreviewRepair | null {
    return this.#repairs[block] ?? null;
  }

  /** Requests a preview at once if it is free of cost; a model's tokens are spent only on the user's request. */
  open(): void {
    this.isOpen = true;
    const hasAnswer = this.isWorking || (this.phase.kind === 'ready' && this.#isOfRange && !this.#contextChanged);
    if (!hasAnswer && !this.summarizer?.usesModel) void this.refresh();
  }

  refresh = (): Promise<void> => {
    const question = this.#question();
    const { strategy, instructions, range, targetTokens } = question;
    return this.#answer(question, this.request('preview-compaction', { strategy, instructions, range, targetTokens }));
  };

  /** Shows the result of a comparison as a preview. Comparisons have no instructions, range or target. */
  read(id: string, strategy: string, revision: ContextRevision): Promise<void> {
    this.isOpen = true;
    this.strategy = strategy;
    const question = { ...this.#question(), instructions: '', range: null, targetTokens: null, revision };
    return this.#answer(question, this.request('read-preview', { id }));
  }

  /** True if the compaction was applied; the preview then closes. */
  apply = async (): Promise<boolean> => {
    const { phase } = this;
    if (phase.kind !== 'ready' || this.isChanging) return false;
    this.phase = { ...phase, kind: 'applying' };
    this.failure = null;
    try {
      await this.request('apply-preview', { id: phase.preview.id });
      this.close();
      return true;
    } catch (error) {
      this.failure = messageOf(error);
      this.phase = phase;
      return false;
    }
  };

  /** Stops the running request and keeps the settings. The answer of that request is dropped. */
  stop(): void {
    this.#asked += 1;
    this.phase = { kind: 'idle' };
  }

  close(): void {
    this.stop();
    this.isOpen = false;
    this.failure = null;
    this.instructions = '';
    this.range.set(null);
    this.targetTokens = null;
  }

  #question(): PreviewQuestion {
    return {
      strategy: this.strategy,
      instructions: this.instructions,
      range: this.range.value,
      targetTokens: this.targetTokens,
      revision: this.session.revision,
      summarizer: this.#summarizerName,
    };
  }

  get #isOfRange(): boolean {
    return 'question' in this.phase && sameRange(this.phase.question.range, this.range.value);
  }

  get #contextChanged(): boolean {
    return 'question' in this.phase && this.session.changeSince(this.phase.question.revision) !== null;
  }

  get #summarizerName(): string | null {
    return this.summarizer?.label ?? null;
  }

  async #answer(question: PreviewQuestion, answer: Promise<Prepared>): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    this.phase = { kind: 'working' };
    this.failure = null;
    const read = await load(answer);
    if (asked !== this.#asked) return;
    if (read.kind === 'failed') {
      this.phase = read;
      this.asking = null;
      this.#repairs = [];
      return;
    }
    const { value: preview } = read;
    const summarizer = preview.chosen ?? question.summarizer;
    this.phase = { kind: 'ready', preview, question: { ...question, summarizer } };
    this.asking = this.#newAsking(preview.id);
    this.#repairs = preview.blocks.map((_, block) => this.#newRepair(block));
  }

  #newAsking(first: string): Asking {
    return new Asking(() => ({ of: 'preview', id: this.shown?.id ?? first }), this.request);
  }

  #newRepair(block: number): PreviewRepair {
    return {
      edit: new TextEdit((text) => this.#change((id) => this.request('edit-preview', { id, block, text }))),
      putBack: new PutBack((texts) =>
        this.#change((id) => this.request('put-back-into-preview', { id, block, texts })),
      ),
    };
  }

  /** One change at a time, because each applies to the preview that results from the previous one. */
  async #change(ask: (id: string) => Promise<PreviewView>): Promise<void> {
    const { phase } = this;
    if (phase.kind !== 'ready' || this.isChanging) throw new Error(t('The preview is already being changed.'));
    this.isChanging = true;
    try {
      const preview = await ask(phase.preview.id);
      if (this.phase !== phase) return;
      this.phase = { ...phase, preview };
      this.asking?.renew();
    } finally {
      this.isChanging = false;
    }
  }
}
