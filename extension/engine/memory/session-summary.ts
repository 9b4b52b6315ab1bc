import type { Observation, SessionSummary } from '../block/memory';
import { type Entry, textOf } from '../conversation/entry';
import { brief, unique } from '../conversation/text';
import { personSaid } from '../language/directions';

import { type Remark, type RemarkKind, remarksIn } from '../language/remarks';
import { parseSessionSummary, type SessionSummaryFields, sessionSummaryPrompt } from '../prompts/observations';
import { goalsTold } from './goals-told';
import { memoryId } from './identity';
import type { Inquiry } from './inquiry';
import { isRequest } from './request-spans';

const answerTokens = 800;

/** Maximum length of each sentence in UTF-16 units, and maximum sentences per field: a summary is read at a glance. */
const fieldLength = 240;
const maxSentences = 8;
const maxDirections = 16;

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

/** The person's words, and what the agent told by kind: verbatim, the newest first. */
function extractedSummary(entries: readonly Entry[], observations: readonly Observation[]): SessionSummaryFields {
  const told = remarksIn(entries).filter(({ isEarlier }) => !isEarlier);
  return {
    request: requestField(entries),
    investigated: field(
      observations.flatMap(({ filesRead }) => filesRead),
      ', ',
    ),
    learned: field(ofKinds(told, 'cause', 'decision')),
    completed: field([
      ...unique(observations.flatMap(({ filesModified }) => filesModified)),
      ...ofKinds(
        told.filter(({ place }) => place !== 'interim'),
        'report',
      ),
    ]),
    nextSteps: field(ofKinds(told, 'open')),
    notes: field(ofKinds(told, 'given-up')),
  };
}

/** What the person wants: the goals, the rules, then all else that is in force; the newest of each first. */
function requestField(entries: readonly Entry[]): string {
  const all = personSaid(entries);
  const said = all
    .filter(({ kind, endedBy }) => kind !== 'chat' && kind !== 'question' && endedBy === null)
    .map(({ kind, text, question }) => ({ kind, text: question === null ? text : `${question} -> ${text}` }))
    .reverse();
  const ended = all.filter(({ endedBy }) => endedBy !== null);
  const goals = goalsTold(all.filter((one) => !ended.includes(one))).map(({ text }) => text);
  const rules = said.filter(({ kind }) => kind === 'rule').map(({ text }) => text);
  const others = said.map(({ text }) => text).filter((text) => !goals.some((goal) => goal.includes(text)));
  return joined(unique([...goals.reverse(), ...rules, ...others]).slice(0, maxDirections));
}

function ofKinds(remarks: readonly Remark[], ...kinds: readonly RemarkKind[]): string[] {
  return remarks.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text);
}

function field(texts: readonly string[], separator = ' '): string {
  return joined(unique([...texts].reverse()).slice(0, maxSentences), separator);
}

function joined(texts: readonly string[], separator = ' '): string {
  return texts.map((text) => brief(text, fieldLength)).join(separator);
}
