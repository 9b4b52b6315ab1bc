import type { Prompt } from '../block/language-model';
import type { Note } from '../block/memory';
import { escapedForQuotation, quotation } from '../language/quotation';
import { excerpt } from './excerpt';
import { type Garbled, garbled, type JsonObject, jsonAnswer, textField, textsField } from './json-answer';
import { jsonPrompt } from './json-prompt';

/** What a model adds to the content of a note (A-MEM). */
export interface NoteFields {
  /** Most important first. */
  readonly keywords: readonly string[];
  readonly context: string;
  readonly tags: readonly string[];
}

export type NoteAnswer = { readonly kind: 'note'; readonly fields: NoteFields } | Garbled;

const role =
  'You keep the memory of a coding agent: small notes, each on one thing, that are found again by what they say.';

/** A note is on one thing; more text than this is on several. In UTF-16 units. */
const longestContent = 6_000;

export function notePrompt(texts: readonly string[]): Prompt {
  return jsonPrompt(
    role,
    [
      'Describe the note that is quoted below, so that it is found when it is needed.',
      '- keywords: three or more names and terms that tell it from other notes, the most important first; no speakers, no times',
      '- context: one sentence that says what it is about, its main points, and what it is good for',
      '- tags: three or more broad labels: the domain, the format, the kind of thing it is',
    ],
    '{"keywords": ["…"], "context": "…", "tags": ["…"]}',
    [
      quotation(
        'the content of the note',
        texts.map((text) => escapedForQuotation(excerpt(text, longestContent))).join('\n'),
      ),
    ],
  );
}

export function parseNote(answer: string): NoteAnswer {
  const json = jsonAnswer(answer);
  if (json.kind === 'garbled') return json;
  const keywords = textsField(json.value, 'keywords');
  const tags = textsField(json.value, 'tags');
  const context = textField(json.value, 'context');
  if (!keywords?.length || !tags?.length || context === null) {
    return garbled('the answer lacks keywords, context or tags');
  }
  return { kind: 'note', fields: { keywords, context, tags } };
}

export const evolutionActions = ['strengthen', 'update_neighbor'] as const;
export type EvolutionAction = (typeof evolutionActions)[number];

/** How a new note changes the notes near it (A-MEM). Neighbours are meant by their place in the prompt, from 0. */
export interface Evolution {
  readonly shouldEvolve: boolean;
  readonly actions: readonly EvolutionAction[];
  /** Places of neighbours that the note should be linked to. */
  readonly suggestedConnections: readonly number[];
  /** The new tags of the note; empty where they stay. */
  readonly tagsToUpdate: readonly string[];
  /** By place; null where the neighbour's stays as it is. */
  readonly newContexts: readonly (string | null)[];
  readonly newTags: readonly (readonly string[] | null)[];
}

export type EvolutionAnswer = { readonly kind: 'evolution'; readonly evolution: Evolution } | Garbled;

export function evolvePrompt(note: Note, neighbours: readonly Note[]): Prompt {
  return jsonPrompt(
    role,
    [
      'A note was added. Decide whether it and its nearest neighbours should change because of each other.',
      '- strengthen: link the new note to neighbours that it truly belongs with, and give it tags that fit',
      '- update_neighbor: what the new note says throws a new light on neighbours, so their context or tags change',
      'Neighbours are numbered from 0. `suggested_connections` lists numbers. `new_context_neighborhood` and',
      `\`new_tags_neighborhood\` have one item for each of the ${neighbours.length} neighbours, in their order; repeat what stays as it is.`,
      'Where nothing should change, `should_evolve` is false and the lists are empty.',
    ],
    '{"should_evolve": true, "actions": ["strengthen", "update_neighbor"], "suggested_connections": [0], "tags_to_update": ["…"], "new_context_neighborhood": ["…"], "new_tags_neighborhood": [["…"]]}',
    [
      quotation('the new note', noteText(note)),
      quotation('its neighbours', neighbours.map((neighbour, place) => `${place}.\n${noteText(neighbour)}`).join('\n')),
    ],
  );
}

function noteText({ content, context, keywords, tags }: Note): string {
  return [
    `content: ${escapedForQuotation(excerpt(content, longestContent))}`,
    `context: ${escapedForQuotation(context)}`,
    `keywords: ${escapedForQuotation(keywords.join(', '))}`,
    `tags: ${escapedForQuotation(tags.join(', '))}`,
  ].join('\n');
}

export function parseEvolution(answer: string, neighbours: number): EvolutionAnswer {
  const json = jsonAnswer(answer);
  if (json.kind === 'garbled') return json;
  const { value } = json;
  if (typeof value.should_evolve !== 'boolean')
    return garbled('the answer does not say whether anything should change');
  return { kind: 'evolution', evolution: value.should_evolve ? evolutionOf(value, neighbours) : noEvolution };
}

const noEvolution: Evolution = {
  shouldEvolve: false,
  actions: [],
  suggestedConnections: [],
  tagsToUpdate: [],
  newContexts: [],
  newTags: [],
};

/** What names no neighbour, or no action, is left out: the rest of the answer is as good as before. */
function evolutionOf(value: JsonObject, neighbours: number): Evolution {
  const places = Array.from({ length: neighbours }, (_, place) => place);
  const contexts = listField(value, 'new_context_neighborhood');
  const tags = listField(value, 'new_tags_neighborhood');
  return {
    shouldEvolve: true,
    actions: evolutionActions.filter((action) => listField(value, 'actions').includes(action)),
    suggestedConnections: places.filter((place) => connectionsOf(value).has(place)),
    tagsToUpdate: textsField(value, 'tags_to_update') ?? [],
    newContexts: places.map((place) => textField({ context: contexts[place] }, 'context')),
    newTags: places.map((place) => nonEmpty(textsField({ tags: tags[place] }, 'tags'))),
  };
}

function listField(value: JsonObject, name: string): readonly unknown[] {
  const list = value[name];
  return Array.isArray(list) ? list : [];
}

/** Models write numbers as numbers or as texts. */
function connectionsOf(value: JsonObject): Set<number> {
  const listed = listField(value, 'suggested_connections');
  return new Set(listed.flatMap((item) => (/^\d+$/.test(String(item)) ? [Number(item)] : [])));
}

function nonEmpty(texts: readonly string[] | null): readonly string[] | null {
  return texts !== null && texts.length > 0 ? texts : null;
}
