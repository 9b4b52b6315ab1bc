import type { Entry } from '../conversation/entry';
import { collectArtifacts } from './artifacts';
import { isBareAnswer, isLeadIn, personSaid } from './directions';
import {
  type Artifact,
  isName,
  type LossReport,
  type MatterKind,
  type Matters,
  matterKinds,
  reportLoss,
} from './loss-report';
import { TextIndex } from './paraphrase';
import { proposalsFromSentences } from './proposals';
import { type Remark, type RemarkKind, remarksIn } from './remarks';
import { sentencesOf } from './sentences';
import { workByCommand } from './work/commands';
import { planOf } from './work/plan';
import { toolStepsOf } from './work/steps';

/** Something in the replaced entries that later work needs. */
interface Matter {
  readonly kind: MatterKind;
  /** Verbatim, but for white space. */
  readonly text: string;
  /** A text that says as much: why a command failed. */
  readonly otherwise?: string;
  readonly entryId: string;
  /** Against others of its kind. */
  readonly weight: number;
}

/**
 * What each kind counts. A name can be looked up again, what a person wants or what was found out cannot: all names
 * together count a twentieth.
 */
const kindWeights: Readonly<Record<MatterKind, number>> = {
  goal: 10,
  direction: 25,
  decision: 20,
  finding: 25,
  open: 15,
  name: 5,
};

/** A rule outlives the request that it came with. */
const ruleWeight = 3;

/** What the agent says beside its tool calls is mostly repeated in the closing reply of the turn if it lasts. */
const interimWeight = 0.25;

/** Number of names that count: those that later work needs most likely. */
const maxNames = 40;

/** Lost texts listed for each kind. The counts have all of them. */
const maxListed = 20;

/** Returns a function that reports what a text keeps of these entries. Linear in the length of the entries. */
export function lossReporter(entries: readonly Entry[]): (text: string, elsewhere?: string) => LossReport {
  const artifacts = collectArtifacts(entries);
  const matters = collectMatters(entries, artifacts);
  return (text, elsewhere = '') => {
    const report = reportLoss(artifacts, text);
    const weighed = weigh(matters, elsewhere === '' ? text : `${text}\n${elsewhere}`);
    return weighed === null ? report : { ...report, matters: weighed };
  };
}

function collectMatters(entries: readonly Entry[], artifacts: readonly Artifact[]): Matter[] {
  const remarks = remarksIn(entries);
  return [...wantedIn(entries, remarks), ...foundIn(remarks), ...openIn(entries, remarks), ...namesAmong(artifacts)];
}

/** Goals, directions in force and decisions. */
function wantedIn(entries: readonly Entry[], remarks: readonly Remark[]): Matter[] {
  const proposals = proposalsFromSentences(entries);
  const goals = proposals
    .filter(({ kind }) => kind === 'goal')
    .flatMap(({ text, entryId }) => {
      const sentences = sentencesOf(text);
      return sentences.map(
        (sentence): Matter => ({ kind: 'goal', text: sentence, entryId, weight: 1 / sentences.length }),
      );
    });
  const decisions = proposals
    .filter(({ kind }) => kind === 'decision')
    .map(({ text, entryId }): Matter => ({ kind: 'decision', text, entryId, weight: 1 }));
  const decided = remarks.filter(({ kind }) => kind === 'decision').map((remark) => conclusion('decision', remark));
  const known = new Set([...goals, ...decisions].map(({ text }) => text));
  const directions = personSaid(entries)
    .filter(({ kind, text, endedBy }) => {
      const tells = kind !== 'chat' && kind !== 'question' && endedBy === null;
      return tells && !isBareAnswer(text) && !isLeadIn(text) && !known.has(text);
    })
    .map(({ kind, text, entryId }): Matter => {
      return { kind: 'direction', text, entryId, weight: kind === 'rule' ? ruleWeight : 1 };
    });
  return [...goals, ...directions, ...decisions, ...decided];
}

