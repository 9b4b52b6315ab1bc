import { withoutEnd } from '../block/record-continues';
import type { SummaryRequest } from '../block/summary';
import type { Entry } from '../conversation/entry';
import { brief } from '../conversation/text';
import { isForeignTo } from '../language/foreign';
import { type LocalizableText, localizable } from '../wording/localizable-text';
import { unsupportedClaims } from './claims';
import { guarded } from './guard';
import { declines, hedgedSentence, repliesToConversation, speaksInThirdPerson } from './manner';
import { namesNotIn } from './unknown-names';

/**
 * How far a summary is trusted (docs/specification.md, "Verification"). `report`: losses are reported. `repair`: what structure
 * can name and the summary lacks is appended under one heading. `strict`: the same, and a block that invents a rule of the user
 * is rejected.
 */
export const verificationModes = ['report', 'repair', 'strict'] as const;
export type VerificationMode = (typeof verificationModes)[number];

export type Verdict =
  | {
      readonly kind: 'accepted';
      readonly body: string;
      readonly repaired: readonly string[];
      /** Rules that the summary attributes to the user without support in what they said. */
      readonly doubtful: readonly string[];
      /** Files and commands that the summary names and the record does not. */
      readonly unknownNames: readonly string[];
    }
  | Rejected;

export interface Rejected {
  readonly kind: 'rejected';
  readonly reason: RejectionReason;
  /** The sentence or heading that the reason is about; null if it is about the whole. */
  readonly quote: string | null;
}

type RejectionReason =
  | 'empty'
  | 'grew'
  | 'too-long'
  | 'unstructured'
  | 'misfiled'
  | 'refused'
  | 'answered'
  | 'hedged'
  | 'third-person'
  | 'foreign'
  | 'unsupported';

const rejectionReasons: Readonly<Record<RejectionReason, LocalizableText>> = {
  empty: localizable('the summary is empty'),
  grew: localizable('the block would be no smaller than what it replaces'),
  'too-long': localizable('the block would be larger than the room there is for it'),
  unstructured: localizable('the summary has none of its sections'),
  misfiled: localizable('most of the summary is under headings that its block does not have'),
  refused: localizable('the model declined to write a summary'),
  answered: localizable('the model answered the conversation instead of summarising it'),
  hedged: localizable('the summary hedges instead of stating what happened'),
  'third-person': localizable('the summary speaks of the agent in the third person'),
  foreign: localizable('the summary is in a language that the conversation is not in'),
  unsupported: localizable('the summary attributes rules to the person that they never stated'),
};

/** The reason in words, with what it is about. */
export function rejectionText({ reason, quote }: Rejected): LocalizableText {
  const text = rejectionReasons[reason];
  return quote === null ? text : localizable('{0}: “{1}”', text, brief(quote, quoteLength));
}

const quoteLength = 120;

interface VerificationInput {
  readonly mode: VerificationMode | 'unchecked';
  readonly request: SummaryRequest;
  readonly body: string;
  readonly replaced: readonly Entry[];
  /**
   * The body consists of verbatim excerpts that were chosen to fill the room. Missing artifacts were left out on
   * purpose.
   */
  readonly isExtract: boolean;
  readonly tokensBefore: number;
  /** The largest block in counted tokens. */
  readonly limitTokens: number;
  /** Counted tokens of the block with this body. */
  readonly tokensOfBlock: (body: string) => number;
}

/** Judges a summary without a model. */
export function verify(input: VerificationInput): Verdict {
  const { mode, request, body, replaced, tokensBefore, tokensOfBlock } = input;
  if (body.trim() === '') return rejected('empty');
  if (tokensOfBlock(body) >= tokensBefore) return rejected('grew');
  if (tokensOfBlock(body) > input.limitTokens) return rejected('too-long');
  const fault = faultOf(input);
  if (fault) return fault;
  if (mode === 'unchecked') return { kind: 'accepted', body, repaired: [], doubtful: [], unknownNames: [] };
  const room = Math.min(tokensBefore - 1, input.limitTokens) - tokensOfBlock(body);
  const unknownNames = input.isExtract ? [] : namesNotIn(body, request);
  const { body: whole, added: repaired } =
    mode === 'report' || input.isExtract ? { body, added: [] } : guarded(body, request, room, unknownNames);
  // Tokens of the parts do not add up exactly to those of the whole.
  if (tokensOfBlock(whole) >= tokensBefore) return rejected('grew');
  const doubtful = input.isExtract ? [] : unsupportedClaims(body, replaced, request.core);
  if (mode === 'strict' && doubtful.length > 0) return rejected('unsupported');
  return { kind: 'accepted', body: whole, repaired, doubtful, unknownNames };
}

function rejected(reason: RejectionReason, quote: string | null = null): Rejected {
  return { kind: 'rejected', reason, quote };
}

/** The first fault in the form of a summary; null if it has none. Quotations may hedge, and be about another agent. */
function faultOf({ request: { sections, liveGoal }, body, replaced, isExtract }: VerificationInput): Rejected | null {
  if (!isExtract && declines(body)) return rejected('refused', body.trim());
  if (!isExtract && repliesToConversation(withoutEnd(body).text)) return rejected('answered');
  if (!isExtract && isForeignTo(withoutHeadings(body), [liveGoal ?? '', ...dialogueTexts(replaced)]))
    return rejected('foreign');
  if (isExtract || sections.length === 0) return null;
  const parts = partsByHeading(body);
  const isOwn = ({ heading }: HeadedPart) => sections.some((section) => section === heading);
  if (!parts.some(isOwn)) return rejected('unstructured');
  const foreign = parts.filter((part) => !isOwn(part));
  if (lengthOf(foreign) * 2 > lengthOf(parts)) return rejected('misfiled', foreign[0]?.heading);
  const hedged = hedgedSentence(body);
  if (hedged !== null) return rejected('hedged', hedged);
  return speaksInThirdPerson(body) ? rejected('third-person') : null;
}

/** Headings are English in every language. */
function withoutHeadings(body: string): string {
  return body.replace(/^#.*$/gm, '');
}

/** The words of the person and of the agent. Output of tools has no language of its own. */
function dialogueTexts(replaced: readonly Entry[]): string[] {
  return (['user', 'assistant'] as const).map((speaker) =>
    replaced
      .filter(({ role }) => role === speaker)
      .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? part.text : [])))
      .join('\n'),
  );
}

interface HeadedPart {
  readonly heading: string;
  readonly text: string;
}

function partsByHeading(body: string): HeadedPart[] {
  const headings = [...body.matchAll(/^##\s+(.+?)\s*$/gm)];
  return headings.map(({ index, 0: line, 1: heading = '' }, at) => ({
    heading,
    text: body.slice(index + line.length, headings[at + 1]?.index).trim(),
  }));
}

function lengthOf(parts: readonly HeadedPart[]): number {
  return parts.reduce((total, { text }) => total + text.length, 0);
}
