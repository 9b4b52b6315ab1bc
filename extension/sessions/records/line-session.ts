import type { Conversation } from '../../engine/conversation/conversation';
import type { Entry } from '../../engine/conversation/entry';
import { lastPart } from '../../engine/ledger/files';
import { localizable } from '../../engine/wording/localizable-text';
import type { JsonRecord } from '../../platform/json/schemas';
import { Tally } from '../../platform/json/tally';
import { UniqueIds } from '../../platform/json/unique-ids';
import { type Line, type LineReading, readLine } from '../../platform/lines/line';
import type { SessionBuilder } from '../adapter';
import { ForkedSession, type ForkOrigin, originIn, writtenIn } from '../fork/fork-mark';
import { type AuthorMarks, personText, splitByAuthor } from '../injected/split-by-author';
import type { ParsedSession } from '../session';
import { type IssueAtLine, IssueList } from './issues';
import { StrayResults, strayIssue } from './stray-results';
import { titleOf } from './title';
import { tooDeepIssues } from './tool-input';

/** The fields that the entries of one record share, and the id of the first. */
export type EntryPlace = Pick<Entry, 'id' | 'timestamp' | 'origin'>;

/** The state of the records. Given fields override those of the base. */
export type SessionContent = Pick<ParsedSession, 'conversation' | 'awaitsReply'> &
  Partial<Omit<ParsedSession, 'agent' | 'file' | 'issues'>> & {
    /** Issues of the session as it is now, listed after those of single lines. */
    readonly issues?: readonly IssueAtLine[];
  };

/** How the sessions of an agent differ from those of others. */
export interface LineTraits {
  /** How the records tell the person's words from the agent's. `apart`: every message has one author. */
  readonly authors?: AuthorMarks | 'apart';
  /** The first record of every session has its id. */
  readonly beginsWithId?: true;
}

/**
 * The base of sessions that are files of JSON lines: reads each line, and keeps what all agents have in common. An agent adds the meaning
 * of its records: `acceptRecord` takes one in, `content` returns the result of all.
 */
export abstract class LineSession implements SessionBuilder {
  protected readonly issues: IssueList;
  /** Records that are not part of the conversation. */
  protected readonly otherRecords = new Tally();
  protected readonly ids = new UniqueIds();
  protected sessionId: string | null = null;
  protected cwd: string | null = null;
  /** The model of the newest reply, or the one that was chosen since. */
  protected model: string | null = null;
  protected contextWindow: number | null = null;
  protected branch: string | null = null;
  /** The session's title; without it, the first prompt is. */
  protected givenTitle: string | null = null;
  #firstPrompt: string | null = null;
  readonly #strayResults = new StrayResults();
  readonly #forked = new ForkedSession();
  /** From the first record. */
  #forkOrigin: { readonly fork: string; readonly origin: ForkOrigin } | null = null;
  #hasRecord = false;

  constructor(
    private readonly agent: ParsedSession['agent'],
    protected readonly file: string,
    private readonly traits: LineTraits = {},
  ) {
    this.issues = new IssueList(file);
  }

  accept(line: Line): void {
    const reading = readLine(line);
    if (reading.kind === 'record') {
      this.acceptRecord(reading.record, line.number);
      this.#noteFork(reading.record);
    }
    if (reading.kind !== 'record' && reading.kind !== 'blank') this.acceptUnreadable(reading, line.number);
  }

  session(): ParsedSession {
    const { issues = [], ...content } = this.content();
    const strays = this.#strayResults.in(content.conversation.entries);
    const found = [...this.#beginningIssues(), ...strays.map(strayIssue), ...issues];
    const origin = this.#forkOrigin;
    const conversation = this.#forked.in(this.#byAuthor(content.conversation));
    return {
      agent: this.agent,
      id: this.sessionId ?? this.idOfPlace,
      file: this.file,
      cwd: this.cwd,
      title: this.givenTitle ?? this.#firstPrompt,
      model: this.model,
      ...(this.contextWindow === null ? {} : { contextWindow: this.contextWindow }),
      ...(this.branch === null ? {} : { branch: this.branch }),
      issues: this.issues.list(found),
      otherRecords: this.otherRecords.counts(),
      ...content,
      // Strata wrote the fork, and nothing was added since, so no agent is at work.
      ...(conversation.entries.length === this.#forked.entryCount ? { awaitsReply: false } : {}),
      ...(origin?.fork === this.sessionId ? { predecessor: { ...origin.origin, byStrata: true } } : {}),
      conversation,
    };
  }

  #byAuthor(conversation: Conversation): Conversation {
    const { authors = {} } = this.traits;
    return authors === 'apart' ? conversation : splitByAuthor(conversation, authors);
  }

  #noteFork(record: JsonRecord): void {
    if (!this.#hasRecord) this.#forkOrigin = originIn(record);
    this.#hasRecord = true;
    const written = writtenIn(record);
    if (written === null) return;
    const { entries, agentContext, agentCompactions } = this.#byAuthor(this.content().conversation);
    this.#forked.note(written, {
      compactionId: agentCompactions.at(-1)?.id ?? null,
      entryIds: agentContext.map(({ id }) => id),
      entryCount: entries.length,
    });
  }

  /** Costs as much as the record, not as much as the session before it. */
  protected abstract acceptRecord(record: JsonRecord, line: number): void;

  /** May copy lists of references and walk the present context, nothing else. */
  protected abstract content(): SessionContent;

  /** The id of a session whose records do not name it. */
  protected get idOfPlace(): string {
    // The library runs in a browser, too, which has no module for paths.
    return lastPart(this.file).replace(/\.[^.]+$/, '');
  }

  /** Whether the record that begins every session of this agent is not in the file. */
  protected get lacksBeginning(): boolean {
    return this.traits.beginsWithId === true && this.sessionId === null;
  }

  #beginningIssues(): IssueAtLine[] {
    const message = localizable(
      'The first record of the session is not in this file; the session is named after the file',
    );
    return this.lacksBeginning ? [{ line: 1, message }] : [];
  }

  protected acceptUnreadable(reading: Unreadable, line: number): void {
    this.issues.add(line, reading.message);
  }

  /** The title of a session is the beginning of the first prompt with words of the person in it. */
  protected notePrompt(text: string): void {
    this.#firstPrompt ??= titleOf(personText([{ type: 'text', text }])) ?? titleOf(text);
  }

  protected get hasPrompt(): boolean {
    return this.#firstPrompt !== null;
  }

  /** Notes the calls of a reply whose record a later one may replace. */
  protected noteCalls(parts: Entry['parts']): void {
    this.#strayResults.note(parts);
  }

  protected noteTooDeep(parts: Entry['parts'], line: number): void {
    for (const issue of tooDeepIssues(parts, line)) this.issues.add(issue.line, issue.message);
  }
}

export type Unreadable = Extract<LineReading, { kind: 'broken' | 'no-object' }>;
