import { join, resolve } from 'node:path';

export const projectFolder = resolve(import.meta.dirname, '../..');

/** The folder of the editors that tests run in. Git ignores it, and test-electron uses the same name. */
export const editorCacheFolder = join(projectFolder, '.vscode-test');

/** The folder of the results of a run that a person may look at. Git ignores it. */
export const outputFolder = join(projectFolder, 'test/.output');

/** Everything that the browser editor logged during the tests in the extension host. */
export const hostEditorLog = join(outputFolder, 'in-host-editor.log');
