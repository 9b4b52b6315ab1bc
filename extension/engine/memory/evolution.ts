import type { Note } from '../block/memory';
import { sameItems } from '../conversation/same-items';
import { type Evolution, evolvePrompt, parseEvolution } from '../prompts/notes';
import type { Inquiry } from './inquiry';
import type { Neighbour, NoteIndex } from './note-index';

export interface EvolutionSettings {
  /** Number of nearest notes that a new note is compared with. */
  readonly neighbours: number;
  /** Minimum cosine, in percent, at which two notes are linked without a model. */
  readonly linkAtPercent: number;
}

/** The answer repeats context and tags of each neighbour. */
const answerTokens = 1200;

/**
 * Compares a new note with its nearest ones. The model decides what changes; without a model, similar notes are linked.
 */
export async function evolve(
  index: NoteIndex,
  id: string,
  settings: EvolutionSettings,
  inquiry: Inquiry,
): Promise<void> {
  const note = index.get(id);
  const near = index.neighboursOf(id, settings.neighbours);
  if (!note || near.length === 0) return;
  const neighbours = near.map((neighbour) => neighbour.note);
  const answer = await inquiry.ask({
    prompt: () => evolvePrompt(note, neighbours),
    maxTokens: answerTokens,
    read: (text) => parseEvolution(text, neighbours.length),
  });
  await index.put(answer ? evolved(note, neighbours, answer) : linked(note, near, settings.linkAtPercent / 100));
}

/** The notes that an answer changes, in their new form. Neighbours are given by their index in the prompt. */
export function evolved(note: Note, neighbours: readonly Note[], answer: Evolution): Note[] {
  if (!answer.shouldEvolve) return [];
  const { actions } = answer;
  return [
    ...(actions.includes('strengthen') ? strengthened(note, neighbours, answer) : []),
    ...(actions.includes('update_neighbor')
      ? neighbours.flatMap((one, place) => updated(one, place, note, answer))
      : []),
  ];
}

/** As in A-MEM: adds the connections to the note's links and replaces its tags. */
function strengthened(note: Note, neighbours: readonly Note[], answer: Evolution): Note[] {
  const suggested = answer.suggestedConnections.flatMap((place) => neighbours[place]?.id ?? []);
  const added = suggested.filter((id) => !note.links.includes(id));
  const tags = answer.tagsToUpdate.length > 0 ? answer.tagsToUpdate : note.tags;
  const steps = [
    ...(added.length > 0 ? [`linked to ${added.join(', ')}`] : []),
    ...(sameItems(tags, note.tags) ? [] : [`tags were ${note.tags.join(', ')}`]),
  ];
  if (steps.length === 0) return [];
  return [{ ...note, links: [...note.links, ...added], tags, evolution: [...note.evolution, ...steps] }];
}

/** As in A-MEM: replaces the neighbour's context and tags. Its content and links stay. */
function updated(neighbour: Note, place: number, cause: Note, answer: Evolution): Note[] {
  const context = answer.newContexts[place] ?? neighbour.context;
  const tags = answer.newTags[place] ?? neighbour.tags;
  if (context === neighbour.context && sameItems(tags, neighbour.tags)) return [];
  const step = `by ${cause.id}: context was "${neighbour.context}", tags were ${neighbour.tags.join(', ')}`;
  return [{ ...neighbour, context, tags, evolution: [...neighbour.evolution, step] }];
}

/** Similarity is symmetric, so these links go both ways. */
export function linked(note: Note, near: readonly Neighbour[], least: number): Note[] {
  const similar = near.filter(({ similarity }) => similarity >= least);
  if (similar.length === 0) return [];
  const own = similar.reduce((changed, { note: { id }, similarity }) => withLink(changed, id, similarity), note);
  return [own, ...similar.map((other) => withLink(other.note, note.id, other.similarity))];
}

function withLink(note: Note, id: string, similarity: number): Note {
  if (note.links.includes(id)) return note;
  const step = `linked to ${id} by similarity ${similarity.toFixed(2)}`;
  return { ...note, links: [...note.links, id], evolution: [...note.evolution, step] };
}
