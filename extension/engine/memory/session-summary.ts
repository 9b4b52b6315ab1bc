import type { Observation, SessionSummary } from '../block/memory';
import { type Entry, textOf } from '../conversation/entry';
import { brief, unique } from '../conversation/text';
import { planOf } from '../ledger/plan';
import { toolStepsOf } from '../ledger/steps';
import { parseSessionSummary, type SessionSummaryFields, sessionSummaryPrompt } from '../prompts/observations';
import { memoryId } from './identity';
import type { Inquiry } from './inquiry';
import { isRequest } from './request-spans';

const answerTokens = 800;

/** Maximum length of each text in UTF-16 units, and maximum texts per field: a summary is read at a glance. */
const fieldLength = 240;
const maxTexts = 8;

/** Summarises a part of the session; null if nothing noteworthy happened. */
export async function summarizeSession(
  entries: readonly Entry[],
  observations: readonly Observation[],
  inquiry: Inquiry,
): Promise<SessionSummary | null> {
  const extracted = extractedSummary(entries, observations);
  if (Object.values(extracted).every((text) => text === '')) return null;
  const answered = await inquiry.ask({
    prompt: () =>
      sessionSummaryPrompt({
        requests: requestsOf(entries),
        observations: observations.map(({ title, facts }) => [title, ...facts].join(' · ')),
        lastReply: lastReplyOf(entries),
      }),
    maxTokens: answerTokens,
    read: parseSessionSummary,
  });
  const id = memoryId('s', ...entries.map((entry) => entry.id));
  return {
    id,
    ...(answered ?? extracted),
    timestamp: entries.findLast(({ timestamp }) => timestamp)?.timestamp ?? null,
  };
}

function requestsOf(entries: readonly Entry[]): string[] {
  return entries.filter(isRequest).map((entry) => textOf(entry.parts));
}

function repliesOf(entries: readonly Entry[]): string[] {
  return entries
    .filter(({ role }) => role === 'assistant')
    .map((entry) => textOf(entry.parts))
    .filter((text) => text.trim() !== '');
}

function lastReplyOf(entries: readonly Entry[]): string | null {
  return repliesOf(entries).at(-1) ?? null;
}

/** The person's messages, the agent's closing reply, and what calls and results say, the newest first. */
function extractedSummary(entries: readonly Entry[], observations: readonly Observation[]): SessionSummaryFields {
  const steps = toolStepsOf(entries);
  const open = planOf(steps).filter(({ state }) => state !== 'done');
  return {
    request: field(requestsOf(entries)),
    investigated: field(
      observations.flatMap(({ filesRead }) => filesRead),
      ', ',
    ),
    learned: field(observations.filter(({ type }) => type === 'discovery').flatMap(({ facts }) => facts)),
    completed: field([...observations.flatMap(({ filesModified }) => filesModified), lastReplyOf(entries) ?? '']),
    nextSteps: field(open.map(({ text }) => text)),
    notes: field(steps.flatMap(({ problem }) => problem ?? [])),
  };
}

function field(texts: readonly string[], separator = ' '): string {
  const newest = unique(texts.toReversed()).slice(0, maxTexts);
  return newest.map((text) => brief(text, fieldLength)).join(separator);
}
