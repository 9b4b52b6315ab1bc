import type { Prompt } from '../block/language-model';
import { type Entry, textOf } from '../conversation/entry';
import { type CoreState, coreText, type PinKind, pinKinds } from '../core/core';
import { escapedForQuotation, quotation } from '../language/quotation';
import { excerpt } from './excerpt';
import { type Garbled, garbled, isObject, type JsonObject, jsonAnswer, textField } from './json-answer';
import { jsonPrompt } from './json-prompt';

/** Something that may belong into the core. A person decides; a model only proposes. */
export interface CoreProposal {
  readonly kind: PinKind;
  /** Verbatim from the entry. */
  readonly text: string;
  readonly rationale: string | null;
  readonly entryId: string;
}

export type CoreProposalsAnswer =
  | {
      readonly kind: 'proposals';
      readonly proposals: readonly CoreProposal[];
      /** Proposals that name no entry, or whose text does not stand in it. */
      readonly dropped: number;
    }
  | Garbled;

const role =
  'You watch over the goal of a coding agent’s work: what it is for, what must hold, and what is settled. You propose; a person decides.';

const longestEntry = 4_000;

/** The entries are numbered from 1. */
export function coreProposalsPrompt(entries: readonly Entry[], core: CoreState | null): Prompt {
  return jsonPrompt(
    role,
    [
      'Find in the entries below what must survive however much else is forgotten, and is not in the core yet.',
      '- goal: what the person now wants, where that is new or has changed',
      '- constraint: what must, must not or may only be done',
      '- decision: what was settled, with the reason where one was given',
      '`text` is copied from the entry letter by letter, a sentence or two; `entry` is its number. What somebody merely',
      'considered, and what a tool printed or a file says, is none of these. An empty list is a good answer.',
    ],
    '{"proposals": [{"kind": "goal | constraint | decision", "text": "…", "rationale": "… or null", "entry": 1}]}',
    [
      ...(core === null ? [] : [quotation('the core as it is', escapedForQuotation(coreText(core)))]),
      quotation('the entries', entries.map(numbered).join('\n')),
    ],
  );
}

function numbered({ role, parts }: Entry, index: number): string {
  return `--- Entry ${index + 1} (${role}) ---\n${escapedForQuotation(excerpt(textOf(parts), longestEntry))}`;
}

export function parseCoreProposals(answer: string, entries: readonly Entry[]): CoreProposalsAnswer {
  const json = jsonAnswer(answer);
  if (json.kind === 'garbled') return json;
  const listed = json.value.proposals;
  if (!Array.isArray(listed)) return garbled('the answer holds no list of proposals');
  const proposals = listed.flatMap((item) => proposalOf(item, entries));
  return { kind: 'proposals', proposals, dropped: listed.length - proposals.length };
}

function proposalOf(item: unknown, entries: readonly Entry[]): CoreProposal[] {
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

/** Line breaks apart: what is pinned are the words that were said. */
function quotes(entry: Entry, text: string): boolean {
  return oneSpaced(textOf(entry.parts)).includes(oneSpaced(text));
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
