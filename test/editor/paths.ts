import { join, resolve } from 'node:path';

export const projectFolder = resolve(import.meta.dirname, '../..');

/** Holds the editors that tests run in. Git ignores it, and test-electron uses the same name. */
export const editorCacheFolder = join(projectFolder, '.vscode-test');

/** What a run leaves behind for a person to look at. Git ignores it. */
export const outputFolder = join(projectFolder, 'test/.output');

/** All that the browser editor logged while the in-host tests ran in it. */
export const hostEditorLog = join(outputFolder, 'in-host-editor.log');
