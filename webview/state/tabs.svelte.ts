export type Tab = 'timeline' | 'compactions' | 'core' | 'preview' | 'evaluate';

/** The tabs that fit, and the one that is shown. */
export class PanelTabs {
  /** True if the timeline and the tabs fit side by side. */
  isWide = $state(false);
  /** True if not all tabs fit on one line. */
  isSlim = $state(false);
  /** The tab that was selected last; there may be no room for it. */
  chosen = $state<Tab>('timeline');

  constructor(private readonly hasPreview: () => boolean) {}

  /** The timeline is next to the tabs, unless the charts of an evaluation need the room. */
  readonly isSplit = $derived(this.isWide && this.chosen !== 'evaluate');
  /** The dashboard does not belong to a session, so in a narrow panel its tab gives way to the session's tabs. */
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
