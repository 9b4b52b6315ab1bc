import { describe, it } from 'vitest';
import type { Note } from '../../extension/engine/block/memory';
import { NoteIndex } from '../../extension/engine/memory/note-index';
import { retrieve } from '../../extension/engine/memory/retrieval';
import { hybridStrategy } from '../../extension/engine/strategies/memory';
import { localEmbedder } from '../../extension/models/embeddings/local';
import { talk, toolTurn, user } from '../builders/conversation';
import { note, write } from '../engine/memory/builders';
import { median, report } from './measure';

const { signal } = new AbortController();
const dimensions = 512;

/** Vectors of the encoder's length, made without the encoder, so that only the search is measured. */
const quickEmbedder = {
  name: 'quick',
  embed: async (texts: readonly string[]) => texts.map(quickVector),
};

function quickVector(text: string): number[] {
  let seed = [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 2 ** 31, 7);
  return Array.from({ length: dimensions }, () => {
    seed = (seed * 48271) % (2 ** 31 - 1);
    return seed / 2 ** 31 - 0.5;
  });
}

function notes(count: number): Note[] {
  return Array.from({ length: count }, (_, at) => note(`n-${at}`, { links: [`n-${(at * 7) % count}`] }));
}

async function retrieving(count: number): Promise<number> {
  const index = new NoteIndex(quickEmbedder, signal);
  await index.put(notes(count));
  return median(41, () => retrieve(index, ['what the work is about'], 10));
}

/** Each text is used once, so that none comes from the cache. */
function* newTexts(): Generator<string, never> {
  for (let at = 0; ; at += 1) yield `Sentence ${at}`;
}

describe('memory', () => {
  it('retrieves', async () => {
    report({
      what: 'retrieving out of 1,000 notes against 100, for each note',
      baseline: '100',
      baselineMs: await retrieving(100),
      measured: '1,000',
      measuredMs: await retrieving(1_000),
      inputRatio: 10,
    });
  });

  it('writes blocks', async () => {
    const conversationOf = (turns: number) =>
      talk(...Array.from({ length: turns }, (_, at) => toolTurn(`part-${at}`)), user('Next.'));
    const [small, large] = [conversationOf(50), conversationOf(500)];
    report({
      what: 'a hybrid block over 500 turns against 50, for each turn',
      baseline: '50',
      baselineMs: await median(5, () => write(hybridStrategy, small)),
      measured: '500',
      measuredMs: await median(3, () => write(hybridStrategy, large)),
      inputRatio: 10,
    });
  });

  it('encodes', async () => {
    const began = performance.now();
    await localEmbedder.embed(['The first text loads the encoder.'], signal);
    const loadMs = performance.now() - began;
    const texts = newTexts();
    const sentence = () => localEmbedder.embed([`${texts.next().value} tells of the loader that drops keys.`], signal);
    const note = () => localEmbedder.embed([`${texts.next().value} tells of the loader. `.repeat(9)], signal);
    const sentenceMs = await median(15, sentence);
    console.log(`encoder: loads in ${Math.round(loadMs)} ms`);
    report({
      what: 'encoding a note of 300 characters against a sentence',
      baseline: 'sentence',
      baselineMs: sentenceMs,
      measured: 'note',
      measuredMs: await median(15, note),
      inputRatio: 1,
    });
  });
});
