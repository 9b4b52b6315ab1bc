import type { Entry } from '../../engine/conversation/entry';
import type { SessionBuilder } from '../adapter';
import type { ParsedSession } from '../session';
import { type IssueAtLine, IssueList } from './issues';
import { type Line, type LineReading, readLine } from './line';
import type { JsonRecord } from './schemas';
import { Tally } from './tally';
import { titleOf } from './title';
import { tooDeepIssues } from './tool-input';
import { UniqueIds } from './unique-ids';

/** The state of the records. Given fields override those of the base. */
export type SessionContent = Pick<ParsedSession, 'conversation' | 'awaitsReply'> &
  Partial<Omit<ParsedSession, 'agent' | 'file' | 'issues'>> & {
    /** Issues of the session as it is now, listed behind those of single lines. */
    readonly issues?: readonly IssueAtLine[];
  };

/**
 * The base of sessions that are files of JSON lines: reads each line, and keeps what all agents have in common. An agent
 * adds what its records mean: `acceptRecord` takes one in, `content` says what all of them amount to.
 */
export abstract class LineSession implements SessionBuilder {
  protected readonly issues: IssueList;
  /** Records that are no part of the conversation. */
  protected readonly otherRecords = new Tally();
  protected readonly ids = new UniqueIds();
  protected sessionId: string | null = null;
  protected cwd: string | null = null;
  /** The model of the newest reply, or the one that was chosen since. */
  protected model: string | null = null;
  protected contextWindow: number | null = null;
  protected branch: string | null = null;
  /** Comes before the first prompt as the session's title. */
  protected givenTitle: string | null = null;
  #firstPrompt: string | null = null;

  constructor(
    private readonly agent: ParsedSession['agent'],
    protected readonly file: string,
  ) {
    this.issues = new IssueList(file);
  }

  accept(line: Line): void {
    const reading = readLine(line);
    if (reading.kind === 'record') this.acceptRecord(reading.record, line.number);
    else if (reading.kind !== 'blank') this.acceptUnreadable(reading, line.number);
  }

  session(): ParsedSession {
    const { issues, ...content } = this.content();
    return {
      agent: this.agent,
      id: this.sessionId ?? '',
      file: this.file,
      cwd: this.cwd,
      title: this.givenTitle ?? this.#firstPrompt,
      model: this.model,
      ...(this.contextWindow === null ? {} : { contextWindow: this.contextWindow }),
      ...(this.branch === null ? {} : { branch: this.branch }),
      issues: this.issues.list(issues),
      otherRecords: this.otherRecords.counts(),
      ...content,
    };
  }

  /** Costs as much as the record, not as much as the session before it. */
  protected abstract acceptRecord(record: JsonRecord, line: number): void;

  /** May copy lists of references and walk the present context, nothing else. */
  protected abstract content(): SessionContent;

  protected acceptUnreadable(reading: Unreadable, line: number): void {
    this.issues.add(line, reading.message);
  }

  /** The title of a session is the beginning of the first prompt with text in it. */
  protected notePrompt(text: string): void {
    this.#firstPrompt ??= titleOf(text);
  }

  protected get hasPrompt(): boolean {
    return this.#firstPrompt !== null;
  }

  protected noteTooDeep(parts: Entry['parts'], line: number): void {
    for (const issue of tooDeepIssues(parts, line)) this.issues.add(issue.line, issue.message);
  }
}

export type Unreadable = Extract<LineReading, { kind: 'broken' | 'no-object' }>;
