import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Branch, branchOf } from '../../../extension/engine/conversation/branch';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { conversationAt, requestSteps } from '../../../extension/engine/history/conversation-at';
import { everySample, type LineSample } from '../../sessions/samples';

/** Gemini CLI writes its messages again when it resumes, so its file lacks the earlier texts of messages. */
const samples = everySample().filter(({ format }) => format.agent !== 'gemini-cli');

/** Maximum number of moments checked in one session, besides those around its compactions. */
const mostMoments = 40;

/** Entries of one line may come from several records, and the record after them may contain no message. */
const slack = 4;

class SampleFile {
  readonly lines: readonly string[];

  constructor(private readonly sample: LineSample) {
    this.lines = readFileSync(sample.file, 'utf8').split('\n');
  }

  /** The conversation as read after each of these lines. The first line has number 1. */
  *readUpTo(first: number, last: number): Generator<Conversation> {
    const builder = this.sample.format.createBuilder(this.sample.file);
    for (const [index, text] of this.lines.slice(0, last).entries()) {
      if (text !== '') builder.accept({ number: index + 1, text });
      if (index + 1 >= first) yield builder.session().conversation;
    }
  }

  get whole(): Conversation {
    const [conversation] = this.readUpTo(this.lines.length, this.lines.length);
    if (conversation === undefined) throw new Error(`${this.sample.file} is empty`);
    return conversation;
  }
}

function said({ agentContext, agentCompactions }: Conversation): string {
  const messages = agentContext.map(({ id, role, parts, usage }) => [id, role, parts, usage]);
  return JSON.stringify([messages, agentCompactions.map(({ id, replacedEntryIds }) => [id, replacedEntryIds])]);
}

/** The steps around each compaction, and others spread evenly over the session. */
function chosenSteps(conversation: Conversation, branch: Branch): number[] {
  const steps = requestSteps(branch, conversation);
  const every = Math.max(1, Math.ceil(steps.length / mostMoments));
  const around = new Set(branch.compactions.flatMap(({ step }) => [step - 1, step, step + 1]));
  return steps.filter((step, index) => index % every === 0 || around.has(step));
}

/** Whether this was the state of the file after some line between this entry and the next. */
function isStateOfFile(file: SampleFile, past: Conversation, { entries }: Branch, step: number): boolean {
  const first = Math.max(1, (entries[step]?.entry.origin.line ?? 1) - slack);
  const last = (entries[step + 1]?.entry.origin.line ?? file.lines.length) + slack;
  const wanted = said(past);
  for (const conversation of file.readUpTo(first, Math.max(last, first)))
    if (said(conversation) === wanted) return true;
  return false;
}

describe('the conversation at a moment', () => {
  for (const sample of samples) {
    it(`the conversation at a moment is what the file of ${sample.name} said then`, { timeout: 60_000 }, () => {
      const file = new SampleFile(sample);
      const { whole } = file;
      const branch = branchOf(whole);
      const wrong = chosenSteps(whole, branch).filter(
        (step) => !isStateOfFile(file, conversationAt(whole, branch, step), branch, step),
      );
      expect(wrong).toEqual([]);
    });
  }

  it('returns the conversation itself for the last moment', () => {
    for (const sample of everySample()) {
      const { whole } = new SampleFile(sample);
      const branch = branchOf(whole);
      expect(requestSteps(branch, whole).at(-1)).toBe(branch.entries.length - 1);
      expect(conversationAt(whole, branch, branch.entries.length - 1)).toBe(whole);
    }
  });
});
