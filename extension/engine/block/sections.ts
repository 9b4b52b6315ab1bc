/** The sections of each kind of block, exactly as its source names and orders them. Empty ones are left out. */
export const sections = {
  /** ADR 40, tool call batch. */
  toolCallBatch: ['Strategy', 'Operations', 'Discoveries', 'Dead Ends', 'What Worked', 'Critical Artifacts', 'Status'],
  /** ADR 40, conversation block. */
  conversation: ['Milestones', 'Key Decisions', 'Findings', 'Attempted & Abandoned', 'Current State', 'Open Items'],
  /** ADR 41. */
  goalBatch: ['Goal Arc', 'Human Direction', 'What Was Achieved', 'Dead Ends', 'Lasting Constraints', 'Key Artifacts'],
  /** Survey and plan, "Compaction Prompt", and the artifacts that ADR 40 demands of every summary. */
  checkpoint: [
    'Completed Work',
    'Current State',
    'In Progress',
    'Next Steps',
    'Constraints',
    'Critical Context',
    'Key Artifacts',
  ],
} as const satisfies Record<string, readonly string[]>;

/** Whether a heading is one of a summary's sections. */
export function isSectionName(heading: string): heading is SectionName {
  return names.has(heading);
}

const names: ReadonlySet<string> = new Set(Object.values(sections).flat());

export type SectionName = (typeof sections)[keyof typeof sections][number];
