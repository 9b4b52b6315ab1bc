import type { Row } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import type { Tab } from '../panel-choices';
import { pinKindLabels } from './core-items';
import type { PinDraft, PinForm } from './pin-form.svelte';

/** What pinning needs of the panel. */
interface PinningPanel {
  readonly hasSession: () => boolean;
  readonly toNow: () => void;
  readonly tab: () => Tab;
  readonly selectTab: (tab: Tab) => void;
  readonly tell: (text: string) => void;
  /** True if it was pinned. */
  readonly pin: (draft: PinDraft) => Promise<boolean>;
}

/** Opens the form that pins, and returns to where it was opened from. */
export class Pinning {
  /** The tab to which a narrow panel returns after the form closes. */
  #tabBefore: Tab | null = null;

  constructor(
    private readonly form: PinForm,
    private readonly panel: PinningPanel,
  ) {}

  open = (draft: Partial<PinDraft> = {}): void => {
    if (!this.panel.hasSession()) return;
    this.panel.toNow();
    this.#rememberTab();
    this.form.open(draft);
    this.panel.selectTab('core');
  };

  openFromRow = (row: Row): void => {
    this.#rememberTab();
    void this.form.openFromRow(row);
    this.panel.selectTab('core');
  };

  submit = async (): Promise<void> => {
    const { kind } = this.form;
    if (!(await this.form.submit())) return;
    this.#pinned(kind);
    this.#goBack();
  };

  cancel = (): void => {
    this.form.close();
    this.#goBack();
  };

  /** Pins a selection verbatim, without the form. */
  pin = async (draft: PinDraft): Promise<void> => {
    if (await this.panel.pin(draft)) this.#pinned(draft.kind);
  };

  #pinned(kind: PinDraft['kind']): void {
    this.panel.tell(t('{0} pinned.', pinKindLabels[kind]));
  }

  #rememberTab(): void {
    if (!this.form.isOpen) this.#tabBefore = this.panel.tab();
  }

  #goBack(): void {
    if (this.#tabBefore !== null) this.panel.selectTab(this.#tabBefore);
    this.#tabBefore = null;
  }
}
