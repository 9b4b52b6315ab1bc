import type { LanguageModel } from '../block/language-model';
import type { Note } from '../block/memory';
import type { SummaryRequest } from '../block/summary';
import { replacedEntries } from '../compaction/request';
import { type NoteFields, notePrompt, parseNote } from '../prompts/notes';
import { type EvolutionSettings, evolve } from './evolution';
import { type Inquiry, inGroups } from './inquiry';
import { Keywords } from './keywords';
import { type NoteCandidate, noteCandidates } from './note-candidates';
import { extractedNote, unlinked } from './note-extraction';
import type { NoteIndex } from './note-index';
import { brief } from './text';

export interface NoteSettings extends EvolutionSettings {
  /** The most new notes of one block. */
  readonly notesPerBlock: number;
}

export interface MadeNotes {
  /** As they were made; `index` knows what became of them. */
  readonly made: readonly Note[];
  /** Things worth a note that there was no room for. */
  readonly leftOut: number;
}

const answerTokens = 400;

/** Notes of what a block replaces, put among those there are already and held against their neighbours one by one. */
export async function makeNotes(
  request: SummaryRequest,
  index: NoteIndex,
  settings: NoteSettings,
  inquiry: Inquiry,
): Promise<MadeNotes> {
  const entries = replacedEntries(request);
  const known = new Set(index.all().map(({ id }) => id));
  const { chosen, leftOut } = noteCandidates(entries, settings.notesPerBlock, known);
  const keywords = new Keywords(
    entries,
    chosen.map(({ content }) => content),
  );
  const made = await inGroups(chosen, atOnce(inquiry.model), (candidate) => construct(candidate, keywords, inquiry));
  await index.put(made);
  for (const { id } of made) await evolve(index, id, settings, inquiry);
  return { made, leftOut };
}

function atOnce(model: LanguageModel | null): number {
  return Math.max(1, model?.concurrency ?? 1);
}

/** One call for each note says what it is about; where that comes to nothing, extraction says it. */
async function construct(candidate: NoteCandidate, keywords: Keywords, inquiry: Inquiry): Promise<Note> {
  const fields = await inquiry.ask({
    prompt: () => notePrompt([candidate.content]),
    maxTokens: answerTokens,
    read: fieldsIn,
  });
  return fields ? { ...unlinked(candidate), ...fields, by: 'model' } : extractedNote(candidate, keywords);
}

/** A note is found by few words; a model that writes a list of everything is cut short. */
const most = { keywords: 12, tags: 8, contextLength: 300 };

function bounded({ keywords, tags, context }: NoteFields): NoteFields {
  return {
    keywords: keywords.slice(0, most.keywords),
    tags: tags.slice(0, most.tags),
    context: brief(context, most.contextLength),
  };
}

function fieldsIn(text: string): NoteFields | null {
  const answer = parseNote(text);
  return answer.kind === 'note' ? bounded(answer.fields) : null;
}
