import type { FillHome } from './browser-editor/kept-editor.ts';
import type { Workbench, WorkbenchOptions } from './browser-editor/workbench.ts';
import { type ExampleOptions, Suite } from './suite.ts';

/**
 * Opens an editor for a walk, and closes it when the walk ends. With options, the walk gets an editor of its own. If
 * the walk only needs files in the home of its person, the server is used again by the next walk, which is much faster.
 */
export type OpenEditor = (how?: WorkbenchOptions | FillHome) => Promise<Workbench>;

export const walks = new Suite<OpenEditor>();

/**
 * A walk through the editor as a person would take it:
 *
 *     walk('the sentence that holds', async (openEditor) => {
 *       const workbench = await openEditor();
 *       await workbench.runCommand('Strata: Open');
 *     });
 */
export function walk(
  sentence: string,
  steps: (openEditor: OpenEditor) => Promise<void>,
  options?: ExampleOptions,
): void {
  walks.add(sentence, steps, options);
}
