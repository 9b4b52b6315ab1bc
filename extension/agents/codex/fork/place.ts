import { dirname, join } from 'node:path';
import type { Chance, ForkPlace } from '../../../sessions/fork/fork-format';
import type { ParsedSession } from '../../../sessions/session';
import { dayFolder, sessionsFolder } from '../format/rollout-names';

/** A new thread is stored in the folder of the current day, whenever its original was created. */
export function place({ file }: Pick<ParsedSession, 'file'>, chance: Chance): ForkPlace {
  const now = chance.now();
  const id = threadId(chance.uuid(), now);
  const sessions = sessionsFolder(file);
  const folder = sessions === null ? dirname(file) : dayFolder(sessions, now);
  return { id, file: join(folder, `rollout-${localTime(now)}-${id}.jsonl`) };
}

/** Codex locates a thread by the time encoded in its id: UUID version 7. */
function threadId(random: string, now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${random.slice(15)}`;
}

function localTime(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())];
  return `${day.join('-')}T${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('-')}`;
}
