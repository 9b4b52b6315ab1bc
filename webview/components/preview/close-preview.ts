import type { Panel } from '../../state/panel.svelte';
import { firstShown, returnFocus } from '../shared/return-focus';

/** The first action in the header opens the preview. */
const opener = 'header [role=toolbar] vscode-button';

export async function closePreview(panel: Panel): Promise<void> {
  panel.previews.close();
  await returnFocus(() => firstShown(opener));
}
