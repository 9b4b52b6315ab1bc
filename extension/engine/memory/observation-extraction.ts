import type { ObservationType } from '../block/memory';
import type { ObservationFields } from '../prompts/observations';
import { conclusionsOf, sayings } from './conclusions';
import type { ObservedWork } from './observed-work';
import { brief, firstWords, unique } from './text';
import { isSensitive, stepFact } from './tool-facts';
import { commandOf, pathOf, type ToolStep } from './tool-steps';

const titleLength = 100;
const subjectLength = 50;
const partsOfPath = 3;
const subtitleWords = 24;
const mostFacts = 5;
const narrativeSentences = 4;

/** An observation without a model: its facts come from the calls and their outcomes, its words from the agent's. */
export function extractedFields(observed: ObservedWork): ObservationFields {
  const type = typeOf(observed);
  const work = type === 'sensitive' ? discreet(observed) : observed;
  const told = work.steps.filter(isTold);
  const said = sayings(work.said);
  return {
    type,
    title: titleOf(work),
    subtitle: firstWords(work.finding ?? said[0] ?? sayings(work.request)[0] ?? '', subtitleWords),
    facts: unique([...(work.finding === null ? [] : [work.finding]), ...told.map(stepFact)]).slice(-mostFacts),
    narrative: said.slice(0, narrativeSentences).join(' '),
    concepts: conceptsOf(work, type),
    filesRead: unique(work.steps.filter(({ kind }) => kind === 'look').map(pathOrNothing)),
    filesModified: unique(work.steps.filter(isChange).map(pathOrNothing)),
  };
}

/** What was said about secrets, and what a tool said of them, may be the secrets. */
function discreet(work: ObservedWork): ObservedWork {
  const steps = work.steps.map((step) => ({
    ...step,
    problem: step.problem === null ? null : 'for a reason not told',
  }));
  return { ...work, steps, finding: null, said: '' };
}

/** That something was looked at is told by the list of files. */
function isTold({ kind, problem }: ToolStep): boolean {
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

const wordings: readonly (readonly [ObservationType, RegExp])[] = [
  ['security_alert', /\b(?:vulnerab\w+|exploit\w*|injection|CVE-\d+|leaked|exposed secret)\b/i],
  ['security_note', /\b(?:security|permission checks?|sanitiz\w+|authenticat\w+|authoriz\w+)\b/i],
  ['bugfix', /\b(?:fix(?:ed|es|ing)?|bugs?|broken|crash\w*|regression|wrong)\b/i],
  ['refactor', /\b(?:refactor\w*|rename[ds]?|extract(?:ed)?|move[ds]?|clean(?:ed)? up|simplif\w+|split)\b/i],
  ['feature', /\b(?:add(?:ed|s|ing)?|implement\w*|creat(?:e[ds]?|ing)|introduc\w+)\b/i],
];

/** By what was touched, then by what came of it, then by the words around it. */
function typeOf(work: ObservedWork): ObservationType {
  const { steps, finding, said, request } = work;
  if (steps.some(isSensitive)) return 'sensitive';
  const worded = (text: string) => wordings.find(([, words]) => words.test(text))?.[0];
  const security = worded(said)?.startsWith('security') ? worded(said) : undefined;
  if (security !== undefined) return security;
  if (!steps.some(isChange)) return finding === null && decides(said) ? 'decision' : 'discovery';
  return worded(said) ?? worded(request) ?? 'change';
}

function decides(said: string): boolean {
  return conclusionsOf(said).some(({ kind }) => kind === 'decision');
}

/** claude-mem's vocabulary, two for each type; what went wrong or was weighed adds one. */
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
  return unique([...concepts[type], ...(wentWrong ? ['gotcha'] : []), ...(decides(work.said) ? ['trade-off'] : [])]);
}
