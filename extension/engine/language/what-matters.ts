import type { Entry } from '../conversation/entry';
import { workByCommand } from '../ledger/commands';
import { planOf } from '../ledger/plan';
import { toolStepsOf } from '../ledger/steps';
import { collectArtifacts } from './artifacts';
import { isBareAnswer, isLeadIn, personSaid, type Utterance } from './directions';
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

/** Whose words a matter is: the person's, the agent's, its to-do list, or a command that failed. */
export type MatterSource = 'person' | 'agent' | 'plan' | 'command';

/** Something in the replaced entries that later work needs. */
export interface Matter {
  readonly kind: MatterKind;
  readonly source: MatterSource;
  /** Where the agent said it; absent where it did not. */
  readonly remark?: Remark;
  /** For a direction: what the person said. */
  readonly utterance?: Utterance;
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
  return [...mattersIn(entries), ...namesAmong(artifacts)];
}

/** All that later work needs of these entries, but for names. Linear in their length. */
export function mattersIn(entries: readonly Entry[]): Matter[] {
  const remarks = remarksIn(entries);
  return [...wantedIn(entries, remarks), ...foundIn(remarks), ...openIn(entries, remarks)];
}

/** Goals, directions in force and decisions. */
function wantedIn(entries: readonly Entry[], remarks: readonly Remark[]): Matter[] {
  const proposals = proposalsFromSentences(entries);
  const goals = proposals
    .filter(({ kind }) => kind === 'goal')
    .flatMap(({ text, entryId }) => {
      const sentences = sentencesOf(text);
      return sentences.map(
        (sentence): Matter => ({
          ...{ kind: 'goal', source: 'person', text: sentence, entryId },
          weight: 1 / sentences.length,
        }),
      );
    });
  const ofAgent = new Set(entries.flatMap(({ role, id }) => (role === 'assistant' ? id : [])));
  const decisions = proposals
    .filter(({ kind }) => kind === 'decision')
    .map(({ text, entryId }): Matter => {
      return { kind: 'decision', source: ofAgent.has(entryId) ? 'agent' : 'person', text, entryId, weight: 1 };
    });
  const decided = remarks.filter(({ kind }) => kind === 'decision').map((remark) => conclusion('decision', remark));
  const known = new Set([...goals, ...decisions].map(({ text }) => text));
  const directions = personSaid(entries)
    .filter(({ kind, text, endedBy }) => {
      const tells = kind !== 'chat' && kind !== 'question' && endedBy === null;
      return tells && !isBareAnswer(text) && !isLeadIn(text) && !known.has(text);
    })
    .map((utterance): Matter => {
      const { kind, text, entryId } = utterance;
      return {
        ...{ kind: 'direction', source: 'person', utterance, text, entryId },
        weight: kind === 'rule' ? ruleWeight : 1,
      };
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

function conclusion(kind: MatterKind, remark: Remark, share = 1): Matter {
  const { text, entryId, place, position } = remark;
  const recency = (1 + position) / 2;
  const weight = share * recency * (place === 'interim' ? interimWeight : 1);
  return { kind, source: 'agent', remark, text, entryId, weight };
}

/** Plans that are not carried out, checks that fail at the end, and what the agent calls open when it closes a turn. */
function openIn(entries: readonly Entry[], remarks: readonly Remark[]): Matter[] {
  const steps = toolStepsOf(entries);
  const plan = planOf(steps).filter(({ state }) => state !== 'done');
  const failing = workByCommand(steps).filter(({ isCheck, problem }) => isCheck && problem !== null);
  const called = remarks.filter(({ kind, place }) => kind === 'open' && place !== 'interim');
  const open = (source: MatterSource, { text, entryId }: Pick<Matter, 'text' | 'entryId'>): Matter => {
    return { kind: 'open', source, text, entryId, weight: 1 };
  };
  return [
    ...plan.map((item) => open('plan', item)),
    ...called.map((remark) => ({ ...open('agent', remark), remark })),
    ...failing.map(({ command, problem, resultEntryId }) => {
      const otherwise = problem === null ? {} : { otherwise: problem };
      return { ...open('command', { text: command, entryId: resultEntryId }), ...otherwise };
    }),
  ];
}

function namesAmong(artifacts: readonly Artifact[]): Matter[] {
  return artifacts
    .filter(isName)
    .slice(0, maxNames)
    .map(({ text, entryIds, weight }) => {
      return { kind: 'name', source: 'agent', text, entryId: entryIds.at(-1) ?? '', weight };
    });
}

/** Null if there are only names: their count says more than a share of what matters. */
function weigh(matters: readonly Matter[], text: string): Matters | null {
  const index = new TextIndex(text);
  const kinds = matterKinds.flatMap((kind) => {
    const all = withoutRepetitions(matters.filter((matter) => matter.kind === kind));
    if (all.length === 0) return [];
    const kept = all.filter((matter) => isKept(matter, index));
    const known = new Set(kept);
    const lost = all.filter((matter) => !known.has(matter)).sort((a, b) => b.weight - a.weight);
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

/** Whether a text says it, verbatim or in other words. */
export function isKept({ kind, text, otherwise }: Matter, index: TextIndex): boolean {
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
