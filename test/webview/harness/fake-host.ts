import type { Notifications, PanelStart, SessionChange, Topic } from '../../../extension/protocol/messages';
import type { RequestHandlers } from '../../../extension/protocol/rpc';
import type {
  CompactionDetail,
  LossView,
  PreviewBlock,
  PreviewView,
  RewritingView,
  Row,
  SessionView,
  SummarizerView,
} from '../../../extension/protocol/view';
import { agentSetups } from './agent-setups.ts';
import { askedOf, askingCost } from './asking.ts';
import { buildScenario, gaugeOf, type Scenario, sessionList } from './scenario.ts';
import { comparisonRowOf, model, noModel, strategies, writers, writingCostOf, writtenRowOf } from './strategies.ts';
import { pictures } from './texts.ts';

export interface FakeHostOptions {
  readonly placement: 'view' | 'editor';
  readonly hasSession: boolean;
  /** Replaces the scenario's view, for large or odd sessions. */
  readonly change?: (view: SessionView) => SessionView;
  readonly summarizer?: SummarizerView;
  /** Milliseconds that a dry run takes. */
  readonly comparing?: number;
}

/** Answers the panel as the extension host would, from a scenario in memory. */
export class FakeHost {
  view: SessionView | null;
  readonly asked: string[] = [];
  /** If set, every request fails with this message. */
  failure: string | null = null;
  /** Milliseconds that a preview takes. */
  previewing = 150;
  /** Overrides for previews. */
  previewed: Partial<PreviewView> = {};
  notify: <T extends Topic>(topic: T, body: Notifications[T]) => void = () => undefined;
  /** Compactions whose text was changed since. */
  readonly #changed = new Map<string, CompactionDetail>();
  #preview: PreviewView;
  #previews = 0;
  readonly #scenario: Scenario;
  readonly #options: FakeHostOptions;

  constructor(options: FakeHostOptions) {
    this.#options = options;
    this.#scenario = buildScenario(Date.now());
    const { view, preview } = this.#scenario;
    this.#preview = preview;
    this.view = options.hasSession ? (options.change?.(view) ?? view) : null;
  }

