import type { FillHome } from './browser-editor/kept-editor.ts';
import type { Workbench, WorkbenchOptions } from './browser-editor/workbench.ts';
import { type ExampleOptions, Suite } from './suite.ts';

/**
 * Opens an editor for a walk. It is closed when the walk ends. With options it is one of its own; where all that the walk
 * needs is in the home of its person, the server goes on to the next walk, and that is much faster.
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
