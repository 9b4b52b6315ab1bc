import { basename, dirname, join } from 'node:path';
import { type Entry, toolCalls } from '../../../engine/conversation/entry';
import { namesIn } from '../../../platform/files/names-in';
import type { ParsedSession, Subagent } from '../../../sessions/session';
import { isCliSession, isSubagentFile } from './cli-session';

/** The files of subagents are next to the session's own. Never rejects. */
export async function subagentsOf({ file, conversation }: ParsedSession): Promise<Subagent[]> {
  if (!isCliSession(file) || isSubagentFile(file)) return [];
  const names = (await namesIn(dirname(file))).filter((name) => isCliSession(name) && isSubagentFile(name));
  const calls = spawnCalls(conversation.entries);
  return names.sort().map((name) => {
    const callId = calls.take(startOf(name));
    return { callId, file: join(dirname(file), name), title: null };
  });
}

/** `agent_<milliseconds since the epoch>_<random>.messages.json` */
function startOf(name: string): number {
  return Number(/^agent_(\d+)_/.exec(basename(name))?.[1] ?? Number.NaN);
}

/**
 * A subagent's file does not name the call that started it, only its start time. It is assigned to the first unassigned
 * call of the newest reply before that time.
 */
function spawnCalls(entries: readonly Entry[]): { take(time: number): string | null } {
  const replies = entries.flatMap((entry) => {
    const calls = toolCalls(entry.parts).filter(({ name }) => name === 'spawn_agent');
    const time = entry.timestamp === null ? Number.NaN : Date.parse(entry.timestamp);
    return calls.length === 0 ? [] : [{ time, callIds: calls.map(({ callId }) => callId) }];
  });
  return {
    take: (time) =>
      replies
        .filter((reply) => reply.time <= time)
        .at(-1)
        ?.callIds.shift() ?? null,
  };
}
