import { join } from 'node:path';
import * as v from 'valibot';
import { processEnvironment, type UserFolders } from '../platform/files/environment';
import type { AgentId } from '../sessions/session';
import { safeName } from '../sessions/strata/places';
import { agentPlaces } from './places';
import { readPrivate, writePrivate } from './private-file';

const insideRecord = v.object({
  /** ISO 8601. */
  calledAt: v.string(),
});

/** A plugin of Strata called from inside an agent. */
type Inside = v.InferOutput<typeof insideRecord>;

/**
 * Whether Strata is inside the agent of this session: then the agent's next compaction is carried out by Strata. A plugin
 * calls when a session starts and at each compaction. Null if none has called.
 */
export async function strataInside(
  agent: AgentId,
  session: string,
  environment: UserFolders = processEnvironment(),
): Promise<Inside | null> {
  return await readPrivate(fileOf(agent, session, environment), insideRecord);
}

/** Notes a call of a plugin. */
export async function noteInside(
  agent: AgentId,
  session: string,
  environment: UserFolders,
  now: string,
): Promise<void> {
  await writePrivate(fileOf(agent, session, environment), { calledAt: now });
}

function fileOf(agent: AgentId, session: string, environment: UserFolders): string {
  return join(agentPlaces(environment).inside, `${safeName(agent)}-${safeName(session)}.json`);
}
