export type Tab = 'timeline' | 'compactions' | 'core' | 'preview' | 'evaluate';

/** Which tabs there is room for, and which of them is shown. */
export class PanelTabs {
  /** True if the timeline and the tabs fit side by side. */
  isWide = $state(false);
  /** True if not all tabs fit on one line. */
  isSlim = $state(false);
  /** The tab that was selected last, which the panel may have no room for. */
  chosen = $state<Tab>('timeline');

  constructor(private readonly hasPreview: () => boolean) {}

  /** The timeline is next to the tabs, unless the charts of an evaluation need the room. */
  readonly isSplit = $derived(this.isWide && this.chosen !== 'evaluate');
  /** The dashboard is about no session, so in a slim panel its tab makes room for those of this one. */
  readonly all: readonly Tab[] = $derived.by(() => {
    const tabs: Tab[] = this.isSplit ? ['compactions', 'core'] : ['timeline', 'compactions', 'core'];
    if (this.hasPreview()) tabs.push('preview');
    return this.isSlim && this.chosen !== 'evaluate' ? tabs : [...tabs, 'evaluate'];
  });
  readonly shown: Tab = $derived(this.all.includes(this.chosen) ? this.chosen : (this.all[0] ?? 'compactions'));

  select = (tab: Tab): void => {
    this.chosen = tab;
  };
}
