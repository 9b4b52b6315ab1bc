import type { SectionName } from './sections';

/** ADR 40 and ADR 41 call them artifacts; a conversation block has them among its findings. */
const forNames: readonly SectionName[] = ['Critical Artifacts', 'Key Artifacts', 'Findings'];

/** The section that names belong to; null in running text, which has none. */
export function nameSection(sections: readonly SectionName[]): SectionName | null {
  return forNames.find((section) => sections.includes(section)) ?? sections.at(-1) ?? null;
}
