import type { Observation, SessionSummary } from '../block/memory';
import { type Entry, textOf } from '../conversation/entry';
import { brief, unique } from '../conversation/text';
import { parseSessionSummary, type SessionSummaryFields, sessionSummaryPrompt } from '../prompts/observations';
import { type Conclusion, type ConclusionKind, conclusionsOf, informativeSentences } from './conclusions';
import { memoryId } from './identity';
import type { Inquiry } from './inquiry';
import { isRequest } from './request-spans';

const answerTokens = 800;

/** Maximum length of each sentence in UTF-16 units, and maximum sentences per field: a summary is read at a glance. */
const fieldLength = 160;
const maxSentences = 3;

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
    read: fieldsIn,
  });
  const id = memoryId('s', ...entries.map((entry) => entry.id));
  return {
    id,
    ...(answered ?? extracted),
    timestamp: entries.findLast(({ timestamp }) => timestamp)?.timestamp ?? null,
  };
}

function fieldsIn(text: string): SessionSummaryFields | null {
  const answer = parseSessionSummary(text);
  return answer.kind === 'summary' ? answer.fields : null;
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

/** Verbatim sentences and names, the newest of each kind. */
function extractedSummary(entries: readonly Entry[], observations: readonly Observation[]): SessionSummaryFields {
  const concluded = repliesOf(entries).flatMap(conclusionsOf);
  return {
    request: field(requestsOf(entries).map((request) => informativeSentences(request)[0] ?? '')),
    investigated: field(
      observations.flatMap(({ filesRead }) => filesRead),
      ', ',
    ),
    learned: field(sentencesOfKind(concluded, 'finding', 'decision')),
    completed: field([
      ...sentencesOfKind(concluded, 'done'),
      ...unique(observations.flatMap(({ filesModified }) => filesModified)),
    ]),
    nextSteps: field(sentencesOfKind(concluded, 'open').slice(-1)),
    notes: field(sentencesOfKind(concluded, 'dead-end')),
  };
}

function sentencesOfKind(conclusions: readonly Conclusion[], ...kinds: readonly ConclusionKind[]): string[] {
  return conclusions.filter(({ kind }) => kinds.includes(kind)).map(({ sentence }) => sentence);
}

function field(texts: readonly string[], separator = ' '): string {
  return unique(texts)
    .slice(-maxSentences)
    .map((text) => brief(text, fieldLength))
    .join(separator);
}
