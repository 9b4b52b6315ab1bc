import type { FrameLocator } from 'playwright-core';
import { goToTop, rows } from '../inspector.ts';
import type { Recorder } from './recorder.ts';

const constraint = 'Never rewrite tui-renderer.ts in place.';

/** The four stories, recorded one after the other in one editor: each begins where the one before ended. */
export const stories: Readonly<Record<string, (recorder: Recorder, panel: FrameLocator) => Promise<void>>> = {
  see: async (recorder, panel) => {
    await recorder.show(1_200);
    await recorder.click(panel.locator('.opener'));
    await panel.getByRole('option').first().waitFor();
    await recorder.show(900);
    await recorder.click(panel.getByRole('option').first());
    await panel.getByRole('tree').waitFor();
    await panel.getByRole('img', { name: /^(?!.*counting).* of 200k/ }).waitFor();
    await recorder.show(2_200);
    const tool = rows(panel, /^turn \d+, tool|^tool/).last();
    await recorder.click(tool, 0.4);
    const content = panel.getByRole('tree').getByText(/^Show in session file/);
    await content.waitFor();
    await recorder.show(2_600);
    await panel.getByRole('tree').press('Enter');
    await content.waitFor({ state: 'detached' });
    await recorder.show(800);
    await goToTop(panel);
    await recorder.show(2_400);
  },

  compact: async (recorder, panel) => {
    await recorder.show(1_000);
    await recorder.click(panel.getByRole('button', { name: 'Compact…' }));
    await panel.getByRole('region', { name: 'What would change' }).waitFor();
    await recorder.show(1_600);
    const choice = panel.getByRole('button', { name: 'Use it' });
    await recorder.click(choice);
    await choice.waitFor({ state: 'detached' });
    await recorder.show(3_000);
    await recorder.click(panel.getByRole('button', { name: 'Apply' }));
    await panel.getByRole('button', { name: /^Undo:/ }).waitFor();
    await recorder.show(1_600);
    await goToTop(panel);
    await recorder.show(1_200);
    const block = rows(panel, /^goal batch/).first();
    await recorder.click(block);
    const content = panel.getByRole('tree').getByRole('heading', { name: 'Earlier turns' });
    await content.waitFor();
    await recorder.show(3_000);
    await panel.getByRole('tree').press('Enter');
    await content.waitFor({ state: 'detached' });
    await goToTop(panel);
  },

  undo: async (recorder, panel) => {
    await recorder.show(1_500);
    await recorder.click(panel.getByRole('button', { name: /^Undo:/ }));
    await panel.getByRole('button', { name: 'Nothing to undo' }).waitFor();
    await recorder.show(2_200);
    await recorder.click(panel.getByRole('button', { name: /^Redo:/ }));
    await panel.getByRole('button', { name: 'Nothing to redo' }).waitFor();
    await recorder.show(2_200);
  },

  pin: async (recorder, panel) => {
    await recorder.show(1_000);
    await recorder.click(panel.getByRole('button', { name: 'Pin a goal, constraint or decision' }));
    await panel.getByRole('textbox', { name: /Kept word for word/ }).waitFor();
    await recorder.show(600);
    await recorder.type(constraint);
    await panel.getByRole('textbox', { name: /Kept word for word/ }).press('Control+Enter');
    await panel.getByRole('status').filter({ hasText: 'Constraint pinned' }).first().waitFor();
    await recorder.show(1_000);
    await recorder.click(panel.getByRole('tab', { name: /Core/ }));
    await recorder.show(2_400);
    await goToTop(panel);
    await recorder.click(rows(panel, /^core/));
    await panel.getByRole('tree').getByText(constraint).scrollIntoViewIfNeeded();
    await recorder.show(3_200);
  },
};
