/** What is asked for where a summary has no sections, by its type. */
const tasks: Readonly<Partial<Record<string, string>>> = {
  naive: 'Summarise the turns below in running text.',
  codex: [
    'Another language model takes this task over from you, with the same tools and the same files but none of these turns.',
    'Write your handoff to it, so that it goes on at once and does nothing twice: how far the work is and what was decided,',
    'the constraints and preferences that hold, what remains to be done as clear steps, and whatever data, examples or',
    'references it cannot do without.',
  ].join('\n'),
  hierarchical_summary: [
    'Summarise the stretch of work below in running text. Where parts of it are summaries already, merge them into one on a',
    'higher level: first what holds for the whole stretch, last and briefly what is detail of one part.',
  ].join('\n'),
  protected_core: [
    'Summarise the turns below in running text. The protected core stands verbatim beside your text; spend your words on',
    'everything else that the work needs.',
  ].join('\n'),
  handoff: [
    'Write what the agent of the new thread has to know to work towards its goal. Take from the record what bears on that',
    'goal and leave the rest: what is in place, what was decided and why, what was tried in vain, the constraints, the files',
    'to look at by their paths, and the first step. The goal itself stands above your text.',
  ].join('\n'),
};

const usual =
  'Summarise the turns below in running text: what was asked, what I did and why, what came of it, what is open.';

export function runningTextTask(summaryType: string): string {
  return tasks[summaryType] ?? usual;
}
