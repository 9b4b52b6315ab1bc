import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { localizable } from '../../../extension/engine/wording/localizable-text';
import * as s from '../../../extension/platform/json/schemas';
import { LineSession, type SessionContent } from '../../../extension/sessions/records/line-session';

const note = s.record({ id: s.text, title: s.name, says: s.name });

/** Each record is a prompt. */
class Notes extends LineSession {
  readonly #entries: Entry[] = [];

  protected acceptRecord(record: s.JsonRecord, line: number): void {
    const { id, title, says } = s.read(note, record);
    this.givenTitle = title ?? this.givenTitle;
    if (says === null) {
      this.otherRecords.add('empty');
      return;
    }
    this.notePrompt(says);
    const parts = [{ type: 'text' as const, text: says }];
    this.#entries.push({ id: this.ids.claim(id), role: 'user', parts, timestamp: null, origin: { file: '', line } });
  }

  protected content(): SessionContent {
    const conversation = { entries: this.#entries.slice(), agentContext: [], agentCompactions: [] };
    return { conversation, awaitsReply: true, issues: [{ line: 9, message: localizable('found at last') }] };
  }
}

function notesOf(...lines: readonly string[]): ReturnType<Notes['session']> {
  const notes = new Notes('pi', '/notes.jsonl');
  for (const [index, text] of lines.entries()) notes.accept({ number: index + 1, text });
  return notes.session();
}

describe('the base of sessions in JSON lines', () => {
  it('makes a session of what its records say', () => {
    const session = notesOf('{"id":"a","says":"hello\\nworld"}', '{}', '{"id":"a","says":"again"}');
    expect(session).toMatchObject({ agent: 'pi', id: 'notes', file: '/notes.jsonl', cwd: null, model: null });
    expect(session.title).toBe('hello');
    expect(session.otherRecords).toEqual({ empty: 1 });
    expect(session.conversation.entries.map(({ id }) => id)).toEqual(['a', 'a#2']);
  });

  it('prefers the title that was given to the first prompt', () => {
    expect(notesOf('{"says":"hello"}', '{"title":"Greetings"}').title).toBe('Greetings');
  });

  it('skips blank lines, and reports unreadable lines before other issues of the file', () => {
    const { issues } = notesOf('', '[1]', '{"says":', '  ');
    expect(issues.map(({ line }) => line)).toEqual([2, 3, 9]);
    expect(issues.every(({ file }) => file === '/notes.jsonl')).toBe(true);
  });
});
