import { mergeMemories, type Note } from '../block/memory';
import type { WriteOrder } from '../block/strategy';
import type { Span, SummaryRequest } from '../block/summary';
import { replacedEntries } from '../compaction/request';
import { type Entry, textOf } from '../conversation/entry';
import { oneLine, unique } from '../conversation/text';
import { type CoreState, coreText } from '../core/core';
import type { Inquiry } from './inquiry';
import { NoteIndex } from './note-index';
import { fitting, headings, noteLine, noteSections } from './note-lines';
import { type MadeNotes, makeNotes, type NoteSettings } from './note-making';
import { isRequest } from './request-spans';
import { countRetrieval, retrieve } from './retrieval';

interface RecollectionSettings extends NoteSettings {
  /** Number of notes that a query retrieves, not counting the notes that they link to. */
  readonly retrieved: number;
}

interface Recollection {
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
  const goals = notesOfGoals(request, index.all());
  const all = await retrieve(index, queriesOf(request), settings.retrieved, goals);
  const recalled = all.filter(({ content }) => !isInCore(content, request.core));
  const header = (shown: number) => headerOf(made, index, { recalled: recalled.length, shown }, inquiry);
  const left = room - request.countTokens([header(0), ...headings, ''].join('\n'));
  const fit = new Set(
    fitting(recalled, left, (note) => request.countTokens(`${noteLine(note)}\n`)).map(({ id }) => id),
  );
  await index.put(
    countRetrieval(
      index.all().filter(({ id }) => fit.has(id)),
      newestTime(order),
    ),
  );
  const notes = index.all().filter(({ id }) => fit.has(id));
  return {
    text: [header(notes.length), ...noteSections(notes, new Set(goals.map(({ id }) => id)))].join('\n'),
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

/**
 * Queries of recall: the user's latest request with the pinned goal and the instructions for this compaction, and
 * the first and the newest request of the replaced entries. A note has to be near one of them.
 */
function queriesOf(request: SummaryRequest): string[] {
  const { liveGoal, core, instructions } = request;
  const asked = unique([instructions ?? '', core?.current_goal ?? '', liveGoal ?? '']).join('\n');
  const requests = outerRequests(request).map(({ parts }) => textOf(parts));
  return unique([asked, ...requests]).filter((text) => text.trim() !== '');
}

/** Notes of the person's first and last request. */
function notesOfGoals(request: SummaryRequest, notes: readonly Note[]): Note[] {
  const ids = new Set(outerRequests(request).map(({ id }) => id));
  return notes.filter(({ category, entryIds }) => category === 'request' && entryIds.some((id) => ids.has(id)));
}

function outerRequests(request: SummaryRequest): Entry[] {
  const requests = replacedEntries(request).filter(isRequest);
  return [...new Set([...requests.slice(0, 1), ...requests.slice(-1)])];
}

/** Whether the protected core, which is in the context anyway, contains this verbatim. */
function isInCore(content: string, core: CoreState | null): boolean {
  return core !== null && oneLine(coreText(core)).includes(oneLine(content));
}
