import type { Entry } from '../conversation/entry';
import { collectArtifacts } from './artifacts';
import { type LossReport, reportLoss } from './loss-report';
import type { Summary, SummaryRequest } from './summary';

export type Verdict =
  | { readonly kind: 'accepted'; readonly loss: LossReport }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason };

export type RejectionReason = 'empty' | 'grew' | 'unstructured';

export const rejectionReasons: Readonly<Record<RejectionReason, string>> = {
  empty: 'the summary is empty',
  grew: 'the block would be no smaller than what it replaces',
  unstructured: 'the summary has none of its sections',
};

export interface VerificationInput {
  readonly request: SummaryRequest;
  readonly summary: Summary;
  readonly replaced: readonly Entry[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Judges a summary without a model, and without trusting the one that wrote it. */
export function verify({ request, summary, replaced, tokensBefore, tokensAfter }: VerificationInput): Verdict {
  if (summary.body.trim() === '') return { kind: 'rejected', reason: 'empty' };
  if (tokensAfter >= tokensBefore) return { kind: 'rejected', reason: 'grew' };
  if (!hasSection(request, summary.body)) return { kind: 'rejected', reason: 'unstructured' };
  return { kind: 'accepted', loss: reportLoss(collectArtifacts(replaced), summary.body) };
}

function hasSection({ sections }: SummaryRequest, body: string): boolean {
  const headings = new Set([...body.matchAll(/^##\s+(.+?)\s*$/gm)].map(([, heading]) => heading));
  return sections.some((section) => headings.has(section));
}
