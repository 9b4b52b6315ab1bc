import type { Row } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import type { Actions } from '../actions';
import type { Notices } from '../notices.svelte';
import type { SessionState } from '../session.svelte';
import type { PanelTabs, Tab } from '../tabs.svelte';
import type { Travel } from '../travel/travel.svelte';
import { pinKindLabels } from './core-items';
import type { PinDraft, PinForm } from './pin-form.svelte';

/** The parts of the panel that pinning uses. */
interface PinningPanel {
  readonly session: SessionState;
  readonly travel: Travel;
  readonly tabs: PanelTabs;
  readonly pinForm: PinForm;
  readonly actions: Actions;
  readonly notices: Notices;
}

/** Opens the form that pins, and returns to where it was opened from. */
export class Pinning {
  /** The tab to which a narrow panel returns after the form closes. */
  #tabBefore: Tab | null = null;

  constructor(private readonly panel: PinningPanel) {}

  open = (draft: Partial<PinDraft> = {}): void => {
    if (!this.panel.session.view) return;
    this.panel.travel.toNow();
    this.#rememberTab();
    this.panel.pinForm.open(draft);
    this.panel.tabs.select('core');
  };

  openFromRow = (row: Row): void => {
    this.#rememberTab();
    void this.panel.pinForm.openFromRow(row);
    this.panel.tabs.select('core');
  };

  submit = async (): Promise<void> => {
    const { kind } = this.panel.pinForm;
    if (!(await this.panel.pinForm.submit())) return;
    this.#pinned(kind);
    this.#goBack();
  };

  cancel = (): void => {
    this.panel.pinForm.close();
    this.#goBack();
  };

  /** Pins a selection verbatim, without the form. */
  pin = async (draft: PinDraft): Promise<void> => {
    if (await this.panel.actions.pin(draft)) this.#pinned(draft.kind);
  };

  #pinned(kind: PinDraft['kind']): void {
    this.panel.notices.tell(t('{0} pinned.', pinKindLabels[kind]));
  }

  #rememberTab(): void {
    if (!this.panel.pinForm.isOpen) this.#tabBefore = this.panel.tabs.chosen;
  }

  #goBack(): void {
    if (this.#tabBefore !== null) this.panel.tabs.select(this.#tabBefore);
    this.#tabBefore = null;
  }
}
