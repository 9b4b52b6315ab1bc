import type { ObservationType } from '../block/memory';
import { brief, firstWords, unique } from '../conversation/text';
import { commandOf, pathOf, type ToolStep } from '../ledger/steps';
import { type ObservationFields, subtitleWords } from '../prompts/observations';
import type { ObservedWork } from './observed-work';
import { isSensitive, stepFact } from './tool-facts';

const titleLength = 100;
const subjectLength = 50;
const partsOfPath = 3;
const maxFacts = 5;
const factLength = 240;
/** In characters. */
const narrativeLength = 600;

/** Builds an observation without a model: facts from calls and outcomes, words from the agent's messages. */
export function extractedFields(observed: ObservedWork): ObservationFields {
  const type = typeOf(observed);
  const work = type === 'sensitive' ? withoutSecrets(observed) : observed;
  const notable = work.steps.filter(isNotable);
  return {
    type,
    title: titleOf(work),
    subtitle: firstWords(work.finding ?? work.texts[0] ?? work.request, subtitleWords),
    facts: unique([
      ...(work.finding === null ? [] : [brief(work.finding, factLength)]),
      ...notable.map(stepFact),
    ]).slice(-maxFacts),
    narrative: brief(work.texts.join(' '), narrativeLength),
    concepts: conceptsOf(work, type),
    filesRead: unique(work.steps.filter(({ kind }) => kind === 'look').map(pathOrNothing)),
    filesModified: unique(work.steps.filter(isChange).map(pathOrNothing)),
  };
}

/** Removes what was said about secret files and what tools returned: either may contain the secrets. */
function withoutSecrets(work: ObservedWork): ObservedWork {
  const steps = work.steps.map((step) => ({
    ...step,
    problem: step.problem === null ? null : 'for an undisclosed reason',
  }));
  return { ...work, steps, finding: null, texts: [] };
}

/** Steps that only look at something are left out, unless they failed: the list of files covers them. */
function isNotable({ kind, problem }: ToolStep): boolean {
  return kind !== 'look' || problem !== null;
}

function isChange({ kind, problem }: ToolStep): boolean {
  return kind === 'change' && problem === null;
}

function pathOrNothing({ call }: ToolStep): string {
  return pathOf(call) ?? '';
}

/** The end of a path says more than its beginning. */
function endOfPath(path: string): string {
  const parts = path.split('/');
  return parts.length <= partsOfPath ? path : `…/${parts.slice(-partsOfPath).join('/')}`;
}

const verbs: Readonly<Record<ToolStep['kind'], string>> = { change: 'changed', run: 'ran', look: 'looked at' };

function titleOf({ steps, finding }: ObservedWork): string {
  const last = steps.at(-1);
  if (finding !== null || !last) return brief(finding ?? '', titleLength);
  const path = pathOf(last.call);
  const subject = path === null ? brief(commandOf(last.subject), subjectLength) : endOfPath(path);
  if (last.problem !== null) return brief(`${subject} failed: ${last.problem}`, titleLength);
  return brief(`${verbs[last.kind]} ${subject}`, titleLength);
}

/** By the files touched, and by whether something was changed. A model that is asked has the other types of the vocabulary. */
function typeOf({ steps }: ObservedWork): ObservationType {
  if (steps.some(isSensitive)) return 'sensitive';
  return steps.some(isChange) ? 'change' : 'discovery';
}

/** From claude-mem's vocabulary, two for each type. A failure adds one. */
const concepts: Readonly<Record<ObservationType, readonly string[]>> = {
  bugfix: ['problem-solution', 'what-changed'],
  feature: ['what-changed', 'how-it-works'],
  refactor: ['what-changed', 'pattern'],
  change: ['what-changed', 'why-it-exists'],
  discovery: ['how-it-works', 'why-it-exists'],
  decision: ['trade-off', 'why-it-exists'],
  security_alert: ['gotcha', 'problem-solution'],
  security_note: ['gotcha', 'how-it-works'],
  sensitive: ['what-changed', 'gotcha'],
};

function conceptsOf(work: ObservedWork, type: ObservationType): string[] {
  const wentWrong = work.steps.some(({ problem }) => problem !== null);
  return unique([...concepts[type], ...(wentWrong ? ['gotcha'] : [])]);
}
