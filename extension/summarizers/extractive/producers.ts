import type { SectionName } from '../../engine/block/sections';
import { isConstraint } from '../../engine/language/sentences';
import { type Candidate, item } from './candidate';
import { cues, isOffer, isOfUser, isReport } from './cues';
import { isStatement, type Material, reportsAmong, type Sentence } from './material';
import { failureCandidates, lastWorking, operationCandidates, statusCandidates } from './operations';

/** The candidates of a section, in the order of the conversation. Names are added separately. */
type Producer = (material: Material, section: SectionName) => Candidate[];

/** One producer for each section (docs/specification.md); a strategy only names the sections that it wants. */
const producers: Readonly<Record<SectionName, Producer>> = {
  Strategy: ({ said }, section) =>
    said.slice(0, 1).map(({ text, entryId }) => ({ ...item(section, text, entryId, 1), line: text })),
  Operations: ({ operations, relevance }) => operationCandidates(operations, relevance),
  Discoveries: telling(cues.finding),
  'Dead Ends': deadEnds,
  'What Worked': (material, section) => [...lastWorking(material.operations), ...reported(material, section)],
  'Critical Artifacts': verbatimArtifacts,
  Status: ({ operations }) => statusCandidates(operations),
  Milestones: reported,
  'Key Decisions': telling(cues.decision),
  Findings: (material, section) => [
    ...telling(cues.finding)(material, section),
    ...verbatimArtifacts(material, section),
  ],
  'Attempted & Abandoned': deadEnds,
  'Current State': newest,
  'Open Items': openItems,
  'Goal Arc': goals,
  'Human Direction': directions,
  'What Was Achieved': achieved,
  'Lasting Constraints': rules,
  'Key Artifacts': verbatimArtifacts,
  'Completed Work': achieved,
  'In Progress': inProgress,
  'Next Steps': openItems,
  Constraints: rules,
  'Critical Context': context,
};

export function candidatesFor(section: SectionName, material: Material): Candidate[] {
  return producers[section](material, section);
}

/** The most informative sentences for running text, in the order of the conversation. */
export function runningText(material: Material): Candidate[] {
  const { person, said, relevance } = material;
  const words = person.flatMap(({ goal, others }) => [
    ...(goal ? [ofPerson('Goal Arc', goal, 1)] : []),
    ...others.map((sentence) => ofPerson('Human Direction', sentence, isConstraint(sentence.text) ? 2 : 0)),
  ]);
  const agent = said.flatMap((sentence) => {
    const telltale = tellingCues.filter((cue) => cue.test(sentence.text)).length;
    const weight = (telltale + sentence.position) * relevance(sentence.text);
    return telltale > 0 ? [item('Critical Context', sentence.text, sentence.entryId, weight)] : [];
  });
  const last = newest(material, 'Critical Context');
  return [...words, ...agent.filter(({ text }) => !last.some((other) => other.text === text)), ...last].map(
    (candidate) => ({ ...candidate, line: candidate.text ?? candidate.line }),
  );
}

const tellingCues = [cues.decision, cues.finding, cues.deadEnd, cues.milestone, cues.open];

/** Sentences of a kind, recognised by cues. Later and more relevant sentences weigh more. */
function telling(cue: RegExp): Producer {
  return ({ said, relevance }, section) =>
    said
      .filter(({ text }) => cue.test(text) && isStatement(text))
      .map(({ text, entryId, position }) => item(section, text, entryId, (1 + position) * relevance(text)));
}

function deadEnds(material: Material, section: SectionName): Candidate[] {
  const own = { ...material, said: material.said.filter(({ text }) => !isOfUser(text)) };
  return [...failureCandidates(material.operations, section), ...telling(cues.deadEnd)(own, section)];
}

function reported({ said, relevance }: Material, section: SectionName): Candidate[] {
  return reportsAmong(said).map(({ text, entryId, position }) =>
    item(section, text, entryId, (1 + position) * relevance(text)),
  );
}

/**
 * Only the end is searched for open work: earlier open items were done or dropped, and offers and questions were
 * answered.
 */
function openItems({ end }: Material, section: SectionName): Candidate[] {
  return end.said
    .filter(({ text }) => cues.open.test(text) && !isOfUser(text) && !isReport(text))
    .filter(({ text }) => !end.isFollowed || (isStatement(text) && !isOffer(text)))
    .map(({ text, entryId }, index) => item(section, text, entryId, 1 + index));
}

/** Errors and figures have lines of their own; names are packed. */
function verbatimArtifacts({ artifacts }: Material, section: SectionName): Candidate[] {
  return artifacts
    .filter(({ kind }) => kind === 'error' || kind === 'number')
    .map(({ text, entryIds, weight }) => item(section, text, entryIds.at(-1) ?? '', weight));
}

const sentencesOfState = 3;

function newest({ said }: Material, section: SectionName): Candidate[] {
  return said
    .filter(({ text }) => isStatement(text) && !isOffer(text) && !isOfUser(text))
    .slice(-sentencesOfState)
    .map(({ text, entryId }, index) => item(section, text, entryId, 2 + index));
}

/** The outcome of a turn comes before its intermediate reports. */
function achieved(material: Material, section: SectionName): Candidate[] {
  const outcomes = material.outcomes.map(({ text, entryId }) => item(section, text, entryId, 3));
  return [...outcomes, ...reported(material, section)];
}

/** The newest turn's request, and what the agent was doing if the entries end before an answer. */
function inProgress({ end }: Material, section: SectionName): Candidate[] {
  if (end.isAnswered) return [];
  const underWay = end.said.filter(({ text }) => !isReport(text) && isStatement(text));
  return [
    ...(end.goal ? [ofPerson(section, end.goal, 1)] : []),
    ...underWay.map(({ text, entryId }, index) => item(section, text, entryId, 1 + index)),
  ];
}

/** The first request of each turn: how the goal changed. */
function goals({ person }: Material, section: SectionName): Candidate[] {
  return person.flatMap(({ goal }) => (goal ? [ofPerson(section, goal, 1)] : []));
}

function directions({ person }: Material, section: SectionName): Candidate[] {
  return person.flatMap(({ others }) =>
    others.filter(({ text }) => !isConstraint(text)).map((sentence) => ofPerson(section, sentence, 0)),
  );
}

/** A sentence with a rule still applies. */
function rules({ person }: Material, section: SectionName): Candidate[] {
  return person.flatMap(({ goal, others }) =>
    [goal, ...others].flatMap((sentence) =>
      sentence && isConstraint(sentence.text) ? [ofPerson(section, sentence, 2)] : [],
    ),
  );
}

/** For sections without a producer: the user's words, findings and decisions. */
function context(material: Material, section: SectionName): Candidate[] {
  return [
    ...goals(material, section),
    ...directions(material, section),
    ...telling(cues.decision)(material, section),
    ...telling(cues.finding)(material, section),
    ...deadEnds(material, section),
  ];
}

/** The person's words weigh as much as the agent's work (docs/specification.md, `goal-batch.direction`): `rank` orders them among themselves, the newer first. */
function ofPerson(section: SectionName, { text, entryId, position }: Sentence, rank: number): Candidate {
  return { ...item(section, text, entryId, rank + position), isOfPerson: true };
}
