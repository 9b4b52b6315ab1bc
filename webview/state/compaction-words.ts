import type { CompactionView } from '../../extension/protocol/view';

/** `#5` for a compaction of Strata, `agent` for one that the agent did. */
export function compactionNumber(compaction: CompactionView): string {
  return compaction.seq === null ? 'agent' : `#${compaction.seq}`;
}

/** The number that an id like `strata:5` stands for. */
export function numberOfId(id: string): string {
  const [by, number] = id.split(':');
  return by === 'strata' && number ? `#${number}` : 'one of the agent';
}

/** `#3 goal-batch`, `by pi`, `#5 taken out by hand` */
export function compactionName(compaction: CompactionView, agentName: string): string {
  if (compaction.by === 'agent') return `by ${agentName}`;
  const number = compactionNumber(compaction);
  return compaction.excludes ? `${number} taken out by hand` : `${number} ${compaction.strategy}`;
}
