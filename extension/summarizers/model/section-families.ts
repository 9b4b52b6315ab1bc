import type { SectionName } from '../../engine/block/sections';

/** Sections of all kinds of blocks that hold the same, and other titles that models give them, in lower case. */
interface Family {
  readonly sections: readonly SectionName[];
  readonly titles: readonly string[];
}

const families: readonly Family[] = [
  { sections: ['Strategy'], titles: ['approach', 'my approach', 'summary', 'overview'] },
  {
    sections: ['Operations'],
    titles: ['operation', 'actions', 'actions taken', 'tool calls', 'commands', 'steps taken'],
  },
  {
    sections: ['Goal Arc'],
    titles: ['goal', 'goals', 'user goal', 'objective', 'objectives', 'task', 'primary request & intent'],
  },
  {
    sections: ['Human Direction'],
    titles: ['direction', 'directions', 'user direction', 'user directions', 'user instructions', 'user messages'],
  },
  {
    sections: ['Milestones', 'What Was Achieved', 'Completed Work', 'What Worked'],
    titles: ['achievements', 'accomplishments', 'completed', 'completed tasks', 'done', 'results', 'work done'],
  },
  { sections: ['Key Decisions'], titles: ['decisions', 'decisions made', 'design decisions', 'key decision'] },
  {
    sections: ['Findings', 'Discoveries'],
    titles: ['finding', 'key findings', 'discovery', 'facts', 'learnings', 'root cause', 'technical details'],
  },
  {
    sections: ['Dead Ends', 'Attempted & Abandoned'],
    titles: [
      'dead end',
      'failed attempts',
      'failed approaches',
      'abandoned approaches',
      'what did not work',
      'what failed',
    ],
  },
  {
    sections: ['Lasting Constraints', 'Constraints'],
    titles: ['constraint', 'hard constraints', 'rules', 'requirements', 'constraints & preferences'],
  },
  {
    sections: ['Key Artifacts', 'Critical Artifacts'],
    titles: [
      'artifacts',
      'files',
      'key files',
      'relevant files',
      'files changed',
      'modified files',
      'files & code sections',
    ],
  },
  { sections: ['Current State', 'Status'], titles: ['state', 'current status', 'current work'] },
  { sections: ['In Progress'], titles: ['work in progress', 'ongoing work'] },
  {
    sections: ['Open Items', 'Next Steps'],
    titles: ['open questions', 'open issues', 'next step', 'todo', 'to-do', 'todos', 'remaining work', 'pending tasks'],
  },
];

/** Sections for text without a section of its own, below its title. */
const catchAll: readonly SectionName[] = ['Discoveries', 'Findings', 'Critical Context', 'What Was Achieved'];

/** The one of these sections to which a heading's content belongs; null if there is none. `title` is in lower case. */
export function sectionFor(title: string, sections: readonly SectionName[]): SectionName | null {
  const family = families.find(
    ({ sections: names, titles }) => titles.includes(title) || names.some((name) => name.toLowerCase() === title),
  );
  return sections.find((section) => family?.sections.includes(section)) ?? null;
}

export function catchAllOf(sections: readonly SectionName[]): SectionName | null {
  return catchAll.find((section) => sections.includes(section)) ?? null;
}
