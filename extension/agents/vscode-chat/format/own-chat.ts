import * as s from '../../../platform/json/schemas';
import { recordsOf } from '../../../platform/lines/line';
import { extensionId } from '../../../sessions/strata/extension-id';
import { logLine } from './mutations';

/** Strata's own chat participant. Its conversations are listed as Strata sessions. */
const own = { agent: 'strata.chat', extension: extensionId };

const agentRecord = s.record({ id: s.name, extensionId: s.record({ value: s.name }) });

type Agent = s.Read<typeof agentRecord>;

const chatState = s.record({ requests: s.anything });

const requestRecords = s.records({ agent: agentRecord });

/** Whether the lines contain requests, and all of them are to Strata's own participant. */
export function isOwnChat(lines: readonly string[]): boolean {
  if (!lines.some((text) => text.includes(`"${own.agent}"`))) return false;
  const agents = [...recordsOf(lines)].flatMap(agentsIn);
  return agents.length > 0 && agents.every(isOwnAgent);
}

/** The agents of the requests on a line. */
function agentsIn(record: s.JsonRecord): readonly Agent[] {
  const { kind, k, v } = s.read(logLine, record);
  if (kind === undefined || kind === 0) return agentsOf(s.read(chatState, kind === 0 ? v : record).requests);
  const [root, index, field, ...deeper] = k;
  if (root !== 'requests' || deeper.length > 0) return [];
  if (index === undefined) return agentsOf(v);
  if (field === undefined) return agentsOf([v]);
  return field === 'agent' ? [s.read(agentRecord, v)] : [];
}

function agentsOf(requests: unknown): Agent[] {
  return s.read(requestRecords, requests).map(({ agent }) => agent);
}

function isOwnAgent({ id, extensionId }: Agent): boolean {
  return id === own.agent && (extensionId.value === null || extensionId.value.toLowerCase() === own.extension);
}
