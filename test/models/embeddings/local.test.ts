import { describe, expect, it } from 'vitest';
import { EncoderMissing } from '../../../extension/models/embeddings/encoder-missing';
import { embedderOf, localEmbedder, withoutNewListeners } from '../../../extension/models/embeddings/local';
import { RecentMap } from '../../../extension/platform/recent-map';

const { signal } = new AbortController();

function cosine(a: readonly number[] = [], b: readonly number[] = []): number {
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** An encoder that records the requested texts. */
function countingEncoder() {
  const asked: string[] = [];
  const embed = async (text: string) => {
    asked.push(text);
    return [text.length, 1];
  };
  return { asked, embed };
}

describe('the local encoder', () => {
  it('puts texts of like meaning nearer to each other than to others, in 512 dimensions', async () => {
    const [fix, repair, rain] = await localEmbedder.embed(
      [
        'The parser lost keys, so I fixed it.',
        'I repaired the parsing code that dropped keys.',
        'It rained all day in Bergen.',
      ],
      signal,
    );
    expect(fix).toHaveLength(512);
    expect(cosine(fix, repair)).toBeGreaterThan(cosine(fix, rain) + 0.1);
  });

  it('takes any text: empty, blank, endless, and in other scripts', async () => {
    const texts = ['', ' \n\t', 'word '.repeat(5000), 'a'.repeat(5000), '设置文件', '👩‍🚀\uD800', '<|im_start|>'];
    for (const vector of await localEmbedder.embed(texts, signal)) {
      expect(vector).toHaveLength(512);
      expect(vector.every(Number.isFinite)).toBe(true);
    }
  });

  it('gives the same vector for the same text', async () => {
    const [once, again] = await localEmbedder.embed(['the same', 'the same'], signal);
    expect(again).toBe(once);
  });

  it('leaves no listeners on the process that rethrow rejections of other code', () => {
    const sources = [...process.rawListeners('unhandledRejection'), ...process.rawListeners('uncaughtException')];
    expect(sources.map(String).filter((source) => source.includes('ExitStatus') || /throw/.test(source))).toEqual([]);
  });
});

describe('embedding', () => {
  it('asks the encoder once for each text', async () => {
    const encoder = countingEncoder();
    const embedder = embedderOf(async () => encoder);
    await embedder.embed(['a', 'b', 'a'], signal);
    await embedder.embed(['b', ' b '], signal);
    expect(encoder.asked).toEqual(['a', 'b']);
  });

  it('loads the encoder when it is first asked, and once', async () => {
    let loads = 0;
    const embedder = embedderOf(async () => {
      loads += 1;
      return countingEncoder();
    });
    expect(loads).toBe(0);
    await Promise.all([embedder.embed(['a'], signal), embedder.embed(['b'], signal)]);
    expect(loads).toBe(1);
  });

  it('says what is missing when the encoder cannot be loaded, and tries again the next time', async () => {
    let isThere = false;
    const embedder = embedderOf(async () => {
      if (!isThere) throw new Error('no such file');
      return countingEncoder();
    });
    await expect(embedder.embed(['a'], signal)).rejects.toThrow(EncoderMissing);
    isThere = true;
    expect(await embedder.embed(['a'], signal)).toEqual([[1, 1]]);
  });

  it('stops between two texts when it is aborted', async () => {
    const controller = new AbortController();
    const encoder = countingEncoder();
    const embedder = embedderOf(async () => ({
      embed: (text) => {
        controller.abort(new Error('enough'));
        return encoder.embed(text);
      },
    }));
    await expect(embedder.embed(['a', 'b'], controller.signal)).rejects.toThrow('enough');
    expect(encoder.asked).toEqual(['a']);
  });

  it('lets other work run between two texts', async () => {
    const order: string[] = [];
    const embedder = embedderOf(async () => ({
      embed: async (text) => {
        order.push(text);
        return [1];
      },
    }));
    await embedder.embed(['load'], signal);
    setImmediate(() => order.push('other work'));
    await embedder.embed(['a', 'b', 'c'], signal);
    expect(order.indexOf('other work')).toBeLessThan(order.indexOf('c'));
  });
});

describe('the cache of vectors', () => {
  it('the cache of vectors is bounded, and lets go of what was asked for longest ago', () => {
    const cache = new RecentMap<string, readonly number[]>(2);
    cache.set('a', [1]);
    cache.set('b', [2]);
    cache.get('a');
    cache.set('c', [3]);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([[1], undefined, [3]]);
  });
});

describe('listeners of the process', () => {
  it('listeners of the process that came with the work are taken off again, and those of others stay', async () => {
    const own = () => undefined;
    process.on('unhandledRejection', own);
    const added = () => undefined;
    await withoutNewListeners(async () => void process.on('unhandledRejection', added));
    expect(process.rawListeners('unhandledRejection')).toContain(own);
    expect(process.rawListeners('unhandledRejection')).not.toContain(added);
    process.removeListener('unhandledRejection', own);
  });
});
