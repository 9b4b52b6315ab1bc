import { asList, asName, asRecord, asRecords, type JsonRecord } from '../records/json';
import { readLine } from '../records/line';

/** Strata's own chat participant. Its conversations are listed as Strata sessions. */
const own = { agent: 'strata.chat', extension: 'strata.strata' };

/** Whether the lines contain requests, and all of them are to Strata's own participant. */
export function isOwnChat(lines: readonly string[]): boolean {
  if (!lines.some((text) => text.includes(`"${own.agent}"`))) return false;
  const agents = lines.flatMap(agentsIn);
  return agents.length > 0 && agents.every(isOwnAgent);
}

/** The agents of the requests on a line; null for a request without an agent. */
function agentsIn(text: string): (JsonRecord | null)[] {
  const reading = readLine({ number: 0, text });
  if (reading.kind !== 'record') return [];
  const { kind, k, v, requests } = reading.record;
  if (kind === undefined) return agentsOf(requests);
  if (kind === 0) return agentsOf(asRecord(v)?.requests);
  const [root, index, field, ...deeper] = asList(k);
  if (root !== 'requests' || deeper.length > 0) return [];
  if (index === undefined) return agentsOf(v);
  if (field === undefined) return agentsOf([v]);
  return field === 'agent' ? [asRecord(v)] : [];
}

function agentsOf(requests: unknown): (JsonRecord | null)[] {
  return asRecords(requests).map(({ agent }) => asRecord(agent));
}

function isOwnAgent(agent: JsonRecord | null): boolean {
  const extension = asName(asRecord(agent?.extensionId)?.value);
  return agent?.id === own.agent && (extension === null || extension.toLowerCase() === own.extension);
}
