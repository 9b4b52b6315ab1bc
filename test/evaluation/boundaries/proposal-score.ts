import type { Inspection } from '../../../extension/inspection/inspection';
import type { Item, LabelledBoundary } from './labels';
import { SearchedText } from './presence';

/** The core's proposals of one kind against the labels. */
export interface KindScore {
  readonly labels: number;
  readonly found: number;
  readonly proposed: number;
  /** Proposals that state a labelled item in force. */
  readonly right: number;
  /** Of the others, those that state what the person once asked for: done, withdrawn, or labelled as another kind. */
  readonly past: number;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

export interface ProposalScore {
  readonly goals: KindScore;
  readonly constraints: KindScore;
  readonly decisions: KindScore;
}

interface Proposal {
  readonly text: string;
  /** 0-based lines of the records of the entry that it comes from. Null where it names none. */
  readonly lines: readonly [from: number, to: number] | null;
}

/** Takes what the core proposes at this point and what is active there without having been asked for. */
export async function scoreProposals(labelled: LabelledBoundary, inspection: Inspection): Promise<ProposalScore> {
  await inspection.propose();
  const lines = linesOfEntries(inspection, labelled.record);
  const proposalsOf = (kind: string): Proposal[] =>
    inspection.state.items
      .filter((item) => item.kind === kind && (item.status === 'proposed' || item.status === 'active'))
      .map(({ text, rationale, entryId }) => ({
        text: rationale === null ? text : `${text}\n${rationale}`,
        lines: lines.get(entryId ?? '') ?? null,
      }));
  const inForce = (items: readonly Item[]) => items.filter(({ expired }) => expired !== true);
  const goals = [labelled.goal, ...(labelled.originalGoal ? [labelled.originalGoal] : [])];
  const everything = [...goals, ...labelled.directions, ...labelled.decisions];
  return {
    goals: scoreKind(proposalsOf('goal'), goals, everything),
    constraints: scoreKind(proposalsOf('constraint'), inForce(labelled.directions), everything),
    decisions: scoreKind(proposalsOf('decision'), inForce(labelled.decisions), everything),
  };
}

function scoreKind(proposals: readonly Proposal[], items: readonly Item[], everything: readonly Item[]): KindScore {
  const missed = items.filter((item) => !proposals.some((proposal) => states(proposal, item)));
  const notRight = proposals.filter((proposal) => !items.some((item) => states(proposal, item)));
  const wrong = notRight.filter((proposal) => !everything.some((item) => states(proposal, item)));
  return {
    labels: items.length,
    found: items.length - missed.length,
    proposed: proposals.length,
    right: proposals.length - notRight.length,
    past: notRight.length - wrong.length,
    missed: missed.map(({ said }) => said),
    wrong: wrong.map(({ text }) => text),
  };
}

/** All terms; from the entry that the label names, one is enough: the rest may be in the sentence before. */
function states({ text, lines }: Proposal, { terms, line }: Item): boolean {
  const searched = new SearchedText(text);
  if (searched.holds(terms)) return true;
  const isFromThere = lines !== null && lines[0] <= line && line <= lines[1];
  return isFromThere && terms.some((term) => searched.holds([term]));
}

/** An entry reaches up to the record before the next one: a reply takes several records. */
function linesOfEntries({ conversation }: Inspection, end: number): Map<string, readonly [number, number]> {
  const entries = conversation.entries.filter(({ origin }) => origin.line > 0);
  const starts = entries.map(({ origin }) => origin.line - 1).sort((a, b) => a - b);
  return new Map(
    entries.map(({ id, origin }) => {
      const next = starts.find((start) => start > origin.line - 1) ?? end;
      return [id, [origin.line - 1, next - 1]];
    }),
  );
}
