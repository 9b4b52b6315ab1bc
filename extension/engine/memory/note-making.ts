import type { Note } from '../block/memory';
import type { SummaryRequest } from '../block/summary';
import { replacedEntries } from '../compaction/request';
import { brief } from '../conversation/text';
import { type NoteFields, notePrompt, parseNote } from '../prompts/notes';
import { type EvolutionSettings, evolve } from './evolution';
import type { Inquiry } from './inquiry';
import { Keywords } from './keywords';
import { type NoteCandidate, noteCandidates } from './note-candidates';
import { extractedNote, unlinked } from './note-extraction';
import type { NoteIndex } from './note-index';

export interface NoteSettings extends EvolutionSettings {
  /** Maximum number of new notes per block. */
  readonly notesPerBlock: number;
}

export interface MadeNotes {
  /** In their original form; `index` has their evolved form. */
  readonly made: readonly Note[];
  /** Number of candidates without a note. */
  readonly leftOut: number;
}

const answerTokens = 400;

/** Makes notes of the replaced entries, adds them to the index and compares each with its neighbours. */
export async function makeNotes(
  request: SummaryRequest,
  index: NoteIndex,
  settings: NoteSettings,
  inquiry: Inquiry,
): Promise<MadeNotes> {
  const entries = replacedEntries(request);
  const known = new Set(index.all().map(({ id }) => id));
  const { chosen, leftOut } = noteCandidates(entries, settings.notesPerBlock, known);
  const keywords = new Keywords(chosen.map(({ content }) => content));
  const made = await inquiry.forEach(chosen, (candidate) => construct(candidate, keywords, inquiry));
  await index.put(made);
  for (const { id } of made) await evolve(index, id, settings, inquiry);
  return { made, leftOut };
}

/** One call for each note describes it. If the call fails, the description is extracted. */
async function construct(candidate: NoteCandidate, keywords: Keywords, inquiry: Inquiry): Promise<Note> {
  const answer = await inquiry.ask({
    prompt: () => notePrompt([candidate.content]),
    maxTokens: answerTokens,
    read: parseNote,
  });
  return answer ? { ...unlinked(candidate), ...bounded(answer), by: 'model' } : extractedNote(candidate, keywords);
}

/** Limits for the model's answer: a note is found by few words. */
const limits = { keywords: 12, tags: 8, contextLength: 300 };

function bounded({ keywords, tags, context }: NoteFields): NoteFields {
  return {
    keywords: keywords.slice(0, limits.keywords),
    tags: tags.slice(0, limits.tags),
    context: brief(context, limits.contextLength),
  };
}
