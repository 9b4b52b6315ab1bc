/** `npm run screenshots` copies the pictures of the gallery walk into docs/screenshots. */
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { screenshotFolder } from './browser-editor/workbench.ts';
import { projectFolder } from './paths.ts';

const folder = join(projectFolder, 'docs/screenshots');
await mkdir(folder, { recursive: true });
for (const name of await readdir(screenshotFolder)) {
  if (/^(?:inspector|chat)-/.test(name)) await copyFile(join(screenshotFolder, name), join(folder, name));
}
