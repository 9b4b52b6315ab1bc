import { expect, it, onTestFinished, vi } from 'vitest';
import { answerOf, discard } from '../../../extension/models/http/answer';

it('an answer that is not read may have a broken connection', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) });
  discard(answerOf(new Response(broken)));
  await new Promise(setImmediate);
  expect(unhandled).not.toHaveBeenCalled();
});
