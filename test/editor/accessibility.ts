import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { violationsOf } from '../webview/harness/axe.ts';

/** Axe finds nothing wrong with what the panel shows. */
export async function assertNoViolations(panel: FrameLocator, what: string): Promise<void> {
  const body = await panel.locator('body').elementHandle();
  const frame = await body?.ownerFrame();
  if (!frame) throw new Error('The panel has no frame.');
  await frame.evaluate(paintGround);
  assert.deepEqual(await violationsOf(frame), [], what);
}

/** The editor paints the ground behind the panel's frame, where axe does not see it and takes it for white. */
function paintGround(): void {
  document.documentElement.style.background = 'var(--strata-surface)';
}
