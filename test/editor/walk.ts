import type { Workbench, WorkbenchOptions } from './browser-editor/workbench.ts';
import { type ExampleOptions, Suite } from './suite.ts';

/** Opens an editor for a walk. It is closed when the walk ends. */
export type OpenEditor = (options?: WorkbenchOptions) => Promise<Workbench>;

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
