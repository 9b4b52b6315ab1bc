import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../extension/engine/conversation/entry';
import type * as s from '../../../extension/platform/json/schemas';
import { claudeSession, linesOf } from '../../sessions/build';
import { everySample, type Sample } from '../../sessions/samples';
import {
  contextGroups,
  hashOf,
  type Request,
  type RequestLog,
  requestLogOf,
  rowBlocks,
  type SentGroup,
  sentGroups,
} from './request-log';

/** In the samples, some texts were replaced by filler of the same length, and some paths by shorter ones. */
const filler = '[vendor prompt text, ';
const replacedPaths = [
  { path: /[/-]home[/-]ada[/-]scratch/g, shortening: 7 },
  { path: /\/home\/ada\/\.claude/g, shortening: 15 },
];
/**
 * Length of `<system-reminder>` and its end tag, each with a line break. They are removed from system messages, but not
 * from filler.
 */
const reminderTags = 37;

const logged = everySample()
  .map((sample) => ({ ...sample, log: requestLogOf(linesOf(sample.file)) }))
  .filter(({ log }) => log.requests.length > 0);

describe.each(logged)('the requests logged in $name', ({ log, ...sample }) => {
  it.each(log.requests)('the context is what was sent in line $line', (request) => {
    const sent = sentGroups(log, request);
    const context = contextBefore(sample, request);
    expect(context.map((group) => group.role)).toEqual(sent.map((group) => group.role));
    const checks = sent.map((group, index) => check(log, group, context[index]?.entries ?? []));
    expect(checks.flat()).toEqual([]);
  });
});

it('compares hashes of most messages', () => {
  const last = logged[0]?.log.requests.at(-1);
  const log = logged[0]?.log;
  if (log === undefined || last === undefined) throw new Error('no request log among the fixtures');
  const known = last.hashes.filter((hash) => !log.blobs.has(hash));
  expect(known.length).toBeGreaterThan(5);
});

function contextBefore(sample: Sample, request: Request): { role: string; entries: Entry[] }[] {
  const { conversation } = claudeSession(linesOf(sample.file).slice(0, request.line - 1));
  const [prompt, ...messages] = conversation.agentContext;
  // Before the first request, the prompt is known only from its parts.
  expect(prompt?.role).toBe('system');
  return contextGroups(messages);
}

/** The faults of a message of the context, as sentences. */
function check(log: RequestLog, sent: SentGroup, entries: readonly Entry[]): string[] {
  if (sent.contents.every((content) => content !== null)) return checkTexts(sent, sent.contents.flat(), entries);
  const blocks = entries.flatMap((entry) => rowBlocks(log, entry));
  if (shorteningOf(JSON.stringify(blocks)) > 0) return [];
  const hash = hashOf(sent.role, blocks);
  return sent.hashes[0] === hash ? [] : [`${sent.role} ${JSON.stringify(blocks).slice(0, 200)} is not what was sent`];
}

function checkTexts(sent: SentGroup, blocks: readonly (s.JsonRecord | null)[], entries: readonly Entry[]): string[] {
  const wanted = blocks.map((block) => String(block?.text ?? block?.thinking ?? block?.content ?? ''));
  const texts = entries.flatMap((entry) => entry.parts.map((part) => ('text' in part ? part.text : '')));
  const ours = sent.role === 'system' ? [joinedNotes(texts)] : texts;
  if (wanted.length !== ours.length)
    return [`${ours.length} texts for ${wanted.length} sent: ${JSON.stringify(ours).slice(0, 300)}`];
  return wanted.flatMap((text, index) =>
    isSameText(text, ours[index] ?? '') ? [] : [`${text.slice(0, 60)} ≠ ${ours[index]?.slice(0, 60)}`],
  );
}

function joinedNotes(texts: readonly string[]): string {
  return texts.map((text) => (text.startsWith(filler) ? text.slice(0, -reminderTags) : text)).join('\n\n');
}

/** A text that is followed by another one in the same message is sent with a line break at its end. */
function isSameText(sent: string, ours: string): boolean {
  // A notification is sent with an explanation, which is in no row.
  if (ours.startsWith('<task-notification>')) return sent.length > ours.length;
  if (!sent.startsWith(filler)) return sent === ours || sent === `${ours}\n`;
  const length = ours.length + shorteningOf(ours);
  return sent.length === length || sent.length === length + 1;
}

/** The number of characters that a text lost when its paths were replaced. */
function shorteningOf(text: string): number {
  return replacedPaths.reduce((sum, { path, shortening }) => sum + shortening * (text.match(path)?.length ?? 0), 0);
}
