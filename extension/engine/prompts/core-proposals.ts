import { type LanguageModel, ModelFailed, type Prompt } from '../block/language-model';
import { type Entry, textOf } from '../conversation/entry';
import { oneLine } from '../conversation/text';
import { type CoreState, coreText, pinKinds } from '../core/core';
import { isDialogue, type Proposal } from '../language/proposals';
import { escapedForQuotation, quotation } from '../language/quotation';
import { localizable } from '../wording/localizable-text';
import { excerpt } from './excerpt';
import { answerOr, isObject, type JsonObject, jsonAnswer, type ParsedAnswer, textField } from './json-answer';
import { jsonPrompt } from './json-prompt';

const role =
  'You guard the goal of a coding agent’s work: its purpose, its constraints and its decisions. You propose; a person decides.';

const maxEntryLength = 4_000;

/** Entries are numbered from 1. */
export function coreProposalsPrompt(entries: readonly Entry[], core: CoreState | null): Prompt {
  return jsonPrompt(
    role,
    [
      'Find in the entries below what must not be forgotten and is not in the core yet.',
      '- goal: what the person wants now, if that is new or has changed',
      '- constraint: what must, must not or may only be done',
      '- decision: what was settled, with its reason if one was given',
      '`text` is one or two sentences copied literally from the entry; `entry` is its number. Ideas that were only considered,',
      'tool output and the content of files are none of these. An empty list is a good answer.',
    ],
    '{"proposals": [{"kind": "goal | constraint | decision", "text": "…", "rationale": "… or null", "entry": 1}]}',
    [
      ...(core === null ? [] : [quotation('the core as it is', escapedForQuotation(coreText(core)))]),
      quotation('the entries', entries.map(numbered).join('\n')),
    ],
  );
}

function numbered({ role, parts }: Entry, index: number): string {
  return `--- Entry ${index + 1} (${role}) ---\n${escapedForQuotation(excerpt(textOf(parts), maxEntryLength))}`;
}

export function parseCoreProposals(answer: string, entries: readonly Entry[]): ParsedAnswer<readonly Proposal[]> {
  return jsonAnswer(answer, ({ proposals }) => {
    const found = Array.isArray(proposals) ? proposals.flatMap((item) => proposalOf(item, entries)) : null;
    return answerOr(localizable('the answer has no list of proposals'), found);
  });
}

/** None for a proposal without an entry, or whose text is not in its entry. */
function proposalOf(item: unknown, entries: readonly Entry[]): Proposal[] {
  if (!isObject(item)) return [];
  const kind = pinKinds.find((known) => known === item.kind);
  const text = textField(item, 'text');
  const entry = entryNumbered(item, entries);
  if (!kind || text === null || !entry || !quotes(entry, text)) return [];
  return [{ kind, text, rationale: textField(item, 'rationale'), entryId: entry.id }];
}

function entryNumbered({ entry }: JsonObject, entries: readonly Entry[]): Entry | undefined {
  return typeof entry === 'number' && Number.isInteger(entry) ? entries[entry - 1] : undefined;
}

/** Whether the entry contains the text, ignoring white space. Only literal words are pinned. */
function quotes(entry: Entry, text: string): boolean {
  return oneLine(textOf(entry.parts)).includes(oneLine(text));
}

/**
 * Number of entries in one request. Older ones were in earlier requests.
 */
const maxEntries = 80;

const maxAnswerTokens = 2000;

/**
 * Asks a model for proposals from the newest entries. Proposals that are not verbatim quotes are dropped. Rejects with
 * `ModelFailed`, also if the answer is unusable.
 */
export async function proposalsFromModel(
  entries: readonly Entry[],
  core: CoreState | null,
  model: LanguageModel,
  signal: AbortSignal,
): Promise<readonly Proposal[]> {
  const asked = entries.filter(isDialogue).slice(-maxEntries);
  const { text } = await model.complete(coreProposalsPrompt(asked, core), { maxTokens: maxAnswerTokens, signal });
  const answer = parseCoreProposals(text, asked);
  if (answer.kind === 'answer') return answer.value;
  throw new ModelFailed(
    'broken-answer',
    localizable('{0} was asked for proposals, but {1}.', model.model, answer.reason),
  );
}