/** All that the agent concluded, and not only what a block without a model would choose of it. */
function foundIn(remarks: readonly Remark[]): Matter[] {
  return remarks.flatMap((remark) => {
    const share = shareOfKind[remark.kind];
    return share === undefined ? [] : [conclusion('finding', remark, share)];
  });
}

/** What later work needs of a remark, against a cause. Decisions and open work count as their own kinds. */
const shareOfKind: Partial<Record<RemarkKind, number>> = {
  cause: 1,
  'given-up': 1,
  report: 0.5,
  other: 0.5,
  goal: 0.5,
};

function conclusion(kind: MatterKind, { text, entryId, place, position }: Remark, share = 1): Matter {
  const recency = (1 + position) / 2;
  return { kind, text, entryId, weight: share * recency * (place === 'interim' ? interimWeight : 1) };
}

/** Plans that are not carried out, checks that fail at the end, and what the agent calls open when it closes a turn. */
function openIn(entries: readonly Entry[], remarks: readonly Remark[]): Matter[] {
  const steps = toolStepsOf(entries);
  const plan = planOf(steps).filter(({ state }) => state !== 'done');
  const failing = workByCommand(steps).filter(({ isCheck, problem }) => isCheck && problem !== null);
  const called = remarks.filter(({ kind, place }) => kind === 'open' && place !== 'interim');
  return [
    ...[...plan, ...called].map(({ text, entryId }): Matter => ({ kind: 'open', text, entryId, weight: 1 })),
    ...failing.map(({ command, problem, resultEntryId }): Matter => {
      const otherwise = problem === null ? {} : { otherwise: problem };
      return { kind: 'open', text: command, ...otherwise, entryId: resultEntryId, weight: 1 };
    }),
  ];
}

function namesAmong(artifacts: readonly Artifact[]): Matter[] {
  return artifacts
    .filter(isName)
    .slice(0, maxNames)
    .map(({ text, entryIds, weight }) => ({ kind: 'name', text, entryId: entryIds.at(-1) ?? '', weight }));
}

/** Null if there are only names: their count says more than a share of what matters. */
function weigh(matters: readonly Matter[], text: string): Matters | null {
  const index = new TextIndex(text);
  const kinds = matterKinds.flatMap((kind) => {
    const all = withoutRepetitions(matters.filter((matter) => matter.kind === kind));
    if (all.length === 0) return [];
    const kept = all.filter((matter) => isKept(matter, index));
    const lost = all.filter((matter) => !kept.includes(matter)).sort((a, b) => b.weight - a.weight);
    const listed = lost.slice(0, maxListed).map(({ text: words, entryId }) => ({ text: words, entryId }));
    return [{ kind, share: total(kept) / total(all), kept: kept.length, total: all.length, lost: listed }];
  });
  if (kinds.every(({ kind }) => kind === 'name')) return null;
  const possible = kinds.reduce((sum, { kind }) => sum + kindWeights[kind], 0);
  const held = kinds.reduce((sum, { kind, share }) => sum + kindWeights[kind] * share, 0);
  return { share: rounded(held / possible), kinds: kinds.map((kind) => ({ ...kind, share: rounded(kind.share) })) };
}

/** The agent words its conclusions anew each time it states them, unlike what a person asked for. */
const ofConclusion = 1 / 2;
const leastShareOf: Partial<Record<MatterKind, number>> = {
  decision: ofConclusion,
  finding: ofConclusion,
  open: ofConclusion,
};

function isKept({ kind, text, otherwise }: Matter, index: TextIndex): boolean {
  if (index.contains(text)) return true;
  if (kind === 'name') return false;
  return (
    index.paraphrases(text, leastShareOf[kind]) ||
    (otherwise !== undefined && (index.contains(otherwise) || index.mentions(otherwise)))
  );
}

function withoutRepetitions(matters: readonly Matter[]): Matter[] {
  return [...new Map(matters.map((matter) => [matter.text, matter])).values()];
}

function total(matters: readonly Matter[]): number {
  return matters.reduce((sum, { weight }) => sum + weight, 0);
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000;
}
