import { asCount, asName, asRecord, type JsonRecord } from '../records/json';
import { titleOf } from '../records/title';
import type { ParentSession, ParsedSession } from '../session';
import type { Rollouts } from './rollouts';

type Told = Pick<ParsedSession, 'id' | 'cwd' | 'title' | 'model' | 'contextWindow' | 'parent'>;

/** A picture stands between two tags, each on a line of its own, which are no words of the person's. */
export const pictureTag = /^[ \t]*<\/?image\b[^>\n]*>[ \t\r]*$/gm;

/** What the records tell of the session as a whole. */
export class SessionFacts {
  #id: string | null = null;
  #cwd: string | null = null;
  #name: string | null = null;
  #firstText: string | null = null;
  #model: string | null = null;
  #window: number | null = null;
  #parent: ParentSession | null = null;
  /** What came before a fork is in a file that is not there. */
  lacksBeginning = false;

  get model(): string | null {
    return this.#model;
  }

  /** `another`: a fork of an older version has the records of the session that it was forked from, too. */
  noteSession(payload: JsonRecord, rollouts: Rollouts): 'this' | 'another' {
    if (this.#id !== null) return 'another';
    this.#id = asName(payload.id) ?? '';
    this.#cwd = asName(payload.cwd);
    const parentId = parentThread(payload);
    if (parentId !== null) this.#parent = { file: rollouts.findThread(parentId), callId: null };
    return 'this';
  }

  noteTurn(payload: JsonRecord): void {
    this.#model = asName(payload.model) ?? this.#model;
    this.#cwd ??= asName(payload.cwd);
  }

  noteEvent(event: JsonRecord): void {
    const told = asCount(event.model_context_window) ?? asCount(asRecord(event.info)?.model_context_window);
    this.#window = told ?? this.#window;
    if (event.type === 'thread_name_updated') this.#name = titleOf(asName(event.thread_name) ?? '');
  }

  notePrompt(text: string): void {
    this.#firstText ??= titleOf(text.replace(pictureTag, ''));
  }

  session(): Told {
    return {
      id: this.#id ?? '',
      cwd: this.#cwd,
      title: this.#name ?? this.#firstText,
      model: this.#model,
      ...(this.#window === null ? {} : { contextWindow: this.#window }),
      ...(this.#parent === null ? {} : { parent: this.#parent }),
    };
  }
}

/** A thread that names itself was started by none. */
export function parentThread(payload: JsonRecord): string | null {
  const spawn = asRecord(asRecord(asRecord(payload.source)?.subagent)?.thread_spawn);
  const parent = asName(payload.parent_thread_id) ?? asName(spawn?.parent_thread_id);
  return parent === asName(payload.id) ? null : parent;
}
