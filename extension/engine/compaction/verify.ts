import type { SummaryRequest } from '../block/summary';
import type { Entry } from '../conversation/entry';
import { coreText } from '../core/core';
import { collectArtifacts } from '../language/artifacts';
import { type LossReport, phraseMatcher, reportLoss } from '../language/loss-report';
import { unsupportedClaims } from './claims';
import { repair } from './repair';

/**
 * How far a summary is trusted (docs/specification.md, "Verification"). `report`: losses are reported. `repair`: the
 * most important dropped artifacts are put back verbatim. `strict`: they are put back, and a block that still lacks a
 * constraint of the user, or invents one, is rejected.
 */
export const verificationModes = ['report', 'repair', 'strict'] as const;
export type VerificationMode = (typeof verificationModes)[number];

export type Verdict =
  | {
      readonly kind: 'accepted';
      readonly body: string;
      readonly loss: LossReport;
      readonly repaired: readonly string[];
      /** Rules that the summary attributes to the user without support in what they said. */
      readonly doubtful: readonly string[];
    }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason };

export type RejectionReason =
  | 'empty'
  | 'grew'
  | 'too-long'
  | 'unstructured'
  | 'third-person'
  | 'lost-constraint'
  | 'unsupported';

export const rejectionReasons: Readonly<Record<RejectionReason, string>> = {
  empty: 'the summary is empty',
  grew: 'the block would be no smaller than what it replaces',
  'too-long': 'the block would be larger than the room there is for it',
  unstructured: 'the summary has none of its sections',
  'third-person': 'the summary speaks of the agent in the third person',
  'lost-constraint': 'the summary drops a constraint of the person',
  unsupported: 'the summary ascribes rules to the person that were never said',
};

export interface VerificationInput {
  readonly mode: VerificationMode;
  readonly request: SummaryRequest;
  readonly body: string;
  /**
   * Other text of the context that keeps the names of the replaced entries. Only used for pruned results: the rest of
   * the context.
   */
  readonly elsewhere: string;
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
  if (request.sections.length > 0 && !hasSection(request, body)) return rejected('unstructured');
  // A quotation may be about another agent.
  if (!input.isExtract && request.sections.length > 0 && speaksInThirdPerson(body)) return rejected('third-person');
  const artifacts = collectArtifacts(replaced);
  const elsewhere = input.elsewhere === '' ? '' : `\n${input.elsewhere}`;
  const dropped = reportLoss(artifacts, body + elsewhere);
  const room = Math.min(tokensBefore - 1, input.limitTokens) - tokensOfBlock(body);
  const { body: whole, repaired } =
    mode === 'report' || input.isExtract ? { body, repaired: [] } : repair(body, dropped, request, room);
  const loss = repaired.length === 0 ? dropped : reportLoss(artifacts, whole);
  if (mode === 'strict' && lacksConstraint(loss, request)) return rejected('lost-constraint');
  const doubtful = input.isExtract ? [] : unsupportedClaims(body, replaced, request.core);
  if (mode === 'strict' && doubtful.length > 0) return rejected('unsupported');
  return { kind: 'accepted', body: whole, loss, repaired, doubtful };
}

function rejected(reason: RejectionReason): Verdict {
  return { kind: 'rejected', reason };
}

/** The protected core stands in the context anyway. */
function lacksConstraint({ lost }: LossReport, { core }: SummaryRequest): boolean {
  const isInCore = phraseMatcher(core ? coreText(core) : '');
  return lost.some(({ kind, text }) => kind === 'constraint' && !isInCore(text));
}

function hasSection({ sections }: SummaryRequest, body: string): boolean {
  const headings = new Set([...body.matchAll(/^##\s+(.+?)\s*$/gm)].map(([, heading]) => heading));
  return sections.some((section) => headings.has(section));
}

/**
 * A summary says "I tried", never "the agent tried" (docs/specification.md, `summary.first-person`). Only the beginning
 * of a sentence or list item counts: elsewhere, these words may be about the product.
 */
const thirdPerson =
  /(?:^|[.!?]\s+)(?:[-*]\s+)?(?:the|an?) (?:ai |coding )?(?:agent|assistant|model|llm) (?:\w+ed|has|had|was|is|did|then|tried|found|ran|wrote|made|read|chose|began)\b/gim;

/** Number of matches that is tolerated. */
const toleratedMatches = 1;

function speaksInThirdPerson(body: string): boolean {
  return [...body.matchAll(thirdPerson)].length > toleratedMatches;
}
