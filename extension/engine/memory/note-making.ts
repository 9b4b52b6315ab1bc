import type { Note } from '../block/memory';
import type { SummaryRequest } from '../block/summary';
import { replacedEntries } from '../compaction/request';
import { brief } from '../conversation/text';
import { type NoteFields, notePrompt, parseNote } from '../prompts/notes';
import { type EvolutionSettings, evolve } from './evolution';
import type { Inquiry } from './inquiry';
import { Keywords } from './keywords';
import { type NoteCandidate, noteCandidates } from './note-candidates';
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

/** Words that indicate a domain. The first match decides. */
const domains: readonly (readonly [string, RegExp])[] = [
  ['testing', /\b(?:tests?|specs?|vitest|jest|pytest|assert\w*|fixtures?)\b|\.(?:test|spec)\.\w+/i],
  ['security', /\b(?:security|vulnerab\w+|secrets?|credentials?|auth\w*|token leak|CVE-\d+)\b/i],
  ['version control', /\b(?:git|commit\w*|branch(?:es)?|merge\w*|rebase|pull request)\b/i],
  ['build', /\b(?:build|bundle\w*|compil\w+|lint\w*|tsc|webpack|vite|npm|cargo|make|package\.json|dependenc\w+)\b/i],
  ['configuration', /\b(?:config\w*|settings?|environment|\.env)\b|\.(?:toml|ya?ml|ini|json)\b/i],
  ['documentation', /\b(?:docs?|documentation|readme|changelog|comments?)\b|\.md\b/i],
  ['data', /\b(?:database|sql|schema|migrations?|quer(?:y|ies)|table)\b|\.(?:sql|csv)\b/i],
  ['interface', /\b(?:ui|button|panel|layout|css|style|component|page|screen)\b|\.(?:svelte|vue|css|html|tsx|jsx)\b/i],
];

/** Builds a note without a model, from its own words. */
export function extractedNote(candidate: NoteCandidate, keywords: Keywords): Note {
  return {
    ...unlinked(candidate),
    keywords: keywordsOf(candidate, keywords),
    tags: tagsOf(candidate),
    context: candidate.context,
    by: 'extraction',
  };
}

const minKeywords = 3;

function keywordsOf({ content, context }: NoteCandidate, keywords: Keywords): string[] {
  const own = keywords.of(content);
  if (own.length >= minKeywords) return own;
  return [...new Set([...own, ...keywords.of(context)])].slice(0, minKeywords);
}

/** The fields of a new note that need no model. */
function unlinked({ id, content, category, timestamp, entryIds }: NoteCandidate) {
  return { id, content, category, timestamp, entryIds, links: [], evolution: [], retrievals: 0, lastRetrieved: null };
}

/** Domain, format and type, as A-MEM tags notes. */
function tagsOf({ content, context, category, type }: NoteCandidate): string[] {
  const domain = domainOf(content) ?? domainOf(context) ?? 'code';
  return [domain, formatOf(category), type];
}

function domainOf(text: string): string | undefined {
  return domains.find(([, words]) => words.test(text))?.[0];
}

function formatOf(category: NoteCandidate['category']): string {
  if (category === 'tool step') return category;
  return category === 'request' ? 'instruction' : 'statement';
}
