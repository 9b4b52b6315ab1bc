import { omissionOf } from '../../engine/block/omission';
import type { SectionName } from '../../engine/block/sections';
import type { CountTokens } from '../../engine/conversation/tokens';

/** The sections that may go, the least important first. What the person wants, what holds and where the work stands never goes. */
const dispensable: readonly SectionName[] = [
  'Key Artifacts',
  'Critical Artifacts',
  'Strategy',
  'Operations',
  'Goal Arc',
  'What Worked',
  'Completed Work',
  'Milestones',
  'Findings',
  'Discoveries',
  'Critical Context',
];

/**
 * Leaves whole sections out of a summary until it has at most so many tokens, each with a mark in its place. Null if that is
 * not enough.
 */
export function withSectionsLeftOut(body: string, maxTokens: number, countTokens: CountTokens): string | null {
  let parts = body.split(/^(?=## )/m);
  for (const section of dispensable) {
    if (countTokens(parts.join('')) <= maxTokens) break;
    const heading = `## ${section}\n`;
    parts = parts.map((part) =>
      part.startsWith(heading) ? `${heading}${omissionOf('left out: too long')}\n\n` : part,
    );
  }
  const shortened = parts.join('').trimEnd();
  return countTokens(shortened) <= maxTokens ? shortened : null;
}
