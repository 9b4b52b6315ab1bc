import type { Workbench } from './browser-editor/workbench.ts';

/** The text that was copied last in the editor's window. */
export async function clipboardText({ page }: Workbench): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return await page.evaluate(() => navigator.clipboard.readText());
}
