import { tick } from 'svelte';
import type { Panel } from '../../state/panel.svelte';
import { lineOfEntry } from '../../state/timeline/outline';
import { firstShown, returnFocus } from '../shared/return-focus';

const tree = '[role=tree]';

/** Moves to the row that shows an entry; if the timeline has no such row, the host opens the session file. */
export async function revealEntry(panel: Panel, entryId: string): Promise<void> {
  const { timeline } = panel;
  const index = lineOfEntry(timeline.lines, entryId);
  if (index < 0) {
    await panel.actions.revealEntry(entryId);
    return;
  }
  timeline.moveTo(index);
  if (!panel.tabs.isWide) panel.tabs.select('timeline');
  await tick();
  await new Promise(requestAnimationFrame);
  const active = firstShown(tree)?.getAttribute('aria-activedescendant');
  if (active) document.getElementById(active)?.scrollIntoView({ block: 'center' });
  await returnFocus(() => firstShown(tree));
}
