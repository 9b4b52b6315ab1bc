import type { VerbatimFate } from '../block/loss';
import { type Entry, readableText } from '../conversation/entry';
import { VerbatimText } from '../language/verbatim';

interface EntryFate {
  readonly entryId: string;
  readonly fate: VerbatimFate;
}

/** The fate of each replaced entry in the text of a block: verbatim, shortened or gone. Linear in the texts. */
export function entryFates(blockText: string, entries: readonly Entry[]): EntryFate[] {
  const block = new VerbatimText(blockText);
  return entries.map((entry) => ({ entryId: entry.id, fate: fateOf(entry, block) }));
}

/** For a reply with calls, its text counts; if it has none, its calls and results. */
function fateOf({ parts }: Entry, block: VerbatimText): VerbatimFate {
  const textParts = parts.filter(({ type }) => type === 'text');
  const texts = (textParts.length > 0 ? textParts : parts).map(readableText).filter((text) => text.trim() !== '');
  return block.fateOf(texts.join('\n'));
}
