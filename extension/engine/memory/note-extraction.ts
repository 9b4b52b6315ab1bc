import type { Note } from '../block/memory';
import type { Keywords } from './keywords';
import type { NoteCandidate } from './note-candidates';

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
export function unlinked({ id, content, category, timestamp, entryIds }: NoteCandidate) {
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
