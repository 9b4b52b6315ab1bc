import type { Observation, SessionSummary } from '../block/memory';
import { brief } from '../conversation/text';

const titleLength = 100;

/** An observation as a line of an index: id, time, type and title. */
export function observationLine({ id, timestamp, type, title }: Observation): string {
  return `- ${id} ${shortTime(timestamp)} ${type}: ${brief(title, titleLength)}`;
}

export function summaryLine({ id, timestamp, request, completed, learned }: SessionSummary): string {
  return `- ${id} ${shortTime(timestamp)} session: ${brief(request || completed || learned, titleLength)}`;
}

/** Shares of the room for the fields of a summary that is shown in full. */
const fields = [
  ['request', 'asked', 0.5],
  ['learned', 'learned', 0.25],
  ['completed', 'done', 0.1],
  ['nextSteps', 'open', 0.1],
  ['notes', 'given up', 0.05],
] as const;

/** The fields of a summary in at most so many UTF-16 units. What a field leaves over, the next ones use. */
export function summaryFieldLines(summary: SessionSummary, characters: number): string[] {
  let left = 0;
  return fields.flatMap(([field, label, share]) => {
    const text = brief(summary[field], Math.round(characters * share + left));
    left += characters * share - text.length;
    return text === '' ? [] : [`  ${label}: ${text}`];
  });
}

export function shortTime(timestamp: string | null): string {
  return timestamp === null ? 'no time' : timestamp.slice(0, 16).replace('T', ' ');
}

const charactersPerToken = 4;

/** As in claude-mem: the tokens of reading the whole observation. */
export function readCost({ title, subtitle, narrative, facts }: Observation): number {
  const characters = [title, subtitle, narrative, ...facts].reduce((total, text) => total + text.length, 0);
  return Math.ceil(characters / charactersPerToken);
}

interface Economy {
  readonly read: number;
  /** Tokens of the tool uses that the observations summarise. */
  readonly work: number;
  readonly saving: number;
}

export function economyOf(observations: readonly Observation[]): Economy {
  const read = observations.reduce((total, observation) => total + readCost(observation), 0);
  const work = observations.reduce((total, { discoveryTokens }) => total + discoveryTokens, 0);
  return { read, work, saving: work - read };
}