  readonly handlers: RequestHandlers = this.#recording({
    start: async () => this.#start(),
    'list-sessions': async () => sessionList(Date.now()),
    'open-session': async () => null,
    'read-own-conversations': async () => ({
      count: 3,
      size: '4.1 MB',
      folder: '/home/anna/.config/Code/User/globalStorage/strata.strata',
    }),
    'manage-own-conversations': async () => ({ count: 0, size: '0 kB', folder: '' }),
    'choose-session-file': async () => null,
    'rows-beneath': async ({ compactionId }) => ({
      rows: this.#scenario.beneath.get(compactionId) ?? [],
      unread: null,
    }),
    'read-row': async ({ key }) => {
      const detail = this.#scenario.details.get(key);
      if (!detail) throw new Error(`No row ${key}`);
      return detail;
    },
    'reveal-row': async () => null,
    'reveal-entry': async () => null,
    'reveal-issue': async () => null,
    'preview-compaction': async ({ strategy }) => {
      await wait(this.previewing);
      this.#preview = { ...this.#scenario.preview, strategy, ...this.previewed };
      return this.#preview;
    },
    'edit-preview': async ({ block, text }) => this.#changePreview(block, (old) => edited(old, text)),
    'put-back-into-preview': async ({ block, texts }) =>
      this.#changePreview(block, (old) => ({
        ...edited(old, withTexts(old.editable, texts)),
        loss: old.loss && foundAgain(old.loss, texts),
      })),
    'compare-strategy': async ({ strategy }) => {
      await wait(this.#options.comparing ?? 10);
      if (strategy === 'hybrid') throw new Error('The encoder could not be loaded: ENOENT, no such file or directory');
      return comparisonRowOf(strategy, this.view?.gauge.total ?? 0);
    },
    'writing-cost': async ({ strategy }) => writingCostOf(strategy),
    'write-compared': async ({ strategy }) => {
      await wait(this.previewing);
      return writtenRowOf(strategy, this.view?.gauge.total ?? 0);
    },
    'read-preview': async ({ id }) => ({
      ...this.#scenario.preview,
      id,
      strategy: id.replace(/^(compared|written)-/, ''),
    }),
    'apply-preview': async () => null,
    'asking-cost': async () => askingCost,
    'ask-both': async ({ standard, own }) => {
      await wait(this.previewing);
      return askedOf(standard, own);
    },
    'cancel-compaction': async () => null,
    'read-compaction': async ({ id }) => {
      return this.#detail(id);
    },
    'put-back': async ({ id, texts }) => {
      const { editable, loss } = this.#detail(id);
      return this.#changeBlock(id, {
        ...textOfBlock(withTexts(editable, texts)),
        loss: loss && foundAgain(loss, texts),
      });
    },
    'edit-block': async ({ id, text }) => {
      if (text.length > 20_000) throw new Error('The text is larger than what it stands for.');
      return this.#changeBlock(id, textOfBlock(text));
    },
    'write-again': async ({ id }) => {
      await wait(this.previewing);
      return this.#rewriting(id);
    },
    'keep-rewriting': async () => null,
    'open-rewriting-diff': async () => null,
    'restore-text': async () => null,
    'exclude-row': async () => null,
    'read-history': async () => this.#scenario.history,
    travel: async ({ moment }) => this.#travel(moment),
    'find-rows': async () => ({ keys: [] }),
    'read-images': async () => pictures,
    'open-link': async () => null,
    'open-diff': async () => null,
    undo: async ({ run = 4 }) => this.#undo(run),
    redo: async () => null,
    pin: async () => null,
    'copy-forgotten': async () => null,
    'propose-core': async () => ({ added: 2 }),
    'change-core-item': async ({ id, status }) => {
      const core = this.view?.core;
      if (core) {
        const items = core.items.map((item) => (item.id === id ? { ...item, status } : item));
        this.change({ core: { ...core, items } });
      }
      return null;
    },
    'edit-core-item': async ({ id, text, rationale }) => {
      const core = this.view?.core;
      if (core) {
        const items = core.items.map((item) => (item.id === id ? { ...item, text, rationale } : item));
        this.change({ core: { ...core, items } });
      }
      return null;
    },
    'order-core-items': async ({ ids }) => {
      const core = this.view?.core;
      if (core) {
        const ordered = ids.flatMap((id) => core.items.find((item) => item.id === id) ?? []);
        const isOrdered = (id: string) => ids.includes(id);
        const items = core.items.map((item) => (isOrdered(item.id) ? (ordered.shift() ?? item) : item));
        this.change({ core: { ...core, items } });
      }
      return null;
    },
    'toggle-auto-compact': async () => {
      const auto = this.view?.autoCompact;
      if (auto) this.change({ autoCompact: { ...auto, enabled: !auto.enabled } });
      return null;
    },
    'choose-summarizer': async () => {
      this.notify('summarizer-changed', { summarizer: model });
      return null;
    },
    'read-writers': async () => writers,
    'answer-writer': async ({ id }) => {
      const summarizer = id === 'none' ? noModel : model;
      this.notify('summarizer-changed', { summarizer });
      return { isAnswered: true };
    },
    'hand-off': async () => null,
    fork: async () => null,
    'fork-whole': async () => null,
    'fork-and-resume': async () => null,
    'compact-in-place': async () => null,
    resume: async () => null,
    'delete-fork': async () => null,
    'open-in-editor': async () => null,
    'read-evaluation': async () => ({ source: '', report: null, replay: null }),
    'read-probe': async ({ id }) => this.#noResults(id),
    'read-replay-boundary': async ({ id }) => this.#noResults(id),
    'run-evaluation': async () => null,
    'list-agents': async () => agentSetups,
    'show-setup-file': async () => null,
    'set-up-agent': async () => ({ agents: agentSetups, outcome: null }),
    'remove-from-agent': async () => ({ agents: agentSetups, outcome: null }),
    'check-agent': async ({ agent }) => ({
      agents: agentSetups,
      outcome: { text: `${agent} sees Strata’s tools.`, isGood: true },
    }),
    'cancel-evaluation': async () => null,
    'choose-evaluation': async () => null,
    'show-study': async () => null,
    'export-evaluation': async () => null,
  });

  #rewriting(id: string): RewritingView {
    const { after: text, loss } = this.#detail(id);
    if (loss === null) throw new Error(`Block ${id} has no text.`);
    const shorter = text.split('\n').filter((_, index) => index % 7 !== 3);
    return {
      id: '1',
      before: { summarizer: 'extractive', text, tokens: 1_240, loss },
      after: {
        summarizer: 'scripted',
        text: [...shorter, '- The width of characters is open.'].join('\n'),
        tokens: 910,
        loss,
      },
      tokensSpent: { input: 14_200, output: 930 },
    };
  }

  #noResults(id: string): never {
    throw new Error(`No results, so no ${id}`);
  }

  /** Sends a change and applies it to the host's own view. */
  change(change: Omit<SessionChange, 'revision'>): void {
    if (!this.view) return;
    const revision = this.view.revision + 1;
    const { splice, ...fields } = change;
    const rows = splice ? spliced(this.view.rows, splice.at, splice.removed, splice.rows) : this.view.rows;
    this.view = { ...this.view, ...fields, rows, revision };
    this.notify('session-changed', { change: { ...change, revision } });
  }

  append(...rows: readonly Row[]): void {
    const at = this.view?.rows.length ?? 0;
    this.change({ splice: { at, removed: 0, rows } });
  }

  /** At a moment, the sample has the rows up to that share of the session. */
  #travel(moment: number | null): null {
    const { view, history } = this.#scenario;
    const of = history.moments.length;
    const at = moment === null ? undefined : history.points[moment];
    const share = moment === null ? 1 : (moment + 1) / of;
    const rows = view.rows.slice(0, Math.max(1, Math.round(view.rows.length * share)));
    const past =
      moment === null || at === undefined
        ? null
        : { moment, of, at: at.at, turn: at.turn, time: at.time, after: 'message' as const };
    const total = at?.tokens ?? view.gauge.total;
    this.view = { ...view, revision: (this.view?.revision ?? 0) + 1, past, rows, gauge: { ...view.gauge, total } };
    this.notify('session-opened', { view: this.view });
    return null;
  }

  #undo(seq: number): null {
    const rows = this.view?.rows ?? [];
    const at = rows.findIndex(({ key }) => key === `block:${seq}`);
    const restored = this.#scenario.beneath.get(`strata:${seq}`) ?? [];
    const compactions = (this.view?.compactions ?? []).map((one) =>
      one.seq === seq ? { ...one, active: false } : one,
    );
    if (at < 0) throw new Error(`#${seq} lies beneath a later compaction; undo that one first`);
    const changed = spliced(rows, at, 1, restored);
    this.change({
      splice: { at, removed: 1, rows: restored },
      gauge: gaugeOf(changed),
      compactions,
      undo: null,
      redo: { label: `#${seq}` },
    });
    return null;
  }

  #start(): PanelStart {
    return {
      view: this.view,
      sessions: sessionList(Date.now()),
      strategies,
      defaultStrategy: 'pipeline',
      summarizer: this.#options.summarizer ?? noModel,
      placement: this.#options.placement,
      busy: null,
      opening: null,
      evaluation: { revision: 0, running: null },
    };
  }

  #detail(id: string): CompactionDetail {
    const several = this.view?.compactions.find((one) => one.id === id && one.blocks.length > 1);
    if (several) return { ...this.#detail('strata:3'), id, before: '', after: '', fates: [], editable: null };
    const block = id.replace('run:', 'strata:');
    const detail = this.#changed.get(block) ?? this.#scenario.compactionDetails.get(block);
    if (!detail) throw new Error(`No compaction ${id}`);
    return detail;
  }

  #changeBlock(id: string, changed: Partial<CompactionDetail>): null {
    this.#changed.set(id, { ...this.#detail(id), ...changed });
    const compactions = (this.view?.compactions ?? []).map((one) =>
      one.blocks.some((block) => block.id === id) ? { ...one, edited: true } : one,
    );
    this.change({ compactions });
    return null;
  }

  /** Makes a new preview for every change, as the real host does. */
  #changePreview(block: number, change: (old: PreviewBlock) => PreviewBlock): PreviewView {
    this.#previews += 1;
    const blocks = this.#preview.blocks.map((old, index) => (index === block ? change(old) : old));
    this.#preview = { ...this.#preview, id: `preview-1-${this.#previews}`, blocks };
    return this.#preview;
  }

  /** Records every request, and lets a test make requests fail. */
  #recording(handlers: RequestHandlers): RequestHandlers {
    const recording = Object.entries(handlers).map(([method, handler]) => [
      method,
      async (params: never) => {
        this.asked.push(`${method} ${JSON.stringify(params)}`);
        if (this.failure !== null) throw new Error(this.failure);
        return (handler as (params: never) => Promise<unknown>)(params);
      },
    ]);
    return Object.fromEntries(recording) as RequestHandlers;
  }
}

function edited(block: PreviewBlock, text: string): PreviewBlock {
  return { ...block, editable: text, after: `${block.tag}\n${text}`, edited: true };
}

function textOfBlock(text: string): Pick<CompactionDetail, 'editable' | 'after'> {
  return { editable: text, after: `[SUMMARIZED]\n${text}` };
}

function withTexts(text: string | null, added: readonly string[]): string {
  return `${text ?? ''}\n\n## Put Back\n${added.join('\n')}`;
}

function foundAgain(loss: LossView, texts: readonly string[]): LossView {
  const isLost = ({ text }: { text: string }) => !texts.includes(text);
  const { messages, files, open } = loss;
  return {
    ...loss,
    messages: { ...messages, listed: messages.listed.filter(isLost) },
    files: { ...files, listed: files.listed.filter(isLost) },
    open: { ...open, listed: open.listed.filter(isLost) },
  };
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function spliced(rows: readonly Row[], at: number, removed: number, added: readonly Row[]): Row[] {
  return [...rows.slice(0, at), ...added, ...rows.slice(at + removed)];
}
