import { orderFrom } from '../../conversations/compaction/settings';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import type { Inspection } from '../../inspection/inspection';
import { agentNames } from '../../sessions/session';
import { toolsWithoutModel } from '../../summarizers/without-model';
import type { AgentServices } from '../call';
import { takesCompactions } from '../doors';
import { strataInside } from '../inside';

/**
 * Prepares a compaction that the agent asked for, and stores it for the agent's next one. Compacts nothing: that is up to the agent or the
 * person. Returns a message for the agent that says what happens next.
 */
export async function prepareOnRequest(
  inspection: Inspection,
  { settings, writer, environment }: Pick<AgentServices, 'settings' | 'writer' | 'environment'>,
): Promise<string> {
  const earlier = inspection.preparedForAgent();
  const { agent, id } = inspection.session;
  const isInside = takesCompactions(agent) && (await strataInside(agent, id, environment)) !== null;
  if (earlier === null && isInside && writer().kind !== 'nobody') return ownSummary(agentNames[agent]);
  const run = earlier ?? (await prepared(inspection, settings()));
  if (run.records.length === 0) return 'A compaction would free nothing worth it now, so nothing was prepared.';
  if (earlier === null) await inspection.storeForAgent(run);
  return `${sizesText(run, earlier !== null)} ${isInside ? atNextCompaction : fromOutside(agentNames[agent])}`;
}

function prepared(inspection: Inspection, settings: ReturnType<AgentServices['settings']>): Promise<PreparedRun> {
  const { signal } = new AbortController();
  const order = { instructions: null, trigger: 'manual', isDue: true, tools: toolsWithoutModel, signal } as const;
  return inspection.prepare(orderFrom(settings, order));
}

function sizesText({ before, after }: PreparedRun, isEarlier: boolean): string {
  const sizes = `${before.tokens.total} → ${after.tokens.total} tokens`;
  return isEarlier ? `A compaction is prepared already: ${sizes}.` : `A compaction was prepared: ${sizes}.`;
}

const atNextCompaction =
  'Nothing is compacted yet. The next compaction of this session, by the person or automatic, carries out exactly this.';

function ownSummary(agent: string): string {
  return `Nothing is compacted and nothing is prepared: ${agent} writes its own summary when the person asks for it, or when the context is full. Go on meanwhile.`;
}

function fromOutside(agent: string): string {
  return `Nothing is compacted yet: Strata is not inside this session of ${agent}, so the person decides whether it takes effect. Go on meanwhile.`;
}
