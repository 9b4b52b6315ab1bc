import type { Prompt } from '../block/language-model';
import type { Note } from '../block/memory';
import { escapedForQuotation, quotation } from '../language/quotation';
import { localizable } from '../wording/localizable-text';
import { excerpt } from './excerpt';
import { answerOr, type JsonObject, jsonAnswer, type ParsedAnswer, textField, textsField } from './json-answer';
import { jsonPrompt } from './json-prompt';

/** Fields that a model adds to the content of a note, as in A-MEM. */
export interface NoteFields {
  /** Most important first. */
  readonly keywords: readonly string[];
  readonly context: string;
  readonly tags: readonly string[];
}

const role =
  'You keep the memory of a coding agent: small notes, each about one thing, that are found again by their content.';

/** In UTF-16 units. A note is about one thing; longer text is about several. */
const maxContentLength = 6_000;

export function notePrompt(texts: readonly string[]): Prompt {
  return jsonPrompt(
    role,
    [
      'Describe the note quoted below so that it is found when it is needed.',
      '- keywords: three or more names and terms that distinguish it from other notes, the most important first; no speakers, no times',
      '- context: one sentence with its topic, its main points and its purpose',
      '- tags: three or more broad labels: domain, format, type',
    ],
    '{"keywords": ["…"], "context": "…", "tags": ["…"]}',
    [
      quotation(
        'the content of the note',
        texts.map((text) => escapedForQuotation(excerpt(text, maxContentLength))).join('\n'),
      ),
    ],
  );
}

export function parseNote(answer: string): ParsedAnswer<NoteFields> {
  return jsonAnswer(answer, (note) => {
    const keywords = textsField(note, 'keywords');
    const tags = textsField(note, 'tags');
    const context = textField(note, 'context');
    const isWhole = keywords?.length && tags?.length && context !== null;
    return answerOr(
      localizable('the answer lacks keywords, context or tags'),
      isWhole ? { keywords, context, tags } : null,
    );
  });
}

const evolutionActions = ['strengthen', 'update_neighbor'] as const;
type EvolutionAction = (typeof evolutionActions)[number];

/** How a new note changes the notes near it, as in A-MEM. Neighbours are given by their index in the prompt, from 0. */
export interface Evolution {
  readonly shouldEvolve: boolean;
  readonly actions: readonly EvolutionAction[];
  /** Indices of neighbours to link the note to. */
  readonly suggestedConnections: readonly number[];
  /** The new tags of the note; empty to keep the old ones. */
  readonly tagsToUpdate: readonly string[];
  /** By index; null to keep the neighbour's. */
  readonly newContexts: readonly (string | null)[];
  readonly newTags: readonly (readonly string[] | null)[];
}

export function evolvePrompt(note: Note, neighbours: readonly Note[]): Prompt {
  return jsonPrompt(
    role,
    [
      'A note was added. Decide whether it and its nearest neighbours should change because of each other.',
      '- strengthen: link the new note to neighbours that are closely related, and give it fitting tags',
      '- update_neighbor: the new note changes the meaning of neighbours, so their context or tags change',
      'Neighbours are numbered from 0. `suggested_connections` lists numbers. `new_context_neighborhood` and',
      `\`new_tags_neighborhood\` have one item for each of the ${neighbours.length} neighbours, in their order; repeat what does not change.`,
      'If nothing should change, `should_evolve` is false and the lists are empty.',
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
    `content: ${escapedForQuotation(excerpt(content, maxContentLength))}`,
    `context: ${escapedForQuotation(context)}`,
    `keywords: ${escapedForQuotation(keywords.join(', '))}`,
    `tags: ${escapedForQuotation(tags.join(', '))}`,
  ].join('\n');
}

export function parseEvolution(answer: string, neighbours: number): ParsedAnswer<Evolution> {
  return jsonAnswer(answer, (evolution) => {
    const { should_evolve: shouldEvolve } = evolution;
    const changes = shouldEvolve === true ? evolutionOf(evolution, neighbours) : noEvolution;
    return answerOr(
      localizable('the answer does not say whether anything should change'),
      typeof shouldEvolve === 'boolean' ? changes : null,
    );
  });
}

const noEvolution: Evolution = {
  shouldEvolve: false,
  actions: [],
  suggestedConnections: [],
  tagsToUpdate: [],
  newContexts: [],
  newTags: [],
};

/** Unknown neighbours and actions are ignored; the rest of the answer is used. */
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
