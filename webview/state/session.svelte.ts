import type { RowSizes, SessionChange } from '../../extension/protocol/messages';
import type { Row, SessionView } from '../../extension/protocol/view';

const noRows: readonly Row[] = [];

/** `growth`: the agent's session has grown. `journal`: a compaction, an undo, a redo or a pin. */
export type ContextChange = 'growth' | 'journal';

export interface ContextRevision {
  readonly context: number;
  readonly growth: number;
}

/** The session on screen, kept up to date with the host's changes. */
export class SessionState {
  view = $state.raw<SessionView | null>(null);
  /** Counts only changes of the rows: a preview is valid until the context itself changes. */
  contextRevision = $state(0);
  /** Counts the changes for which the agent's session grew; a compaction, an undo or a pin does not count. */
  growthRevision = $state(0);

  /** The rows of now, kept while another moment is shown. */
  #rowsNow: readonly Row[] = noRows;

  readonly rows = $derived(this.view?.rows ?? noRows);

  open(view: SessionView): void {
    this.view = view;
    this.#noteChange('growth');
  }

  close(): void {
    this.view = null;
    this.#noteChange('growth');
  }

  /** The change of the context since that revision; null if there is none. */
  changeSince(revision: ContextRevision): ContextChange | null {
    if (revision.context === this.contextRevision) return null;
    return revision.growth === this.growthRevision ? 'journal' : 'growth';
  }

  get revision(): ContextRevision {
    return { context: this.contextRevision, growth: this.growthRevision };
  }

  #noteChange(change: ContextChange): void {
    this.contextRevision += 1;
    if (change === 'growth') this.growthRevision += 1;
  }

  /** `out-of-step` if an earlier change was missed; the view must then be read again. */
  apply(change: SessionChange): 'applied' | 'out-of-step' {
    if (!this.view || !follows(this.view, change)) return 'out-of-step';
    const before = this.view;
    this.view = changedView(before, change);
    if (this.#changesNow(before, this.view, change)) this.#noteChange(causeOf(before, this.view));
    return 'applied';
  }

  /** The rows of another moment do not change the context. */
  #changesNow(before: SessionView, after: SessionView, change: SessionChange): boolean {
    if (before.past === null && after.past === null) return changesContext(before, change);
    if (before.past === null) this.#rowsNow = before.rows;
    if (after.past !== null) return false;
    const rows = this.#rowsNow;
    this.#rowsNow = noRows;
    return rows.length !== after.rows.length || after.rows.some((row, index) => !hasSameText(row, rows[index]));
  }
}

/** Growth that arrives together with a change of the journal counts as the latter: both leave a preview out of date. */
function causeOf(before: SessionView, after: SessionView): ContextChange {
  const isSame = before.core.asserted === after.core.asserted && appliedIn(before) === appliedIn(after);
  return isSame ? 'growth' : 'journal';
}

function appliedIn({ compactions }: SessionView): string {
  return compactions.flatMap(({ id, by, active }) => (by === 'strata' && active ? [id] : [])).join();
}

function follows(view: SessionView, change: SessionChange): boolean {
  if (change.revision !== view.revision + 1) return false;
  const { splice } = change;
  return !splice || splice.at + splice.removed <= view.rows.length;
}

/** False if the change only adds earlier rows of the same context or replaces estimates by counts. */
function changesContext({ rows, earlierRowsFollow }: SessionView, { splice }: SessionChange): boolean {
  if (!splice) return false;
  if (earlierRowsFollow && splice.removed === 0 && splice.at === 0) return false;
  const { at, removed } = splice;
  return removed !== splice.rows.length || splice.rows.some((row, index) => !hasSameText(row, rows[at + index]));
}

/** Whether two rows are equal except for their tokens. */
function hasSameText(row: Row, other: Row | undefined): boolean {
  return (
    row.key === other?.key &&
    row.preview === other.preview &&
    row.tool?.outcome === other.tool?.outcome &&
    row.tool?.result === other.tool?.result &&
    row.tool?.pruned === other.tool?.pruned &&
    row.block?.compactionId === other.block?.compactionId &&
    row.images === other.images
  );
}

/** Unchanged rows stay identical objects, so that the timeline does not render them again. */
function changedView(view: SessionView, change: SessionChange): SessionView {
  const { splice, sizes, ...fields } = change;
  const rows = splice ? spliced(view.rows, splice) : view.rows;
  return { ...view, ...fields, rows: sizes ? resized(rows, sizes) : rows };
}

function spliced(rows: readonly Row[], splice: NonNullable<SessionChange['splice']>): readonly Row[] {
  return rows.slice(0, splice.at).concat(splice.rows, rows.slice(splice.at + splice.removed));
}

function resized(rows: readonly Row[], sizes: RowSizes): readonly Row[] {
  return rows.map((row, index) => {
    const tokens = sizes.rows[index] ?? row.tokens;
    const block = row.block && { ...row.block, tokensBefore: sizes.blocks[row.block.compactionId] ?? null };
    if (row.tokens === tokens && row.block?.tokensBefore === block?.tokensBefore) return row;
    return { ...row, tokens, block };
  });
}
