/** The tasks for summaries without sections, by type. */
const tasks: Readonly<Partial<Record<string, string>>> = {
  naive: 'Summarise the turns below in running text.',
  codex: [
    'Another language model takes this task over from you. It has the same tools and files but none of these turns. Write',
    'your handoff so that it can continue at once and repeats nothing: what is finished, what is decided and why, the constraints',
    'and preferences in force, all data, examples and references that it needs with their contents, and at the end the newest',
    'request word for word, exactly where the work on it stands, the next concrete action and what was asked and not answered.',
  ].join('\n'),
  hierarchical_summary: [
    'Summarise the work below in running text. If parts of it are summaries already, merge them on a higher level: first what',
    'holds for all of it, then briefly the details of single parts.',
  ].join('\n'),
  protected_core: [
    'Summarise the turns below in running text. The protected core stands verbatim next to your text: use your words for',
    'everything else that the work needs.',
  ].join('\n'),
  handoff: [
    'Write what the agent of the new thread needs to know for its goal. Take only what matters for that goal from the record:',
    'what exists, what was decided and why, what failed, the constraints, the paths of relevant files, and the first step.',
    'The goal itself stands above your text.',
  ].join('\n'),
};

const defaultTask =
  'Summarise the turns below in running text: what was asked, what I did and why, the results, and at the end where the work stands, the next action and what is open.';

export function runningTextTask(summaryType: string): string {
  return tasks[summaryType] ?? defaultTask;
}
