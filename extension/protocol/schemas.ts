import * as v from 'valibot';
import { coreItemStatuses, pinKinds } from '../engine/core/core.ts';
import { taskKinds } from '../evaluation/measure/tasks/task.ts';
import { standardQuestions } from './asking.ts';
import { type Method, type Notifications, type Requests, rowActions, type Topic } from './messages.ts';

/**
 * Schemas of the request parameters. Types check both sides at build time. These check again at run time, because a
 * webview shows untrusted content.
 */
export const requestParams: RequestSchemas = {
  start: nothing(),
  'list-sessions': nothing(),
  'open-session': v.strictObject({ file: v.string() }),
  'read-own-conversations': nothing(),
  'manage-own-conversations': nothing(),
  'choose-session-file': nothing(),
  'rows-beneath': v.strictObject({ compactionId: v.string() }),
  'read-row': v.strictObject({ key: v.string() }),
  'reveal-row': v.strictObject({ key: v.string() }),
  'reveal-entry': v.strictObject({ entryId: v.string() }),
  'reveal-issue': v.strictObject({ file: v.string(), line: wholeNumber() }),
  'preview-compaction': v.strictObject({
    strategy: v.string(),
    instructions: v.string(),
    range: v.nullable(v.strictObject({ from: v.nullable(v.string()), upTo: v.nullable(v.string()) })),
    targetTokens: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
  }),
  'edit-preview': v.strictObject({ id: v.string(), block: wholeNumber(), text: v.string() }),
  'put-back-into-preview': v.strictObject({ id: v.string(), block: wholeNumber(), texts: v.array(v.string()) }),
  'compare-strategy': v.strictObject({ strategy: v.string() }),
  'writing-cost': v.strictObject({ strategy: v.string() }),
  'write-compared': v.strictObject({ strategy: v.string() }),
  'read-preview': v.strictObject({ id: v.string() }),
  'apply-preview': v.strictObject({ id: v.string() }),
  'asking-cost': v.strictObject({ subject: askingSubject() }),
  'ask-both': v.strictObject({
    subject: askingSubject(),
    standard: v.array(v.picklist(standardQuestions)),
    own: v.array(v.string()),
  }),
  'cancel-compaction': nothing(),
  'read-compaction': v.strictObject({ id: v.string() }),
  'put-back': v.strictObject({ id: v.string(), texts: v.array(v.string()) }),
  'edit-block': v.strictObject({ id: v.string(), text: v.string(), before: v.string() }),
  'write-again': v.strictObject({ id: v.string() }),
  'keep-rewriting': v.strictObject({ rewriting: v.string() }),
  'open-rewriting-diff': v.strictObject({ rewriting: v.string() }),
  'restore-text': v.strictObject({ id: v.string() }),
  'exclude-row': v.strictObject({ key: v.string() }),
  'read-history': nothing(),
  travel: v.strictObject({ moment: v.nullable(wholeNumber()) }),
  'find-rows': v.strictObject({ words: v.string() }),
  'read-images': v.strictObject({ key: v.string() }),
  'open-link': v.strictObject({ url: v.string() }),
  'open-diff': v.strictObject({ id: v.string() }),
  undo: v.strictObject({ run: v.exactOptional(wholeNumber()), block: v.exactOptional(wholeNumber()) }),
  redo: nothing(),
  pin: v.strictObject({ kind: v.picklist(pinKinds), text: v.string(), rowKey: v.nullable(v.string()) }),
  'propose-core': nothing(),
  'copy-forgotten': v.strictObject({ without: v.array(v.string()) }),
  'change-core-item': v.strictObject({ id: v.string(), status: v.picklist(coreItemStatuses) }),
  'edit-core-item': v.strictObject({ id: v.string(), text: v.string(), rationale: v.nullable(v.string()) }),
  'order-core-items': v.strictObject({ ids: v.array(v.string()) }),
  'toggle-auto-compact': nothing(),
  'choose-summarizer': nothing(),
  'read-writers': nothing(),
  'answer-writer': v.strictObject({ id: v.string() }),
  'hand-off': v.strictObject({ goal: v.string() }),
  fork: v.strictObject({ beforeRow: v.nullable(v.string()) }),
  'fork-whole': nothing(),
  'fork-and-resume': nothing(),
  'compact-in-place': nothing(),
  resume: nothing(),
  'delete-fork': nothing(),
  'open-in-editor': nothing(),
  'list-agents': nothing(),
  'show-setup-file': v.strictObject({ agent: v.string(), file: v.string() }),
  'set-up-agent': v.strictObject({ agent: v.string() }),
  'remove-from-agent': v.strictObject({ agent: v.string() }),
  'check-agent': v.strictObject({ agent: v.string() }),
  'read-evaluation': v.strictObject({
    filter: v.strictObject({
      tasks: v.exactOptional(v.array(v.string())),
      kinds: v.exactOptional(v.array(v.picklist(taskKinds))),
      seeds: v.exactOptional(v.array(v.number())),
      compactions: v.exactOptional(v.array(wholeNumber())),
    }),
  }),
  'read-probe': v.strictObject({ id: v.string() }),
  'read-replay-boundary': v.strictObject({ id: v.string() }),
  'run-evaluation': v.strictObject({ what: v.picklist(['quick', 'sessions']) }),
  'cancel-evaluation': nothing(),
  'choose-evaluation': nothing(),
  'show-study': nothing(),
  'export-evaluation': v.strictObject({ format: v.picklist(['html', 'markdown', 'csv']) }),
};

