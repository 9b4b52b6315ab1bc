/** The exact names and order of the sections of each kind of block (docs/specification.md). Empty sections are left out. */
export const sections = {
  /** "Tool-call batches". */
  toolCallBatch: ['Strategy', 'Operations', 'Discoveries', 'Dead Ends', 'What Worked', 'Critical Artifacts', 'Status'],
  /** "Threshold summaries". */
  conversation: ['Milestones', 'Key Decisions', 'Findings', 'Attempted & Abandoned', 'Current State', 'Open Items'],
  /** "Goal batches". */
  goalBatch: ['Goal Arc', 'Human Direction', 'What Was Achieved', 'Dead Ends', 'Lasting Constraints', 'Key Artifacts'],
  /** "Checkpoint". The state of the work comes last, nearest to what the agent reads next. */
  checkpoint: [
    'Completed Work',
    'Constraints',
    'Critical Context',
    'Key Artifacts',
    'Current State',
    'In Progress',
    'Next Steps',
  ],
} as const satisfies Record<string, readonly string[]>;

/** Whether a heading is the name of a section. */
export function isSectionName(heading: string): heading is SectionName {
  return names.has(heading);
}

/** The sections of the kind of block that a text has most headings of; none for running text. */
export function sectionsIn(text: string): readonly SectionName[] {
  const headings = new Set([...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading.trim()));
  const counted = Object.values(sections).map((kind) => ({
    kind,
    count: kind.filter((name) => headings.has(name)).length,
  }));
  const best = counted.reduce((most, each) => (each.count > most.count ? each : most));
  return best.count === 0 ? [] : best.kind;
}

/**
 * The types of blocks with sections of their own; those of all others are written as running text when a person asks for
 * another text.
 */
const typesWithSections = {
  tool_call_batch: sections.toolCallBatch,
  conversation: sections.conversation,
  goal_batch: sections.goalBatch,
  checkpoint: sections.checkpoint,
  handoff: sections.checkpoint,
} as const satisfies Readonly<Record<string, readonly SectionName[]>>;

export type TypeWithSections = keyof typeof typesWithSections;

/** The sections of a type of block; none for running text. */
export function sectionsOf(summaryType: string): readonly SectionName[] {
  const known: Readonly<Partial<Record<string, readonly SectionName[]>>> = typesWithSections;
  return known[summaryType] ?? [];
}

const names: ReadonlySet<string> = new Set(Object.values(sections).flat());

export type SectionName = (typeof sections)[keyof typeof sections][number];
