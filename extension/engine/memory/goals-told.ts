import type { Utterance } from '../language/directions';
import { type Goal, goalsIn } from '../language/goals';

/** "Change of plan." says something only with what follows. In UTF-16 units. */
export const announcementLength = 40;

/** What the person began with, what they want now, and what they changed it to between. */
export function goalsTold(said: readonly Utterance[]): Goal[] {
  const redirects = said.flatMap((one, at): Goal[] =>
    one.isRedirect && one.kind !== 'answer' ? [{ text: withNext(said, at), entryId: one.entryId }] : [],
  );
  return [...goalsIn(said), ...redirects];
}

function withNext(said: readonly Utterance[], at: number): string {
  const [one, next] = [said[at], said[at + 1]];
  if (!one) return '';
  const goesOn = one.text.length <= announcementLength && next?.message === one.message;
  return goesOn ? `${one.text} ${next.text}` : one.text;
}
