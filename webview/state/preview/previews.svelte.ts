import type { BusyView } from '../../../extension/protocol/messages';
import type { ComparisonRow, RowRange } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import type { Actions } from '../actions';
import { previewedGauge } from '../header/gauge';
import type { SessionState } from '../session.svelte';
import type { PanelTabs } from '../tabs.svelte';
import type { Travel } from '../travel/travel.svelte';
import type { Comparison } from './comparison.svelte';
import { type Leaving, leavingOf, noneLeaving } from './leaving';
import type { CompactionPreview } from './preview.svelte';

/** The preview tab shows one strategy in full, or a comparison of all of them. */
export type PreviewMode = 'one' | 'compare';

/** The parts of the panel that previewing uses. */
interface PreviewsPanel {
  readonly session: SessionState;
  readonly preview: CompactionPreview;
  readonly comparison: Comparison;
  readonly travel: Travel;
  readonly tabs: PanelTabs;
  readonly actions: Actions;
  /** The running operation of the host. */
  readonly busy: BusyView | null;
}

/** The preview tab: one strategy in full, or a comparison of several, and what they show in the rest of the panel. */
export class Previews {
  mode = $state<PreviewMode>('one');

  constructor(private readonly panel: PreviewsPanel) {}

  /** The rows that the preview on screen would replace. */
  readonly leaving: Leaving = $derived.by(() => {
    const { session, preview } = this.panel;
    if (session.view?.past) return noneLeaving;
    const { isOpen, shown, isOfContext } = preview;
    const isShown = isOpen && this.mode === 'one' && isOfContext;
    return isShown && shown !== null ? leavingOf(shown) : noneLeaving;
  });
  /** The preview on screen, as long as it is about the present context. */
  readonly current = $derived.by(() => {
    const { isOpen, shown, isOfContext } = this.panel.preview;
    return isOpen && isOfContext ? shown : null;
  });
  /** The gauge after the preview, while that is the moment that is shown. */
  readonly gauge = $derived.by(() => {
    const { session, travel } = this.panel;
    return session.view && this.current && travel.isFuture ? previewedGauge(session.view.gauge, this.current) : null;
  });
  /** The running operation, unless the visible tab shows it. Single dry runs are too short to be shown. */
  readonly busyElsewhere = $derived.by(() => {
    const { comparison, preview } = this.panel;
    if (comparison.isRunning) return this.#isOnScreen('compare') ? null : this.#comparisonBusy;
    if (comparison.written.isWriting && comparison.beside.columns === null && this.#isOnScreen('compare')) return null;
    return preview.phase.kind === 'working' && this.#isOnScreen('one') ? null : this.panel.busy;
  });

  /** Opens the preview, limited to a range of turns. */
  openRange = (range: RowRange): void => {
    this.panel.preview.range.set(range);
    this.open();
  };

  open = (): void => {
    const { session, travel, comparison, preview } = this.panel;
    if (!session.view) return;
    travel.toNow();
    this.mode = 'one';
    // The host runs one operation at a time.
    if (comparison.isRunning) preview.isOpen = true;
    else preview.open();
    preview.wantsFocus = true;
    this.show();
  };

  /** Keeps an existing comparison, even if it is out of date: it says so itself. */
  openComparison = (): void => {
    const { session, travel, comparison, preview } = this.panel;
    if (!session.view) return;
    travel.toNow();
    this.mode = 'compare';
    preview.isOpen = true;
    this.show();
    if (comparison.phase === 'idle') this.compare();
  };

  compare = (): void => {
    const { comparison, preview } = this.panel;
    void comparison.start(preview.offered);
  };

  /** Offers all strategies or the usual ones; a comparison then adds those that it lacks. */
  offerAll = (offersAll: boolean): void => {
    const { comparison, preview } = this.panel;
    preview.offersAll = offersAll;
    if (!offersAll || comparison.staleness !== null) this.compare();
    else void comparison.add(preview.offered);
  };

  /** Moves from the table to the full preview of one strategy, which can be applied. */
  openCompared = (row: ComparisonRow): void => {
    const { comparison, preview } = this.panel;
    if (row.previewId === null) return;
    this.mode = 'one';
    void preview.read(row.previewId, row.strategy, comparison.revision);
  };

  show = (): void => {
    this.panel.tabs.select('preview');
  };

  close = (): void => {
    const { comparison, preview } = this.panel;
    if (preview.isWorking || comparison.isWorking) this.cancel();
    preview.close();
    this.panel.tabs.select('timeline');
  };

  /** Stops the host's running operation; a preview that waits for it returns to its settings. */
  cancel = (): void => {
    const { comparison, preview } = this.panel;
    comparison.stop();
    if (preview.phase.kind === 'working') preview.stop();
    void this.panel.actions.cancelCompaction();
  };

  get #comparisonBusy(): BusyView {
    const { done, total } = this.panel.comparison;
    return { label: t('Comparing strategies: {0} of {1}', done, total), cancellable: true, progress: null };
  }

  #isOnScreen(mode: PreviewMode): boolean {
    return this.panel.tabs.shown === 'preview' && this.mode === mode;
  }
}
