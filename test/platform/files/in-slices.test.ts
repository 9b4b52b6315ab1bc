import { describe, expect, it } from 'vitest';
import { atOnce, type LongWork } from '../../../extension/engine/conversation/long-work';
import { inSlices, sliceCost } from '../../../extension/platform/files/in-slices';

function* work(costs: readonly number[], done: number[] = []): LongWork<readonly number[]> {
  for (const cost of costs) {
    done.push(cost);
    yield cost;
  }
  return done;
}

describe('work in slices', () => {
  it('pauses whenever a slice of it is done', async () => {
    const done: number[] = [];
    const pausedAfter: number[] = [];
    const pause = async () => void pausedAfter.push(done.length);
    const half = sliceCost / 2;
    expect(await inSlices(work([half, half, 1, half, half, 2 * sliceCost, 1], done), { pause })).toEqual(done);
    expect(pausedAfter).toEqual([2, 5, 6]);
  });

  it('is done at once if it is short', () => {
    const done: number[] = [];
    void inSlices(work([1, 2, 3], done));
    expect(done).toEqual([1, 2, 3]);
  });

  it('comes to the same as work that is done at once', () => {
    expect(atOnce(work([sliceCost, sliceCost]))).toEqual([sliceCost, sliceCost]);
  });

  it('stops at the next pause after an abort', async () => {
    const controller = new AbortController();
    const done: number[] = [];
    const pause = async () => controller.abort(new Error('gone'));
    await expect(inSlices(work([sliceCost, 1], done), { pause, signal: controller.signal })).rejects.toThrow('gone');
    expect(done).toEqual([sliceCost]);
  });
});
