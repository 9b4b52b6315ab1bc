import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { violationsOf } from '../webview/harness/axe.ts';

/** Asserts that axe finds no violation in what the panel shows. */
export async function assertNoViolations(panel: FrameLocator, what: string): Promise<void> {
  const body = await panel.locator('body').elementHandle();
  const frame = await body?.ownerFrame();
  if (!frame) throw new Error('The panel has no frame.');
  await frame.evaluate(paintGround);
  assert.deepEqual(await violationsOf(frame), [], what);
}

/**
 * Paints the background of the panel's frame. The editor paints it outside the frame, where axe does not see it and
 * assumes white.
 */
function paintGround(): void {
  document.documentElement.style.background = 'var(--strata-surface)';
}
