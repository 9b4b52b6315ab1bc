import { mergeMemories, type Note } from '../block/memory';
import type { WriteOrder } from '../block/strategy';
import type { Span } from '../block/summary';
import type { Inquiry } from './inquiry';
import { NoteIndex } from './note-index';
import { fitting, inOrderOf, noteLines } from './note-lines';
import { type MadeNotes, makeNotes, type NoteSettings } from './note-making';
import { isInCore, queriesOf } from './query';
import { countRetrieval, retrieve } from './retrieval';

export interface RecollectionSettings extends NoteSettings {
  /** Number of notes that a query retrieves, not counting the notes that they link to. */
  readonly retrieved: number;
}

export interface Recollection {
  readonly text: string;
  readonly spans: readonly Span[];
  /** New notes, and earlier notes that linking, evolution or recall changed. */
  readonly notes: readonly Note[];
}

/** Makes notes of the replaced entries and recalls those of all notes that the next work needs. */
export async function recollect(
  order: WriteOrder,
  settings: RecollectionSettings,
  inquiry: Inquiry,
  room: number,
): Promise<Recollection> {
  const { request, remembered, tools, signal } = order;
  const index = new NoteIndex(tools.embedder, signal);
  const earlier = mergeMemories(remembered).notes;
  await index.put(earlier);
  const made = await makeNotes(request, index, settings, inquiry);
  const all = await retrieve(index, queriesOf(request), settings.retrieved);
  const recalled = all.filter(({ note }) => !isInCore(note.content, request.core));
  const header = (shown: number) => headerOf(made, index, { recalled: recalled.length, shown }, inquiry);
  const linesOf = (note: Note) => noteLines(note, (text) => isInCore(text, request.core));
  const left = room - request.countTokens(`${header(0)}\n`);
  const shown = fitting(recalled, left, ({ note }) => request.countTokens(`${linesOf(note)}\n`));
  await index.put(countRetrieval(shown, newestTime(order)));
  const notes = inOrderOf(index.all(), shown);
  return {
    text: [header(notes.length), ...notes.map(linesOf)].join('\n'),
    spans: notes.flatMap(spanOf),
    notes: changedSince(earlier, index.all()),
  };
}

/** States who wrote the notes and what is missing, so that a few notes are not read as all. */
function headerOf(
  { made, leftOut }: MadeNotes,
  index: NoteIndex,
  { recalled, shown }: { recalled: number; shown: number },
  inquiry: Inquiry,
): string {
  const missing = [
    ...(recalled > shown ? [`${recalled - shown} more did not fit`] : []),
    ...(leftOut > 0 ? [`${leftOut} less important items got no note`] : []),
  ];
  const rest = missing.length === 0 ? '' : ` ${missing.join('; ')}.`;
  return `Notes: ${shown} of ${index.all().length} recalled for the current goal. New: ${inquiry.authorsOf(made)}${inquiry.failureNote}.${rest}`;
}

function spanOf({ content, category, entryIds }: Note): Span[] {
  const [entryId] = entryIds;
  return category === 'tool step' || entryId === undefined ? [] : [{ section: null, text: content, entryId }];
}

function newestTime({ request }: WriteOrder): string | null {
  const times = request.turns.flatMap(({ user, entries }) =>
    [user, ...entries].flatMap((entry) => entry?.timestamp ?? []),
  );
  return times.at(-1) ?? null;
}

/** Notes are immutable, so a changed note is another object. */
function changedSince(earlier: readonly Note[], now: readonly Note[]): Note[] {
  const known = new Set(earlier);
  return now.filter((note) => !known.has(note));
}