type RequestSchemas = { readonly [M in Method]: v.GenericSchema<unknown, Requests[M]['params']> };

/**
 * Schemas of the outer shape of each notification. The host is trusted, but a webview that stayed open during an update
 * can receive another shape and must not paint it. Rows are not checked one by one.
 */
export const notificationBodies: Readonly<Record<Topic, v.GenericSchema>> = {
  'session-opened': v.looseObject({ view: v.looseObject({ revision: v.number(), rows: v.array(v.unknown()) }) }),
  'session-changed': v.looseObject({ change: v.looseObject({ revision: v.number() }) }),
  'session-closed': v.looseObject({}),
  'sessions-changed': v.looseObject({ sessions: v.array(v.looseObject({ file: v.string() })) }),
  'busy-changed': v.looseObject({ busy: v.nullable(v.looseObject({ label: v.string() })) }),
  'summarizer-changed': v.looseObject({ summarizer: v.looseObject({ label: v.string() }) }),
  'opening-changed': v.looseObject({ opening: v.nullable(v.looseObject({ file: v.string() })) }),
  'row-action': v.strictObject({ action: v.picklist(rowActions), key: v.string() }),
  show: v.looseObject({ what: v.string() }),
  'evaluation-changed': v.looseObject({ state: v.looseObject({ revision: v.number() }) }),
};

function nothing() {
  return v.strictObject({});
}

function askingSubject() {
  return v.strictObject({ of: v.picklist(['preview', 'compaction'] as const), id: v.string() });
}

function wholeNumber() {
  return v.pipe(v.number(), v.safeInteger(), v.minValue(0));
}

type Checked<T> =
  | { readonly kind: 'sound'; readonly value: T }
  /** Position and problem in one line. */
  | { readonly kind: 'unsound'; readonly problem: string };

export function checkParams<M extends Method>(method: M, params: unknown): Checked<Requests[M]['params']> {
  const result = v.safeParse(requestParams[method], params);
  return result.success
    ? { kind: 'sound', value: result.output as Requests[M]['params'] }
    : { kind: 'unsound', problem: problemOf(result.issues) };
}

export function checkBody<T extends Topic>(topic: T, body: unknown): Checked<Notifications[T]> {
  const result = v.safeParse(notificationBodies[topic], body);
  return result.success
    ? { kind: 'sound', value: body as Notifications[T] }
    : { kind: 'unsound', problem: problemOf(result.issues) };
}

function problemOf([issue]: readonly v.BaseIssue<unknown>[]): string {
  if (!issue) return 'it has another shape';
  const path = v.getDotPath(issue);
  return path === null ? issue.message : `${path}: ${issue.message}`;
}
