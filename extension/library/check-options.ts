import * as v from 'valibot';
import type { FileStores } from '../conversations/shelves/file-stores';
import { pinKinds } from '../engine/core/core';
import type { ConversationsOptions } from './conversations-options';
import { InvalidOption } from './invalid-option';
import type { ContextOptions } from './options';

/** Each message completes the sentence "the option … takes". */
const aFunction = v.function('a function');
const anObject = v.looseObject({}, 'an object with the functions of its type');
const aFlag = v.boolean('true or false');
const aText = v.string('a text');
const failing = ['send', 'throw'] as const;
const schedules = ['size', 'cost'] as const;
const percent = v.pipe(v.number('a number from 0 to 100'), v.minValue(0), v.maxValue(100));
const share = v.pipe(v.number('a number from 0 to 1'), v.minValue(0), v.maxValue(1));
const size = tokens('a number of tokens, 0 or more', 0);
const windowSize = tokens('the number of tokens that the model takes, above 0', Number.MIN_VALUE);

function oneOf(values: readonly string[]): string {
  return `one of ${values.join(', ')}`;
}

function tokens(takes: string, least: number) {
  return v.pipe(
    v.number(takes),
    v.check((value) => Number.isFinite(value) && value >= least, takes),
  );
}

const pin = v.strictObject(
  { kind: v.picklist(pinKinds, oneOf(pinKinds)), text: aText, rationale: v.optional(aText) },
  'an object with `kind` and `text`',
);

const automation = {
  enabled: v.optional(aFlag),
  floorTokens: v.optional(size),
  pauseTokens: v.optional(size),
  warnAtPercent: v.optional(percent),
  schedule: v.optional(v.picklist(schedules, oneOf(schedules))),
  smallestTarget: v.optional(size),
  prepareAt: v.optional(share),
  renewAfter: v.optional(share),
  prepareTokens: v.optional(size),
} satisfies Fields<ContextOptions['automation'] & {}>;

const parameters = v.record(
  v.string(),
  v.record(
    v.string(),
    v.union([v.number(), v.boolean(), v.array(v.string())], 'a number, true or false, or a list of names'),
  ),
  'an object with parameters by strategy',
);

/** The options that a context and conversations share. */
const shared = {
  strategy: v.optional(v.string('the name of a strategy')),
  parameters: v.optional(parameters),
  summarizer: v.optional(anObject),
  model: v.optional(anObject),
  modelWindow: v.optional(windowSize),
  embedder: v.optional(anObject),
  countTokens: v.optional(aFunction),
  automation: v.optional(v.strictObject(automation)),
  onSchedule: v.optional(aFunction),
  verification: v.optional(aText),
  effects: v.optional(v.looseObject({}, 'an object with `now`, `clock` or `newId`')),
  threads: v.optional(anObject),
} satisfies Fields<Omit<ContextOptions, 'window' | 'journal' | 'conversation' | 'id'>>;

const contextOptions = v.strictObject({
  ...shared,
  window: windowSize,
  journal: v.optional(anObject),
  conversation: v.optional(anObject),
  id: v.optional(aText),
  // Programs spread the result of `fileStores`, which contains the path of the session file beside the stores.
  path: v.optional(aText),
} satisfies Fields<ContextOptions & Pick<FileStores, 'path'>>);

const conversationsOptions = v.strictObject({
  ...shared,
  window: v.union(
    [windowSize, aFunction],
    'the number of tokens that the model takes, above 0, or a function that returns it for a model’s name',
  ),
  replyTokens: v.optional(size),
  pins: v.optional(v.array(pin, 'a list of pins')),
  shelf: v.optional(anObject),
  goesBack: v.optional(aFlag),
  keepsOneOffs: v.optional(aFlag),
  whenItFails: v.optional(v.picklist(failing, oneOf(failing))),
  onConversation: v.optional(aFunction),
  onEvent: v.optional(aFunction),
  telemetry: v.optional(anObject),
  onNotice: v.optional(aFunction),
} satisfies Fields<ConversationsOptions>);

const identity = {
  conversation: v.optional(aFunction),
  scope: v.optional(v.union([aText, aFunction], 'a text or a function')),
};

/** Options of the adapters, beside those of their conversations. */
const adapterOptions = {
  'ai-sdk': v.strictObject(identity),
  langchain: v.strictObject({ ...identity, name: v.optional(aText) }),
  fetch: v.strictObject({ ...identity, fetch: v.optional(aFunction) }),
};

/** Every option needs a schema, and every schema belongs to an option. */
type Fields<T> = Readonly<Record<keyof T, v.GenericSchema>>;

/** `settingOf` checks the names of parameters. */
export function checkContextOptions(options: ContextOptions): void {
  check(contextOptions, options);
}

export function checkConversationsOptions(options: ConversationsOptions): void {
  check(conversationsOptions, options);
}

export function checkAdapterOptions(adapter: keyof typeof adapterOptions, options: object): void {
  check(adapterOptions[adapter], options);
}

interface OptionsSchema extends v.GenericSchema {
  readonly entries: Readonly<Record<string, v.GenericSchema>>;
}

function check(schema: OptionsSchema, options: unknown): void {
  const { issues } = v.safeParse(schema, options);
  if (issues) throw new InvalidOption(sentence(issues[0], Object.keys(schema.entries)));
}

function sentence(issue: v.BaseIssue<unknown>, known: readonly string[]): string {
  const path = v.getDotPath(issue);
  if (path === null) return `Options are an object; it was ${shown(issue.input)}.`;
  if (issue.expected === 'never') return `Unknown option ${path}. The options are: ${known.join(', ')}.`;
  if (issue.input === undefined)
    return `The option ${path} is missing${path === 'window' ? ': give the number of tokens that the model takes' : ''}.`;
  return `The option ${path} takes ${issue.message}; it was ${shown(issue.input)}.`;
}

const mostShown = 80;

function shown(value: unknown): string {
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}
