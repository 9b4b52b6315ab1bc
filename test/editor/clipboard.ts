import type { Workbench } from './browser-editor/workbench.ts';

/** What was copied last, in the window of the editor. */
export async function clipboardText({ page }: Workbench): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return await page.evaluate(() => navigator.clipboard.readText());
}
