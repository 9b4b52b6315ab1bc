/** `npm run moving-pictures` records the four stories in the editor and writes them to `docs/screenshots`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '../browser-editor/chromium.ts';
import { openWorkbench } from '../browser-editor/workbench.ts';
import { openSample } from '../inspector.ts';
import { projectFolder } from '../paths.ts';
import { themes } from '../themes.ts';
import { Painter } from './painter.ts';
import { Recorder } from './recorder.ts';
import { stories } from './stories.ts';

const viewport = { width: 1120, height: 680 };

const browser = await launchChromium();
const { workbench } = await openSample(
  (how) => openWorkbench(browser, typeof how === 'function' ? {} : how),
  { 'workbench.colorTheme': themes.dark, 'workbench.activityBar.location': 'hidden' },
  { viewport },
);
try {
  await workbench.runCommand('View: Close Primary Side Bar');
  await workbench.runCommand('Strata: Open Inspector in Editor');
  const panel = workbench.editorWebview();
  await panel.locator('.opener').waitFor();
  for (const [name, tell] of Object.entries(stories)) {
    const painter = await Painter.open(browser);
    const recorder = new Recorder(workbench.page, painter, { x: viewport.width / 2, y: viewport.height / 2 });
    await tell(recorder, panel);
    await painter.close();
    const { animated, still, durationMs } = recorder.finish();
    await writeFile(join(projectFolder, 'docs/screenshots', `${name}.webp`), animated);
    await writeFile(join(projectFolder, 'docs/screenshots', `${name}.png`), still);
    console.log(`${name}.webp  ${(animated.length / 1000).toFixed(0)} kB, ${(durationMs / 1000).toFixed(1)} s`);
  }
} catch (error) {
  await workbench.keepEvidence('failed-moving-pictures');
  throw error;
} finally {
  await workbench.close();
  await browser.close();
}
