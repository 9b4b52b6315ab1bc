import type { SectionName } from './sections';

/** Tool-call batches and goal batches have a section for names; a threshold summary puts them under its findings. */
const forNames: readonly SectionName[] = ['Critical Artifacts', 'Key Artifacts', 'Findings'];

/** The section for names; null in running text, which has no sections. */
export function nameSection(sections: readonly SectionName[]): SectionName | null {
  return forNames.find((section) => sections.includes(section)) ?? sections.at(-1) ?? null;
}
