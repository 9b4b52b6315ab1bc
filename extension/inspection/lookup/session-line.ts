import { brief } from '../../engine/conversation/text';
import { activeOriginalGoal } from '../../engine/journal/overlay';
import { agentNames, type Session, type SessionSummary } from '../../sessions/session';
import type { Inspection } from '../inspection';

const titleLength = 100;
const goalLength = 400;

/** Names the session of an answer. */
export function sessionLine({ agent, id, title, cwd }: Pick<Session, 'agent' | 'id' | 'title' | 'cwd'>): string {
  const named = title === null ? 'without a title' : `"${brief(title, titleLength)}"`;
  return `Session ${named} (${agentNames[agent]}, id ${id}${cwd === null ? '' : `, in ${cwd}`})`;
}

/** One line of a list of sessions. */
export function summaryLine({ modified, live, ...session }: SessionSummary): string {
  const when = new Date(modified).toISOString().slice(0, 16).replace('T', ' ');
  return `- ${when} ${sessionLine(session)}${live ? ', live' : ''}`;
}

/** The goal of the session on one line: the pinned goal, else the user's first words. */
export function goalLine({ journal, session }: Inspection): string {
  const pinned = journal.state.items.findLast(({ kind, status }) => kind === 'goal' && status === 'active');
  const goal = pinned?.text ?? activeOriginalGoal(journal.state, session.conversation)?.text;
  if (goal === undefined) return 'Goal: not told. The first one is over, or the session file lacks its beginning.';
  return `Goal${pinned ? ' (pinned)' : ''}: ${brief(goal, goalLength)}`;
}
