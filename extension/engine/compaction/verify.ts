import type { SummaryRequest } from '../block/summary';
import type { Entry } from '../conversation/entry';
import { coreText } from '../core/core';
import { collectArtifacts } from '../language/artifacts';
import { type LossReport, phraseMatcher, reportLoss } from '../language/loss-report';
import { unsupportedClaims } from './claims';
import { repair } from './repair';

/**
 * How far a summary is trusted. `report`: the loss is reported and nothing more. `repair`: what matters most and was
 * dropped is put back verbatim. `strict`: it is put back as well, and a block that still lacks a constraint of the
 * person is rejected.
 */
export const verificationModes = ['report', 'repair', 'strict'] as const;
export type VerificationMode = (typeof verificationModes)[number];

export type Verdict =
  | {
      readonly kind: 'accepted';
      readonly body: string;
      readonly loss: LossReport;
      readonly repaired: readonly string[];
      /** Rules that the summary ascribes to the person and that nothing said stands behind. */
      readonly doubtful: readonly string[];
    }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason };

export type RejectionReason = 'empty' | 'grew' | 'unstructured' | 'third-person' | 'lost-constraint' | 'unsupported';

export const rejectionReasons: Readonly<Record<RejectionReason, string>> = {
  empty: 'the summary is empty',
  grew: 'the block would be no smaller than what it replaces',
  unstructured: 'the summary has none of its sections',
  'third-person': 'the summary speaks of the agent in the third person',
  'lost-constraint': 'the summary drops a constraint of the person',
  unsupported: 'the summary ascribes rules to the person that were never said',
};

export interface VerificationInput {
  readonly mode: VerificationMode;
  readonly request: SummaryRequest;
  readonly body: string;
  /** What else of the replaced entries' names stands in the context: for pruned results, all the rest of it. */
  readonly elsewhere: string;
  readonly replaced: readonly Entry[];
  /** Verbatim pieces that were chosen to fill the room there is: what is not among them was left out on purpose. */
  readonly isExtract: boolean;
  readonly tokensBefore: number;
  /** Counted tokens of the block with this body. */
  readonly tokensOfBlock: (body: string) => number;
}

/** Judges a summary without a model, and without trusting the one that wrote it. */
export function verify(input: VerificationInput): Verdict {
  const { mode, request, body, replaced, tokensBefore, tokensOfBlock } = input;
  if (body.trim() === '') return rejected('empty');
  if (tokensOfBlock(body) >= tokensBefore) return rejected('grew');
  if (request.sections.length > 0 && !hasSection(request, body)) return rejected('unstructured');
  if (request.sections.length > 0 && speaksInThirdPerson(body)) return rejected('third-person');
  const artifacts = collectArtifacts(replaced);
  const elsewhere = input.elsewhere === '' ? '' : `\n${input.elsewhere}`;
  const dropped = reportLoss(artifacts, body + elsewhere);
  const room = tokensBefore - 1 - tokensOfBlock(body);
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

/** What the protected core says stands in the context anyway. */
function lacksConstraint({ lost }: LossReport, { core }: SummaryRequest): boolean {
  const isInCore = phraseMatcher(core ? coreText(core) : '');
  return lost.some(({ kind, text }) => kind === 'constraint' && !isInCore(text));
}

function hasSection({ sections }: SummaryRequest, body: string): boolean {
  const headings = new Set([...body.matchAll(/^##\s+(.+?)\s*$/gm)].map(([, heading]) => heading));
  return sections.some((section) => headings.has(section));
}

/**
 * A recollection says "I tried", never "the agent tried" (docs/specification.md, `summary.first-person`). A sentence or list item that begins with
 * such a subject gives it away; the same words in the middle may be about the product that is worked on.
 */
const thirdPerson =
  /(?:^|[.!?]\s+)(?:[-*]\s+)?(?:the|an?) (?:ai |coding )?(?:agent|assistant|model|llm) (?:\w+ed|has|had|was|is|did|then|tried|found|ran|wrote|made|read|chose|began)\b/gim;

/** One slip is left alone; it is the voice that counts. */
const slips = 1;

function speaksInThirdPerson(body: string): boolean {
  return [...body.matchAll(thirdPerson)].length > slips;
}
